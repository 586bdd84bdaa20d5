import * as vscode from 'vscode';
import type { LearnText } from './learnText.ts';

/** The commands that links of the page may run. */
export const linkedCommands = [
  'checkpointLens.explainRule',
  'checkpointLens.openPanel',
  'checkpointLens.applyStrategy',
];

/** The page's document; undefined where VS Code's own Markdown is switched off. */
export async function learnPage({ markdown, pictures }: LearnText, title: string): Promise<string | undefined> {
  const rendered = await renderedMarkdown(markdown);
  if (rendered === undefined) return undefined;
  const body = [...pictures].reduce(
    (html, [name, svg]) => html.replace(new RegExp(`<p[^>]*>${name}</p>`), () => `<figure>${svg}</figure>`),
    rendered,
  );
  // Long names break where they are joined, so that a table fits beside the code.
  const broken = body.replaceAll(/<td><code>[^<]*/g, (cell) => cell.replaceAll(/(?<=[_(])(?=\w)/g, '<wbr>'));
  const nonce = crypto.randomUUID();
  return `<!doctype html>
<html lang="${vscode.env.language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style nonce="${nonce}">${styles}</style>
  </head>
  <body><main>${broken.replaceAll('<table>', '<div class="wide" tabindex="0"><table>').replaceAll('</table>', '</table></div>')}</main></body>
</html>`;
}

async function renderedMarkdown(markdown: string): Promise<string | undefined> {
  try {
    const html = await vscode.commands.executeCommand<unknown>('markdown.api.render', markdown);
    return typeof html === 'string' ? html : undefined;
  } catch {
    return undefined;
  }
}

const styles = `
  body { font-size: var(--vscode-font-size); line-height: 1.55; color: var(--vscode-editor-foreground); }
  main { max-width: 62em; margin: 0 auto; padding: 0.5em 1em 4em; }
  h1 { font-weight: 300; } h2 { margin-top: 2em; font-weight: 400; }
  h1, h2 { padding-bottom: 0.2em; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); }
  /* Underlined: within a sentence colour alone does not say for everyone that this is a link. */
  a { color: var(--vscode-textLink-foreground); text-decoration: underline; }
  a:hover { text-decoration-thickness: 2px; }
  code { font-family: var(--vscode-editor-font-family); color: var(--vscode-textPreformat-foreground); background: var(--vscode-textPreformat-background); padding: 0.1em 0.3em; border-radius: 3px; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; vertical-align: top; padding: 0.35em 0.8em 0.35em 0; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); }
  td:last-child a { white-space: nowrap; }
  figure { margin: 1em 0; }
  .segments { width: 100%; max-width: 44em; height: auto; }
  .segments .layer { fill: none; stroke: var(--vscode-editor-foreground); stroke-opacity: 0.5; }
  .segments .kept { fill: var(--vscode-charts-yellow, var(--vscode-editor-foreground)); }
  .segments .replayed { fill: var(--vscode-charts-blue, var(--vscode-editor-foreground)); fill-opacity: 0.45; stroke: var(--vscode-charts-blue, var(--vscode-editor-foreground)); }
  .segments text { fill: var(--vscode-editor-foreground); font-size: 12px; font-family: var(--vscode-font-family); }
  .segments .number { text-anchor: middle; font-size: 11px; }
`;
