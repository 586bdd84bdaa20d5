import type { BudgetView } from '../derive.ts';
import { panelJson, panelMarkdown } from '../export/markdown.ts';
import { type Palette, panelPicture } from '../export/picture.ts';
import { t } from '../l10n.ts';
import type { FromPanel } from '../protocol.ts';
import type { CopyFormat } from './actions.ts';

/** What the extension is asked for when a person copies or saves; undefined where there is nothing to take. */
export async function takeOut(view: BudgetView, as: CopyFormat): Promise<FromPanel | undefined> {
  if (as === 'markdown') return { type: 'copy', text: panelMarkdown(view), what: 'Markdown' };
  if (as === 'json') return { type: 'copy', text: panelJson(view), what: 'JSON' };
  if (view.whole === undefined) return undefined;
  const picture = panelPicture(view.whole, view, themePalette());
  const name = `${view.model.name.value.replaceAll(/[^\w.-]+/g, '-')}-memory.${as}`;
  return {
    type: 'save',
    name,
    base64: as === 'svg' ? base64Of(new TextEncoder().encode(picture)) : await png(picture),
  };
}

/** The colours of the theme as it is now; parts take theirs from the style sheet, so that both are the same. */
function themePalette(): Palette {
  const probe = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  probe.append(shape);
  document.body.append(probe);
  const fillOf = (className: string): string => {
    shape.setAttribute('class', className);
    return getComputedStyle(shape).fill;
  };
  const colours = new Map(partKeys.map((key) => [key, fillOf(`memory-${key}`)]));
  const palette = {
    background: fillOf('picture-background'),
    foreground: fillOf('picture-foreground'),
    quiet: fillOf('tick'),
  };
  probe.remove();
  return { ...palette, of: (key) => colours.get(key === 'line' ? 'parameters' : key) ?? palette.quiet };
}

const partKeys = ['parameters', 'gradients', 'optimizer', 'communication', 'stored', 'running', 'head', 'allowance'];

/** Twice as large, for screens of today. @throws where the browser cannot draw it */
async function png(picture: string): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${base64Of(new TextEncoder().encode(picture))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error(t('The picture could not be drawn'));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
}

function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
