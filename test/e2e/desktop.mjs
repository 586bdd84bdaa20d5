// Runs a test suite inside desktop VS Code.   node test/e2e/desktop.mjs ROOT SUITE WORKSPACE
// Ends with `notHere` where VS Code cannot be downloaded or has no display to run on, and says why in its last line.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../../extension/host/cache.mjs';
import { isInstalled, run } from '../../extension/host/run.mjs';

/** The exit code that sysexits.h calls EX_UNAVAILABLE. */
export const notHere = 69;
const unreachable =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|timed? ?out|getaddrinfo|certificate|status code (403|407|50\d)|Failed to get JSON/i;

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await main(process.argv.slice(2)));

async function main([root, suite, workspace]) {
  const isHeadless = process.platform === 'linux' && !process.env.DISPLAY;
  if (isHeadless) {
    if (!(await isInstalled('xvfb-run'))) return unavailable('There is no display and no xvfb-run for desktop VS Code');
    const args = ['-a', process.execPath, fileURLToPath(import.meta.url), root, suite, workspace];
    return (await run('xvfb-run', args, { inherit: true, seconds: 590 })).code;
  }
  const { downloadAndUnzipVSCode, runTests, SilentReporter } = await import('@vscode/test-electron');
  let vscodeExecutablePath;
  try {
    vscodeExecutablePath = await downloadAndUnzipVSCode({
      version: process.env.VSCODE_VERSION ?? 'stable',
      cachePath: path.join(cacheFolder(), 'desktop'),
      reporter: new SilentReporter(),
      timeout: 20_000,
    });
  } catch (error) {
    if (!unreachable.test(String(error?.stack ?? error))) throw error;
    return unavailable(`Desktop VS Code cannot be downloaded here (${String(error?.message ?? error).split('\n')[0]})`);
  }
  const profile = mkdtempSync(path.join(os.tmpdir(), 'lens-'));
  try {
    return await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: root,
      extensionTestsPath: suite,
      launchArgs: [
        workspace,
        '--disable-extensions',
        '--disable-workspace-trust',
        ...['--user-data-dir', profile],
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
      extensionTestsEnv: { E2E_RESULTS: process.env.E2E_RESULTS },
    });
  } catch (error) {
    // A failed suite arrives as an exception; what failed is in the results file.
    console.error(error);
    return 1;
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

function unavailable(why) {
  console.log(why);
  return notHere;
}
