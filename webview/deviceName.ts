import type { Device } from '../server/core/devices/device.ts';
import type { ByteUnits } from '../server/core/report/quantities.ts';
import { formatBytes } from './format.ts';
import { t } from './l10n.ts';

/** What a device is called in a sentence; of one that has no name its memory. */
export const deviceOf = ({ id, name, memoryBytes }: Device, units: ByteUnits): string =>
  id === 'custom' ? t('a device with {0}', formatBytes(memoryBytes, units)) : name;
