import { isAtLeast, type Versions, versionText } from '../torch/version.ts';
import type { Variant } from './checkpointingReading.ts';

/**
 * The variant that transformers takes where nothing says which: reentrant before 5.0 (torch's own default up to 4.37, an
 * explicit `use_reentrant=True` from 4.38), the other one since. Undefined where the version is not known.
 */
export const variantOfTransformers = ({ transformers }: Versions): Variant | undefined =>
  transformers && (transformers.major < 5 ? 'reentrant' : 'non-reentrant');

/**
 * The same for a trainer. TRL's ask for the non-reentrant variant themselves since 0.27; older ones leave it to transformers,
 * so that under transformers 4 TRL's own version decides.
 */
export function variantOfTrainer(library: 'transformers' | 'trl', versions: Versions): Variant | undefined {
  if (library === 'trl' && isAtLeast(versions.trl, 0, 27)) return 'non-reentrant';
  const variant = variantOfTransformers(versions);
  return library === 'trl' && variant === 'reentrant' && versions.trl === undefined ? undefined : variant;
}

/** What a person reads beside a variant that only versions decide. */
export function variantNote(versions: Versions, variant: Variant): string {
  const library = variantOfTransformers(versions) === variant ? 'transformers' : 'trl';
  const version = versions[library];
  return `no option says which variant runs: ${library}${version === undefined ? '' : ` ${versionText(version)}`} takes the ${variant} one`;
}
