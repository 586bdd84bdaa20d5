/** Columns padded to their widest cell; cells of `numeric` columns are flush right. */
export function table(rows: readonly (readonly string[])[], numeric: readonly number[] = []): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => {
      const cells = row.map((cell, column) =>
        numeric.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      );
      return `  ${cells.join('  ')}`.trimEnd();
    })
    .join('\n');
}
