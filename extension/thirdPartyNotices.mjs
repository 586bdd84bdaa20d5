import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Shipped as files rather than bundled, so no metafile names them. */
const shippedAsFiles = ['node_modules/web-tree-sitter', 'node_modules/tree-sitter-python'];

/**
 * The licences of all packages whose code is in the bundles, as they ask to be reproduced.
 * @param {string} root
 * @param {readonly { inputs: Record<string, unknown> }[]} metafiles what esbuild read for each bundle
 */
export function thirdPartyNotices(root, metafiles) {
  const bundled = metafiles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap(packageFolder);
  const folders = [...new Set([...bundled, ...shippedAsFiles])].sort();
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(path.join(root, folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text =
      file === undefined ? 'The package has no licence file.' : readFileSync(path.join(root, folder, file), 'utf8');
    return `${name} ${version} (${license})\n\n${text.trim()}`;
  });
  const line = '-'.repeat(80);
  return `Checkpoint Lens contains code of these packages.\n\n${notices.join(`\n\n${line}\n\n`)}\n`;
}

/** `node_modules/@scope/name` of a file inside it, nested ones included. */
function packageFolder(file) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.slice(0, 1) ?? [];
}
