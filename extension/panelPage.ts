import * as vscode from 'vscode';

/**
 * The panel's document with its script and the texts of the person's language in it. A script that is fetched would be the
 * longest part of opening the panel: VS Code shows no page before what it loads is there.
 */
export function panelPage(script: string): string {
  const nonce = crypto.randomUUID();
  // Styles come as adopted sheets from the script, which this policy allows; inline ones it would refuse. A picture that is
  // saved is drawn from a data address.
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; img-src data:`;
  const strings = JSON.stringify(vscode.l10n.bundle ?? {});
  return `<!doctype html>
<html lang="${vscode.l10n.bundle === undefined ? 'en' : vscode.env.language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Training memory</title>
  </head>
  <body>
    <script type="application/json" id="strings">${inElement(strings)}</script>
    <script type="module" nonce="${nonce}">${script}</script>
  </body>
</html>`;
}

/** Nothing in a text may end the element it stands in. */
const inElement = (json: string): string => json.replaceAll('<', '\\u003c');
