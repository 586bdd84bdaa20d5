// Loaded into a server that is measured. At a signal it collects garbage and writes down how many bytes are still held: what the
// operating system counts hangs on when the last collection was, and swings by a fifth without anything being kept.
const { writeFileSync } = require('node:fs');

process.on('SIGUSR2', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(process.env.HELD_MEMORY_FILE, String(heapUsed + external));
});
