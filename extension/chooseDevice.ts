import * as vscode from 'vscode';
import type { Device } from '../server/core/devices/device.ts';
import { customDevice, devices } from '../server/core/devices/devices.ts';

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
      const custom = customItem(typed);
      input.items = custom === undefined ? known : [custom, ...known];
    });
    input.onDidAccept(() => {
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
  description: `${gibibytes(device.memoryBytes)} GiB`,
  device,
});

/** What torch reports, in the unit its messages have. */
const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(1);

/** `24`, `24 GB`, `11.5 GiB`; a bare number is gigabytes. */
function customItem(typed: string): Item | undefined {
  const match = /^\s*(\d+(?:[.,]\d+)?)\s*(g|gb|gib)?\s*$/i.exec(typed);
  if (match === null) return undefined;
  const unit = match[2]?.toLowerCase() === 'gib' ? 2 ** 30 : 1e9;
  const device = customDevice(Math.round(Number(match[1]?.replace(',', '.')) * unit));
  return (
    device && {
      label: vscode.l10n.t('A device with {0}', typed.trim()),
      description: `${gibibytes(device.memoryBytes)} GiB`,
      device,
      alwaysShow: true,
    }
  );
}

const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
