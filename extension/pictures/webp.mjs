/** A PNG as WebP, a fifth of it or less, written by the browser itself. `quality` is from 0 to 1. */
export async function webpOf(browser, png, quality) {
  const page = await browser.newPage();
  try {
    return Buffer.from(await page.evaluate(redrawn, { data: png.toString('base64'), quality }), 'base64');
  } finally {
    await page.close();
  }
}

/** Runs in the browser: it may use nothing from outside itself. */
async function redrawn({ data, quality }) {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', quality).split(',')[1];
}
