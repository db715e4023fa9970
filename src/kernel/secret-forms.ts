/** Shorter values cannot be distinguished from other text. */
export const MIN_SECRET_LENGTH = 8;
const MIN_LINE_LENGTH = 16;

/** Every form in which a secret is likely to appear: plain, escaped, percent-encoded, in hex and in base64. */
export function secretForms(value: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const part of [value, ...linesOf(value)]) {
    const bytes = Buffer.from(part, 'utf8');
    for (const form of [part, ...jsonForms(part), ...percentForms(part, bytes), ...base64Forms(bytes)])
      if (form.length >= MIN_SECRET_LENGTH) forms.add(form);
    forms.add(bytes.toString('hex')).add(bytes.toString('hex').toUpperCase());
    bytes.fill(0);
  }
  return forms;
}

/** A multi-line value is often printed line by line, indented or with other line ends. */
function linesOf(value: string): readonly string[] {
  if (!/[\r\n]/.test(value)) return [];
  return value
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= MIN_LINE_LENGTH && !line.startsWith('-----'));
}

/** Inside a JSON string, and inside a JSON string nested in another. */
function jsonForms(value: string): readonly string[] {
  const once = jsonEscapes(value);
  return [...once, ...once.flatMap(jsonEscapes)];
}

function jsonEscapes(value: string): readonly string[] {
  const plain = JSON.stringify(value).slice(1, -1);
  const ascii = (upper: boolean): string =>
    plain.replaceAll(/[^ -~]/g, (unit) => {
      const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${upper ? digits.toUpperCase() : digits}`;
    });
  return [plain, ascii(false), ascii(true), plain.replaceAll('/', '\\/')];
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

/** Characters to skip at the start, by alignment, because they share bits with the preceding bytes. */
const SHARED_WITH_BEFORE = [0, 2, 3];

/**
 * Base64 of the bytes alone, and the part of it that does not depend on the surrounding bytes, in each of the three
 * alignments.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64');
  const inside = SHARED_WITH_BEFORE.map((skipped, shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const text = shifted.toString('base64').slice(skipped, Math.floor((shifted.length * 8) / 6));
    shifted.fill(0);
    return text;
  });
  const standard = [whole, whole.replace(/=+$/, ''), ...inside];
  return [...standard, ...standard.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}
