/** A notebook as Jupyter stores it, with an output behind each code cell. Texts that begin with `# ` and a capital are prose. */
export function notebook(cells: readonly string[], { metadata = {}, indent = 1 } = {}): string {
  const stored = cells.map((text, index) => {
    const source = text.split(/(?<=\n)/);
    return /^# [A-Z]/.test(text)
      ? { cell_type: 'markdown', id: `c${index}`, metadata: {}, source }
      : {
          cell_type: 'code',
          execution_count: index,
          id: `c${index}`,
          metadata: { tags: ['é'] },
          outputs: [{ output_type: 'stream', name: 'stdout', text: ['checkpoint é\n'] }],
          source,
        };
  });
  const content = { cells: stored, metadata: { zebra: 1, ...metadata }, nbformat: 4, nbformat_minor: 5 };
  return `${JSON.stringify(content, null, indent)}\n`;
}

/** Six cells; the fifth has one AC101 at 2:5. */
export const training: readonly string[] = [
  '# Title\n\nwith text',
  '%load_ext autoreload\n!pip install torch',
  'from torch.utils.checkpoint import checkpoint',
  'def half_typed(:',
  'x = "é"\ny = checkpoint(block, x)',
  'print(y)',
];
