/** Translations by English text, `{0}` standing for what is filled in; empty for English itself. */
export type Strings = Readonly<Record<string, string>>;

let strings: Strings = {};

/** Sets the language, once, before anything is drawn. */
export const useStrings = (bundle: Strings): void => {
  strings = bundle;
};

/** A text of the panel in the person's language; `{0}`, `{1}` … are replaced by `values`. The text is the key. */
export const t = (text: string, ...values: readonly (string | number)[]): string =>
  (strings[text] ?? text).replaceAll(/\{(\d)\}/g, (whole, at) => String(values[Number(at)] ?? whole));
