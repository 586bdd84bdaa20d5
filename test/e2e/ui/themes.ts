/** The four kinds of colour theme there are: the name in VS Code's list, and the classes of workbench and webviews. */
export const themes = [
  { name: 'light', label: 'Light Modern', workbench: 'vs', webview: 'vscode-light' },
  { name: 'dark', label: 'Dark Modern', workbench: 'vs-dark', webview: 'vscode-dark' },
  { name: 'high-contrast', label: 'Dark High Contrast', workbench: 'hc-black', webview: 'vscode-high-contrast' },
  {
    name: 'high-contrast-light',
    label: 'Light High Contrast',
    workbench: 'hc-light',
    webview: 'vscode-high-contrast-light',
  },
] as const;

export type Theme = (typeof themes)[number];
