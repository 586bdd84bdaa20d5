export interface Pictures {
  /** Both base64, of any format a browser reads. */
  readonly before: string;
  readonly now: string;
  readonly squarePixels: number;
  readonly tolerance: number;
}

export interface Difference {
  /** Of the squares of the larger picture. */
  readonly share: number;
  /** PNG, base64: before, now, and now with what differs marked. */
  readonly picture: string;
}

/** Runs in a browser, which reads and writes pictures: it may use nothing from outside itself. */
export async function comparePictures({ before, now, squarePixels, tolerance }: Pictures): Promise<Difference> {
  const images = [await read(before), await read(now)] as const;
  const width = Math.max(...images.map((image) => image.width));
  const height = Math.max(...images.map((image) => image.height));
  const [means, others] = images.map(meansOf) as [number[][], number[][]];
  const columns = Math.ceil(width / squarePixels);
  const differing = means.flatMap((mean, at) =>
    mean.some((value, channel) => Math.abs(value - (others[at]?.[channel] ?? 0)) > tolerance) ? [at] : [],
  );
  return { share: differing.length / means.length, picture: drawn() };

  async function read(base64: string): Promise<HTMLImageElement> {
    const image = new Image();
    image.src = `data:image/${base64.startsWith('iVBOR') ? 'png' : 'webp'};base64,${base64}`;
    await image.decode();
    return image;
  }

  /** The mean colour of each square, row by row; what one picture has not is black. */
  function meansOf(image: HTMLImageElement): number[][] {
    const context = canvasOf(width, height);
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const squares: number[][] = [];
    for (let top = 0; top < height; top += squarePixels)
      for (let left = 0; left < width; left += squarePixels) squares.push(meanOf(data, left, top));
    return squares;
  }

  function meanOf(data: Uint8ClampedArray, left: number, top: number): number[] {
    const sums = [0, 0, 0];
    let count = 0;
    for (let y = top; y < Math.min(top + squarePixels, height); y++)
      for (let x = left; x < Math.min(left + squarePixels, width); x++) {
        for (const channel of [0, 1, 2])
          sums[channel] = (sums[channel] ?? 0) + (data[(y * width + x) * 4 + channel] ?? 0);
        count += 1;
      }
    return sums.map((sum) => sum / count);
  }

  function drawn(): string {
    const context = canvasOf(3 * width + 16, height);
    context.drawImage(images[0], 0, 0);
    context.drawImage(images[1], width + 8, 0);
    context.globalAlpha = 0.35;
    context.drawImage(images[1], 2 * width + 16, 0);
    context.fillStyle = 'red';
    context.globalAlpha = 0.7;
    for (const at of differing) {
      const left = 2 * width + 16 + (at % columns) * squarePixels;
      context.fillRect(left, Math.floor(at / columns) * squarePixels, squarePixels, squarePixels);
    }
    return context.canvas.toDataURL('image/png').split(',')[1] ?? '';
  }

  function canvasOf(wide: number, high: number): CanvasRenderingContext2D {
    const canvas = document.createElement('canvas');
    canvas.width = wide;
    canvas.height = high;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('the browser has no canvas');
    return context;
  }
}
