import * as vscode from 'vscode';
import { openDemo, untilFindings } from '../e2e/host/editor.ts';

const write = (uri: vscode.Uri, text: string) => vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));

describe('files that only the client can read', () => {
  it('are followed into, and looked at again when they change', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (folder === undefined) throw new Error('no folder is open');
    const imported = vscode.Uri.joinPath(folder, 'lib', 'tools.py');
    await write(vscode.Uri.joinPath(folder, 'lib', '__init__.py'), '');
    await write(imported, 'from torch.utils.checkpoint import checkpoint as remember\n');
    await write(
      vscode.Uri.joinPath(folder, 'follows.py'),
      'from lib.tools import remember  # checkpoint\n\ny = remember(block, x)\n',
    );
    const document = await openDemo('follows.py');
    await untilFindings(document, [{ code: 'AC101', line: 3, underlined: 'remember' }]);
    await write(imported, 'def remember(function, *arguments):\n    return function(*arguments)\n');
    await untilFindings(document, []);
    await write(imported, 'from torch.utils.checkpoint import checkpoint as remember\n');
    await untilFindings(document, [{ code: 'AC101', line: 3, underlined: 'remember' }]);
  });

  it('say which versions a project runs on', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (folder === undefined) throw new Error('no folder is open');
    const project = vscode.Uri.joinPath(folder, 'older');
    await write(
      vscode.Uri.joinPath(project, 'old.py'),
      'from torch.utils.checkpoint import checkpoint\n\ny = checkpoint(block, x)\n',
    );
    const document = await openDemo('older/old.py');
    await untilFindings(document, [{ code: 'AC101', line: 3, underlined: 'checkpoint' }]);
    // The option came with 1.11.
    await write(vscode.Uri.joinPath(project, 'requirements.txt'), 'torch==1.10.0\n');
    await untilFindings(document, []);
  });
});
