import * as vscode from 'vscode';
import type { Device } from '../server/core/devices/device.ts';
import { customDevice, devices } from '../server/core/devices/devices.ts';
import { findDevice } from '../server/core/devices/findDevice.ts';
import { bytesText } from '../server/core/report/quantities.ts';

const stored = 'checkpointLens.device';

/** What is kept in the workspace: the key of a known device, or the memory of one that is not. */
type Kept = { readonly id: string } | { readonly memoryBytes: number };

/** The device that was chosen for this workspace. */
export function chosenDevice(memory: vscode.Memento): Device | undefined {
  const kept = memory.get<Kept>(stored);
  if (kept === undefined) return undefined;
  return 'id' in kept ? devices.find(({ id }) => id === kept.id) : customDevice(kept.memoryBytes);
}

interface Item extends vscode.QuickPickItem {
  /** Undefined where the item is to choose no device. */
  readonly device?: Device;
  /** Says what could be typed; it cannot be chosen. */
  readonly isHint?: true;
}

/**
 * Lets the person pick from the known devices, or type an amount of memory (`24 GB`, `11 GiB`), and keeps the choice.
 * @returns whether something was chosen
 */
export async function chooseDevice(memory: vscode.Memento): Promise<boolean> {
  const current = chosenDevice(memory);
  const item = await pick(current);
  if (item === undefined) return false;
  const { device } = item;
  const kept: Kept | undefined =
    device === undefined ? undefined : device.id === 'custom' ? { memoryBytes: device.memoryBytes } : { id: device.id };
  await memory.update(stored, kept);
  return true;
}

function pick(current: Device | undefined): Promise<Item | undefined> {
  const input = vscode.window.createQuickPick<Item>();
  const known = items(current);
  input.title = vscode.l10n.t('Training device');
  input.placeholder = vscode.l10n.t('A device, a MIG slice, or memory such as 24 GB');
  input.matchOnDescription = true;
  input.items = known;
  const isCurrent = known.find(({ device }) => device !== undefined && device.id === current?.id);
  if (isCurrent !== undefined) input.activeItems = [isCurrent];
  return new Promise((resolve) => {
    input.onDidChangeValue((typed) => {
      input.items = itemsFor(typed, known);
    });
    input.onDidAccept(() => {
      if (input.selectedItems[0]?.isHint === true) return;
      resolve(input.selectedItems[0]);
      input.hide();
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}

/** VS Code shows what has the typed letters in it; people also write `a100-40g` and `8xH100`, as job scripts do. */
function itemsFor(typed: string, known: readonly Item[]): readonly Item[] {
  const custom = customItem(typed);
  if (custom !== undefined) return [custom, ...known];
  const { candidates } = findDevice(typed);
  const meant = new Set(candidates.map(({ id }) => id));
  const isShown = ({ label, description = '' }: Item): boolean =>
    `${label} ${description}`.toLowerCase().includes(typed.trim().toLowerCase());
  if (meant.size === 0 && !known.some(isShown)) return [{ ...hint(), alwaysShow: true }, ...known];
  return known.map((item) => (item.device && meant.has(item.device.id) ? { ...item, alwaysShow: true } : item));
}

const hint = (): Item => ({
  label: vscode.l10n.t('No known device is called that'),
  detail: vscode.l10n.t('Its memory is enough: type 24 GB, or 11 GiB'),
  isHint: true,
});

function items(current: Device | undefined): readonly Item[] {
  const whole = devices.filter(({ slice }) => slice === undefined);
  const slices = devices.filter(({ slice }) => slice !== undefined);
  return [
    ...(current?.id === 'custom' ? [itemOf(current)] : []),
    ...whole.map(itemOf),
    separator(vscode.l10n.t('MIG slices')),
    ...slices.map(itemOf),
    ...(current === undefined ? [] : [separator(''), { label: vscode.l10n.t('No device'), alwaysShow: true }]),
  ];
}

const itemOf = (device: Device): Item => ({
  label: device.name,
  description: memoryOf(device),
  device,
});

/** What torch reports: in the unit that the panel starts with, and in the one of torch's own messages. */
const memoryOf = ({ memoryBytes }: Device): string =>
  `${bytesText(memoryBytes, 'decimal')} · ${bytesText(memoryBytes, 'binary')}`;

/** `24`, `24 GB`, `11.5 GiB`; a bare number is gigabytes. */
function customItem(typed: string): Item | undefined {
  const match = /^\s*(\d+(?:[.,]\d+)?)\s*(g|gb|gib)?\s*$/i.exec(typed);
  if (match === null) return undefined;
  const unit = match[2]?.toLowerCase() === 'gib' ? 2 ** 30 : 1e9;
  const device = customDevice(Math.round(Number(match[1]?.replace(',', '.')) * unit));
  return (
    device && {
      label: vscode.l10n.t('A device with {0}', typed.trim()),
      description: memoryOf(device),
      device,
      alwaysShow: true,
    }
  );
}

const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
