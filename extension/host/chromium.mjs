import { existsSync } from 'node:fs';
import { isInstalled, run } from './run.mjs';

const installCommand = 'apt-get install -y chromium';
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A Chromium to drive: $CHROMIUM, else the usual places, else Debian's by apt as root; else it says what to run. */
export async function ensureChromium(log = console.log) {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.env.CHROMIUM) throw new Error(`There is no $CHROMIUM at ${process.env.CHROMIUM}`);
  const isRoot = process.getuid?.() === 0;
  if (!existsSync('/etc/debian_version') || !isRoot || !(await isInstalled('apt-get')))
    throw new Error(
      `Chromium is missing. Run: ${process.platform === 'linux' ? `sudo ${installCommand}` : 'install Google Chrome, or set CHROMIUM'}`,
    );
  log('Installing Chromium by apt, about 100 MB');
  await apt('apt-get update -q');
  await apt(`${installCommand} -q --no-install-recommends`);
  const installed = findChromium();
  if (installed === undefined) throw new Error(`${installCommand} brought no Chromium`);
  return installed;
}

const findChromium = () =>
  process.env.CHROMIUM
    ? [process.env.CHROMIUM].find((place) => existsSync(place))
    : usualPlaces.find((place) => existsSync(place));

async function apt(command) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, output } = await run('sh', ['-c', command], { env, seconds: 600 });
  if (code !== 0) throw new Error(`${command} ended with exit code ${code}\n${output.slice(-2000)}`);
}
