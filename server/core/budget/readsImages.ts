import { familyNamed } from '../families/generated/registry.ts';

/** Whether models of a family read images of their configuration's size: the run's sequence then plays no part. */
export const readsImages = (family: string): boolean => familyNamed(family)?.readsImages === true;
