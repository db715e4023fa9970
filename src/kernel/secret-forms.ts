import { base64Parts } from './encoded-secrets.ts';

/** Shorter values cannot be distinguished from other text. */
export const MIN_SECRET_LENGTH = 8;
const MIN_LINE_LENGTH = 16;

/**
 * Every form in which a secret is likely to appear: plain, reversed, escaped, percent-encoded, in hex and in base64. Longer secrets are
 * also found by `EncodedSecrets`; these forms hold for short ones too.
 */
export function secretForms(value: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const part of [value, ...linesOf(value)]) {
    const bytes = Buffer.from(part, 'utf8');
    const escaped = [...jsonForms(part), ...percentForms(part, bytes), ...htmlForms(part)];
    for (const form of [part, reversed(part), ...escaped, ...base64Forms(bytes), ...hexForms(bytes)])
      if (form.length >= MIN_SECRET_LENGTH) forms.add(form);
    bytes.fill(0);
  }
  return forms;
}

/** A multi-line value is often printed line by line, indented or with other line ends. */
export function linesOf(value: string): readonly string[] {
  if (!/[\r\n]/.test(value)) return [];
  return value
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= MIN_LINE_LENGTH && !line.startsWith('-----'));
}

/** Inside a JSON string, and inside a JSON string nested in another. */
function jsonForms(value: string): readonly string[] {
  const once = jsonEscapes(value);
  return [...once, ...once.flatMap((text) => jsonEscapes(text).slice(0, 4))];
}

function jsonEscapes(value: string): readonly string[] {
  const plain = JSON.stringify(value).slice(1, -1);
  const ascii = (upper: boolean): string =>
    plain.replaceAll(/[^ -~]/g, (unit) => {
      const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${upper ? digits.toUpperCase() : digits}`;
    });
  const units = [...Array(value.length).keys()].map((i) => value.charCodeAt(i).toString(16).padStart(4, '0'));
  const everything = units.map((digits) => `\\u${digits}`).join('');
  const upper = units.map((digits) => `\\u${digits.toUpperCase()}`).join('');
  return [plain, ascii(false), ascii(true), plain.replaceAll('/', '\\/'), everything, upper];
}

function reversed(value: string): string {
  return [...value].reverse().join('');
}

/** Bytes are often grouped in pairs, with a sign between them. */
function hexForms(bytes: Buffer): readonly string[] {
  const plain = bytes.toString('hex');
  const pairs = plain.match(/../g) ?? [];
  const lower = [
    plain,
    ...[':', ' ', '-'].map((sign) => pairs.join(sign)),
    pairs.map((pair) => `\\x${pair}`).join(''),
  ];
  return [...lower, ...lower.map((text) => text.toUpperCase().replaceAll('\\X', '\\x'))];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** As HTML escapes it: the signs that it must, or everything. */
function htmlForms(value: string): readonly string[] {
  const characters = [...value];
  const hex = characters.map((one) => (one.codePointAt(0) as number).toString(16));
  const named = characters.map((one) => (ENTITIES[one] === undefined ? one : `&${ENTITIES[one]};`)).join('');
  return [
    named,
    named.replaceAll('&apos;', '&#39;'),
    named.replaceAll('&apos;', '&#x27;'),
    characters.map((one) => `&#${one.codePointAt(0)};`).join(''),
    hex.map((digits) => `&#x${digits};`).join(''),
    hex.map((digits) => `&#x${digits.toUpperCase()};`).join(''),
  ];
}

/** Encoders differ in the characters they keep, in the case of the digits, and in how they encode a space. */
function percentForms(value: string, bytes: Buffer): readonly string[] {
  const wellFormed = value.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const strict = component.replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams({ '': wellFormed }).toString().slice(1);
  const everything = bytes.toString('hex').toUpperCase().replaceAll(/../g, '%$&');
  const upper = [component, strict, form, encodeURI(wellFormed), everything];
  return [
    ...upper,
    ...upper.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase())),
  ];
}

/**
 * Base64 of the bytes alone, and the part of it that does not depend on the surrounding bytes, in each of the three
 * alignments.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64');
  const standard = [whole, whole.replace(/=+$/, ''), ...base64Parts(bytes)];
  return [...standard, ...standard.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}
