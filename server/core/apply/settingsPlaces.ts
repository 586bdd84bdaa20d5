import type { ConfigFormat } from '../config/configFile.ts';
import { type ConfigKind, kindOf } from '../config/kind.ts';
import { parseSettings } from '../config/parseSettings.ts';
import { removeLines, replaceValue, setEntry } from '../config/setEntry.ts';
import { parseShell } from '../config/shell.ts';
import { flagListsOf } from '../config/shellFlags.ts';
import { type ConfigMapping, entryAt, mappingAt, scalarAt, switchAt } from '../config/tree.ts';
import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';
import { type ChosenStrategy, chosenText } from './chosen.ts';
import { megatronPlaces } from './megatronPlaces.ts';
import { type ApplyPlace, type Change, cannot, changeOr } from './place.ts';

/** Where the settings file of a training framework, or a script that starts Megatron-LM, says what is checkpointed. */
export function settingsPlaces(text: string, format: ConfigFormat): ApplyPlace[] {
  if (format === 'shell') return megatronPlaces(text, flagListsOf(parseShell(text)));
  const { root, unreliable } = parseSettings(text, format);
  const kind = root?.kind === 'mapping' && unreliable.length === 0 ? kindOf(root) : undefined;
  return kind === undefined || root?.kind !== 'mapping' ? [] : frameworks[kind]({ text, root });
}

type Finder = (file: { readonly text: string; readonly root: ConfigMapping }) => ApplyPlace[];

const frameworks: Readonly<Record<ConfigKind, Finder>> = {
  axolotl: ({ text, root }) => [
    place(
      'gradient_checkpointing',
      keyIn(root, 'gradient_checkpointing'),
      isSet(root, 'gradient_checkpointing'),
      ({ name, segment }) => {
        if (name === 'none')
          return set(text, root, { gradient_checkpointing: 'false' }, ['gradient_checkpointing_kwargs']);
        if (name === 'offload' && segment === 1) return set(text, root, { gradient_checkpointing: 'offload' });
        const isWhole = name === 'full' && segment === 1;
        const isOn = switchAt(root, 'gradient_checkpointing') === true;
        const variant = entryAt(root, 'gradient_checkpointing_kwargs') === undefined;
        const wanted = {
          ...(isOn ? {} : { gradient_checkpointing: 'true' }),
          ...(variant ? { gradient_checkpointing_kwargs: '{ use_reentrant: false }' } : {}),
        };
        return isWhole ? set(text, root, wanted) : 'axolotl';
      },
    ),
  ],
  llamafactory: ({ text, root }) => [
    place(
      'disable_gradient_checkpointing',
      keyIn(root, 'disable_gradient_checkpointing'),
      switchAt(root, 'disable_gradient_checkpointing') !== true,
      (chosen) => {
        const isOff = switchAt(root, 'disable_gradient_checkpointing') === true;
        if (chosen.name === 'none') return isOff ? [] : set(text, root, { disable_gradient_checkpointing: 'true' });
        if (chosen.name !== 'full' || chosen.segment !== 1) return 'LLaMA-Factory';
        return isOff ? set(text, root, { disable_gradient_checkpointing: 'false' }) : [];
      },
    ),
  ],
  torchtune: ({ text, root }) => [
    place(
      'enable_activation_checkpointing',
      keyIn(root, 'enable_activation_checkpointing'),
      isSet(root, 'enable_activation_checkpointing'),
      ({ name, segment }) => {
        const [on, off] = ['enable_activation_checkpointing', 'enable_activation_offloading'];
        const isOffloading = entryAt(root, off) !== undefined;
        if (name === 'none') return set(text, root, { [on]: 'false', ...(isOffloading && { [off]: 'false' }) });
        if (segment !== 1 || (name !== 'full' && name !== 'offload')) return 'torchtune';
        const offloads = name === 'offload';
        return set(text, root, { [on]: 'true', ...((offloads || isOffloading) && { [off]: String(offloads) }) });
      },
    ),
  ],
  accelerate: ({ text, root }) => {
    const fsdp = mappingAt(root, 'fsdp_config');
    if (fsdp === undefined) return [];
    const key = 'fsdp_activation_checkpointing';
    return [
      place(key, keyIn(fsdp, key), isSet(fsdp, key), ({ name, segment }) => {
        if (name === 'none') return set(text, fsdp, { [key]: 'false' });
        return name === 'full' && segment === 1 ? set(text, fsdp, { [key]: 'true' }) : 'FSDP';
      }),
    ];
  },
  torchtitan: ({ root }) => {
    const table = mappingAt(root, 'activation_checkpoint');
    const mode = table && entryAt(table, 'mode');
    if (table === undefined || mode === undefined) return [];
    const now = scalarAt(table, 'mode')?.value;
    return [
      place('activation_checkpoint.mode', mode, now !== 'none', ({ name, segment }) => {
        const option = { 'policy-second': 'op', 'every-second': '2' }[name as string];
        const word =
          option !== undefined ? 'selective' : name === 'none' || (name === 'full' && segment === 1) ? name : undefined;
        if (word === undefined) return 'torchtitan';
        const entry = entryAt(table, 'selective_ac_option');
        const edits = now === word ? [] : replaceValue(mode, `"${word}"`);
        if (option === undefined || scalarAt(table, 'selective_ac_option')?.value === option) return edits;
        const more = entry && replaceValue(entry, `"${option}"`);
        return edits && more && [...edits, ...more];
      }),
    ];
  },
  // Its block of options counts only where code calls deepspeed.checkpointing.
  deepspeed: () => [],
};

/** Undefined where the layout could not be followed; a text is the name of a framework that cannot say the strategy. */
type Edits = readonly TextEdit[] | undefined | string;

const place = (what: string, at: Span, isOn: boolean, edits: (chosen: ChosenStrategy) => Edits): ApplyPlace => ({
  form: 'setting',
  what,
  at,
  isOn,
  put(chosen): Change {
    const found = edits(chosen);
    if (typeof found === 'string') return cannot(`${found}’s settings have no word for ${chosenText(chosen)}`);
    return changeOr(found, `${what} stands where other settings use it, too, or in a layout that cannot be followed`);
  },
});

/** The entry of a key, or the one a mapping begins with where it has none: an editor offers a change there. */
const keyIn = (mapping: ConfigMapping, key: string): Span => entryAt(mapping, key) ?? mapping.entries[0] ?? mapping;

const isSet = (mapping: ConfigMapping, key: string): boolean => {
  const value = scalarAt(mapping, key)?.value;
  return value !== undefined && value !== null && value !== false && value !== 'false';
};

/** Entries with the values they get; those that have them already are left as they are written. */
function set(
  text: string,
  mapping: ConfigMapping,
  values: Readonly<Record<string, string>>,
  removed: readonly string[] = [],
): TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  for (const [key, literal] of Object.entries(values)) {
    const value = scalarAt(mapping, key)?.value;
    if (value !== undefined && String(value) === literal) continue;
    const more = setEntry(text, mapping, key, literal);
    if (more === undefined) return undefined;
    edits.push(...more);
  }
  for (const key of removed) {
    const entry = entryAt(mapping, key);
    const more = entry === undefined ? [] : removeLines(text, entry);
    if (more === undefined) return undefined;
    edits.push(...more);
  }
  return edits;
}
