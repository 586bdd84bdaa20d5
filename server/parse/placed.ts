import type { Span } from '../core/text/span.ts';

/** What the places of all nodes of a unit count from: they move together when text is typed above them. */
export interface Origin {
  offset: number;
}

/** Where a node stood when it was read, and what has moved it since. */
interface Located {
  readonly origin: Origin;
  readonly from: number;
  readonly to: number;
}

/**
 * Makes a node that says itself where it stands now. A key typed at the top of a file would else have to be told to each of
 * the tens of thousands of nodes below. A copy made by spreading it does not have its `start` and `end`.
 */
export const placed = <const Fields extends Located>(fields: Fields): Fields & Span =>
  Object.setPrototypeOf(fields, placeOfLocated);

const placeOfLocated: Span & ThisType<Located> = {
  get start() {
    return this.origin.offset + this.from;
  },
  get end() {
    return this.origin.offset + this.to;
  },
};
