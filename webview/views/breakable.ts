import { html, type TemplateResult } from 'lit/html.js';

/** A long name that may go on in the next line behind each of its underscores. */
export const breakable = (name: string): TemplateResult | string =>
  name.includes('_') ? html`${name.split('_').map((part, at) => (at === 0 ? part : html`_<wbr>${part}`))}` : name;
