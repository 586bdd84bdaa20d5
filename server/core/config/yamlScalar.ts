/**
 * What PyYAML reads a plain scalar as. It follows YAML 1.1, and Python trainers read their files with it, so `yes` is a
 * boolean, `1_000` a number and `3e-4` a text; parsers that follow YAML 1.2 say otherwise in all three cases.
 * Source: YAML 1.1 type repository (bool, int, float, null) and PyYAML's implicit resolvers.
 */
export function plainYamlScalar(text: string): string | number | boolean | null {
  if (text === '' || text === '~' || /^(null|Null|NULL)$/.test(text)) return null;
  if (/^(true|True|TRUE|yes|Yes|YES|on|On|ON)$/.test(text)) return true;
  if (/^(false|False|FALSE|no|No|NO|off|Off|OFF)$/.test(text)) return false;
  return numberOf(text) ?? text;
}

const decimal = /^[-+]?(0|[1-9][\d_]*)$/;
const radix = /^(?<sign>[-+]?)(?:0b(?<binary>[01_]+)|0x(?<hexadecimal>[\da-fA-F_]+)|0(?<octal>[0-7_]+))$/;
/** A dot is needed, and an exponent needs its sign. */
const fraction = /^[-+]?(\d[\d_]*\.[\d_]*|\.\d[\d_]*)([eE][-+]\d+)?$/;
const sexagesimal = /^(?<sign>[-+]?)(?<parts>[1-9][\d_]*(:[0-5]?\d)+)$/;
const infinity = /^(?<sign>[-+]?)\.(inf|Inf|INF)$/;

function numberOf(text: string): number | undefined {
  if (!/^[-+.\d]/.test(text)) return undefined;
  const digits = text.replaceAll('_', '');
  if (decimal.test(text) || fraction.test(text)) return Number(digits);
  const other = radix.exec(text)?.groups;
  if (other !== undefined) {
    const [base, written] =
      other.binary !== undefined
        ? [2, other.binary]
        : other.hexadecimal !== undefined
          ? [16, other.hexadecimal]
          : [8, other.octal ?? ''];
    const value = Number.parseInt(written.replaceAll('_', ''), base);
    return Number.isNaN(value) ? undefined : signed(value, other.sign);
  }
  const clock = sexagesimal.exec(digits)?.groups;
  if (clock !== undefined) {
    const seconds = (clock.parts ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    return signed(seconds, clock.sign);
  }
  const infinite = infinity.exec(text)?.groups;
  if (infinite !== undefined) return signed(Number.POSITIVE_INFINITY, infinite.sign);
  return /^\.(nan|NaN|NAN)$/.test(text) ? Number.NaN : undefined;
}

const signed = (value: number, sign: string | undefined): number => (sign === '-' ? -value : value);
