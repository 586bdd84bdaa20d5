import type { Fact, ModelFacts } from './facts.ts';
import { isSize, type ModelReading } from './modelReading.ts';
import { fieldNamed, settingNamed } from './settings.ts';
import { factOf, lastName, type ReadValue, type Source } from './source.ts';
import { isAside, isEvaluation } from './standing.ts';

const names = ['train_crop_size', 'img_size', 'image_size', 'input_size', 'imgsz', 'crop_size'];

/**
 * A model that takes images of any size (a convolutional network) with the size the script feeds it: what training images are
 * cut to, else a setting of that name. Where nothing says it, the size the model was published with stays.
 */
export function withImageSize(source: Source, reading: ModelReading, setting: 'image_size' | 'img_size'): ModelReading {
  const { model } = reading;
  const read = model && (crop(source) ?? settingNamed(source, names) ?? fieldNamed(source, names));
  if (model === undefined || read === undefined) return reading;
  const size: Fact<number> = factOf(source, read, Number(read.value));
  const settings: ModelFacts['settings'] = { ...model.settings, [setting]: size };
  return { ...reading, model: { ...model, settings }, options: [...reading.options, ...read.options] };
}

/** `transforms.RandomResizedCrop(224)`, which is for training; a size of two numbers is left out. */
function crop(source: Source): ReadValue | undefined {
  const found = source.calls.flatMap((here) => {
    if (!/^(RandomResizedCrop|RandomCrop)$/.test(lastName(here.call.callee))) return [];
    if (!/^torchvision\.transforms\./.test(here.qualified ?? '') || isAside(source, here) || isEvaluation(here))
      return [];
    const [first] = here.call.arguments;
    const given = source.givenTo(here.call).fields.get('size')?.value;
    const read = source.read(given ?? (first?.kind === 'positional' ? first.value : here.call));
    return read !== undefined && isSize(read.value) ? [read] : [];
  });
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : undefined;
}
