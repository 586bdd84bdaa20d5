import * as vscode from 'vscode';

/** The panel's document. Its script draws everything; the texts of the person's language stand in the page for it to read. */
export function panelPage(webview: vscode.Webview, script: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  // Styles come as adopted sheets from the script, which this policy allows; inline ones it would refuse. A picture that is
  // saved is drawn from a data address.
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; font-src ${webview.cspSource}; img-src data:`;
  // Nothing in a text may end the element it stands in.
  const strings = JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="${vscode.l10n.bundle === undefined ? 'en' : vscode.env.language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Training memory</title>
  </head>
  <body>
    <script type="application/json" id="strings">${strings}</script>
    <script type="module" nonce="${nonce}" src="${webview.asWebviewUri(script)}"></script>
  </body>
</html>`;
}
