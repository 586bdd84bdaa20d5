// The panel in a plain browser, for development.
//   node webview/preview.mjs                  serves it on 127.0.0.1 and prints the address
//   node webview/preview.mjs --shots FOLDER   writes a picture for each theme and width
import { createReadStream, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const types = { '.html': 'text/html', '.js': 'text/javascript' };

const server = createServer((request, response) => {
  const file = path.join(root, path.normalize(new URL(request.url ?? '/', 'http://localhost').pathname));
  const type = types[path.extname(file)];
  if (type === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
  createReadStream(file)
    .on('error', () => response.end())
    .pipe(response);
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const address = `http://127.0.0.1:${server.address().port}/webview/preview.html`;

const at = process.argv.indexOf('--shots');
if (at === -1) console.log(address);
else {
  await takeShots(process.argv[at + 1] ?? 'out/shots');
  server.close();
}

async function takeShots(folder) {
  const { chromium } = await import('playwright-core');
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const shots = [
    ...['dark', 'light', 'hc-dark', 'hc-light'].flatMap((theme) =>
      [300, 450].map((width) => ({ theme, width, facts: 'gpt2' })),
    ),
    ...[220, 300, 600].map((width) => ({ theme: 'dark', width, facts: 'llama' })),
    ...['stale', 'run', 'none', 'nothing'].map((facts) => ({ theme: 'dark', width: 300, facts })),
    { theme: 'light', width: 300, facts: 'gpt2', changed: true },
  ];
  for (const { theme, width, facts, changed } of shots) {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.on(
      'console',
      (message) => message.type() === 'error' && console.error(`${theme} ${facts}: ${message.text()}`),
    );
    page.on('pageerror', (error) => console.error(`${theme} ${facts}: ${error.message}`));
    await page.goto(`${address}?theme=${theme}&facts=${facts}`);
    await page.waitForSelector('main > *');
    if (changed) await page.fill('[data-test=input-batch]', '16');
    await page.screenshot({
      path: path.join(folder, `${facts}-${theme}-${width}${changed ? '-changed' : ''}.png`),
      fullPage: true,
    });
    await page.close();
  }
  await browser.close();
}
