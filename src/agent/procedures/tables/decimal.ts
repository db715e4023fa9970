/** A decimal number: `digits` divided by ten to the power of `scale`. Sums of decimals have no rounding errors. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const ZERO: Decimal = { digits: 0n, scale: 0 };
const MAX_EXPONENT = 300;
/** The decimal places of a quotient, unless the numbers have more. */
const MIN_PLACES = 6;

/** Reads a plain number such as -12.50 or 1e3; undefined for any other text. */
export function readDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', part = '', exponent = '0'] = match;
  if (whole === '' && part === '') return undefined;
  const power = Number(exponent);
  if (Math.abs(power) > MAX_EXPONENT) return undefined;
  const digits = BigInt(`${whole}${part}`) * (sign === '-' ? -1n : 1n);
  const scale = part.length - power;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function sumOf(numbers: readonly Decimal[]): Decimal {
  return numbers.reduce((a, b) => {
    const [left, right, scale] = aligned(a, b);
    return { digits: left + right, scale };
  }, ZERO);
}

/** The mean, rounded half away from zero to six places, or to those of the numbers if they have more. */
export function meanOf(numbers: readonly Decimal[]): Decimal {
  const { digits, scale } = sumOf(numbers);
  return divide({ digits, scale }, BigInt(Math.max(1, numbers.length)));
}

/** The middle number; of an even count the mean of the two in the middle. */
export function medianOf(numbers: readonly Decimal[]): Decimal {
  const sorted = [...numbers].sort(compareDecimals);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle] ?? ZERO;
  return meanOf(sorted.slice(middle - 1, middle + 1));
}

/** The number as text, without zeros at its end. */
export function decimalText({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const plain = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = plain.slice(0, plain.length - scale);
  const part = plain.slice(plain.length - scale).replace(/0+$/, '');
  return `${sign}${whole}${part === '' ? '' : `.${part}`}`;
}

function divide({ digits, scale }: Decimal, by: bigint): Decimal {
  const places = Math.max(scale, MIN_PLACES);
  const wide = digits * 10n ** BigInt(places - scale);
  const half = (wide < 0n ? -by : by) / 2n;
  return { digits: (wide + half) / by, scale: places };
}

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  const widen = (one: Decimal): bigint => one.digits * 10n ** BigInt(scale - one.scale);
  return [widen(a), widen(b), scale];
}
