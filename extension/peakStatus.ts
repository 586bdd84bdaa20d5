import * as vscode from 'vscode';
import type { Device } from '../server/core/devices/device.ts';
import { fitSentence } from '../server/core/report/fitSentence.ts';
import { bytesText } from '../server/core/report/quantities.ts';
import { type PeakAnswer, type PeakParams, peakMethod } from '../server/protocol.ts';
import type { FileFacts } from '../webview/protocol.ts';
import { chosenDevice } from './chooseDevice.ts';
import type { ServerClient } from './client.ts';

export interface PeakStatus extends vscode.Disposable {
  /** The run that the panel shows is another one now, or the same as other code says it. */
  readonly show: (shown: FileFacts | undefined) => void;
  /** Another device was chosen. */
  readonly refresh: () => void;
}

/** The peak of a training step in the status bar, for the run that the panel shows; nothing where no code says its sizes. */
export function peakStatus(memory: vscode.Memento, server: ServerClient): PeakStatus {
  const item = vscode.window.createStatusBarItem('checkpointLens.peak', vscode.StatusBarAlignment.Right, 90);
  item.name = vscode.l10n.t('Training memory');
  item.command = 'checkpointLens.openPanel';
  let shown: FileFacts | undefined;
  const refresh = async (): Promise<void> => {
    const asked = shown;
    const device = chosenDevice(memory);
    const peak = asked?.facts?.model && (await peakOf(asked, device, server));
    if (asked !== shown) return;
    if (peak) fill(item, asked, peak, device);
    else item.hide();
  };
  const ignored = (): void => item.hide();
  return {
    show(now) {
      shown = now;
      refresh().catch(ignored);
    },
    refresh: () => void refresh().catch(ignored),
    dispose: () => item.dispose(),
  };
}

const peakOf = ({ uri }: FileFacts, device: Device | undefined, server: ServerClient): Promise<PeakAnswer> =>
  server.requestAbout(peakMethod, vscode.Uri.parse(uri, true), { ...(device && { device }) } satisfies Omit<
    PeakParams,
    'uri'
  >);

type Peak = NonNullable<PeakAnswer>;

function fill(item: vscode.StatusBarItem, { name, facts }: FileFacts, peak: Peak, device: Device | undefined): void {
  const { t } = vscode.l10n;
  const expected = bytesText(peak.expectedBytes);
  const capacity = device && bytesText(device.memoryBytes);
  const fits =
    peak.verdict &&
    device &&
    fitSentence(
      peak.verdict,
      device.id === 'custom' ? t('a device with {0}', capacity ?? '') : device.name,
      bytesText,
      t,
    );
  const isOver = peak.verdict?.outcome === 'over';
  item.text = `$(layers) ${capacity === undefined ? expected : t('{0} of {1}', expected, capacity)}`;
  item.backgroundColor = isOver ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  const range = t('{0} to {1}', bytesText(peak.lowBytes), bytesText(peak.highBytes));
  const what = t('Peak of a training step of {0} in {1}: {2}', facts?.model?.name.value ?? '', name, range);
  item.tooltip = [what, ...(fits ? [fits] : []), t('Click for the memory panel')].join('\n');
  item.accessibilityInformation = {
    label: [t('Training memory'), item.text.replace('$(layers) ', ''), fits ?? ''].join(', '),
  };
  item.show();
}
