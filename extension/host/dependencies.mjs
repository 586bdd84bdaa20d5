import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

/**
 * Installs exactly what package-lock.json says, without running anybody's install scripts. Does nothing where it is
 * already there; npm writes its record of what is installed last, so an interrupted install counts as not done.
 */
export async function installLocked(root) {
  if (isUpToDate(root)) return false;
  const command = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  console.log(`npm ${command.join(' ')}  (what package-lock.json says)`);
  const { code } = await run('npm', command, { cwd: root, env: cleanNpmEnvironment(), inherit: true });
  if (code !== 0) throw new Error(`npm ci ended with exit code ${code}`);
  return true;
}

function isUpToDate(root) {
  const record = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = packagesOf(path.join(root, 'package-lock.json'));
  const installed = packagesOf(record);
  // Packages of other platforms are optional and rightly absent.
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      name === '' || (installed[name] === undefined ? optional === true : installed[name].version === version),
  );
}

const packagesOf = (lockFile) => JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};

/**
 * The environment without what an outer `npm start` or `npm test` says about its own package. Registry, proxy and
 * certificates stay: they are about this machine.
 */
export function cleanNpmEnvironment() {
  const ofOuterNpm =
    /^(npm_(package|lifecycle)_.*|npm_(command|execpath|node_execpath)|npm_config_((local_|global_)?prefix|global|omit|include|ignore_scripts|workspaces?|noproxy|user_agent|node_gyp|npm_version|init_module)|INIT_CWD|NODE_OPTIONS)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOuterNpm.test(name)));
}
