import { spawn } from 'node:child_process';

/**
 * Runs a program to its end and gives its exit code and output. `inherit` shows the output instead of collecting it.
 * After `seconds` the program and everything it started is killed and the exit code is 124, as with `timeout`.
 */
export function run(program, args, { cwd, env = process.env, inherit = false, seconds = 600 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: inherit ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32',
    });
    let output = '';
    const collect = (data) => {
      output += data;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    let timedOut = false;
    const bound = setTimeout(() => {
      timedOut = true;
      killGroup(child);
    }, seconds * 1000);
    const release = endWithUs(() => killGroup(child));
    const finish = (code) => {
      clearTimeout(bound);
      release();
      resolve({ code: timedOut ? 124 : code, output, timedOut });
    };
    child.once('error', (error) => {
      output += error.message;
      finish(127);
    });
    // `exit`, not `close`: a grandchild that keeps the pipe open must not keep us waiting.
    child.once('exit', (code) => setTimeout(() => finish(code ?? 1), 50));
  });
}

/** Kills a child that was started as the leader of its own process group, with all it started. */
export function killGroup(child, signal = 'SIGKILL') {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}

/**
 * Calls `cleanUp`, which must be synchronous, when this process ends, Ctrl+C included. A child in a process group of its
 * own does not get the terminal's signals, so it would live on. Gives what takes the promise back.
 */
export function endWithUs(cleanUp) {
  const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
  const listeners = Object.entries(signals).map(([signal, code]) => [signal, () => process.exit(code)]);
  process.once('exit', cleanUp);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    process.off('exit', cleanUp);
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** Whether a program of this name can be started. */
export async function isInstalled(program) {
  const finder = process.platform === 'win32' ? ['where', program] : ['sh', '-c', `command -v ${program}`];
  return (await run(finder[0], finder.slice(1), { seconds: 10 })).code === 0;
}
