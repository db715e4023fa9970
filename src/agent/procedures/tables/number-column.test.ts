import { describe, expect, it } from 'vitest';
import { decimalText, meanOf, medianOf, readDecimal, sumOf } from './decimal.ts';
import { readNumbers } from './number-column.ts';

/** The numbers of a column as texts; undefined for what is not a number. */
function read(cells: readonly string[], commaGroups = true): (string | undefined)[] {
  return readNumbers(cells, commaGroups).numbers.map((number) => number && decimalText(number));
}

const decimals = (texts: readonly string[]) =>
  texts.map((text) => readDecimal(text) ?? { digits: 0n, scale: 0 });

describe('decimals', () => {
  it('add up without rounding noise', () => {
    expect(decimalText(sumOf(decimals(['0.1', '0.2'])))).toBe('0.3');
    expect(decimalText(sumOf(decimals(['99999999999999999999', '0.01'])))).toBe('99999999999999999999.01');
    expect(decimalText(sumOf(decimals(['1e3', '-.5'])))).toBe('999.5');
  });

  it('have a mean of six places, rounded, and a median', () => {
    expect(decimalText(meanOf(decimals(['1', '1', '2'])))).toBe('1.333333');
    expect(decimalText(meanOf(decimals(['-1', '-1', '-3'])))).toBe('-1.666667');
    expect(decimalText(medianOf(decimals(['9', '1', '4', '2'])))).toBe('3');
    expect(decimalText(medianOf(decimals(['9', '1', '4'])))).toBe('4');
  });

  it('are not read from other texts', () => {
    for (const text of ['', '.', '1.2.3', 'e5', '1e999', '12a'])
      expect(readDecimal(text), text).toBeUndefined();
  });
});

describe('a column of numbers', () => {
  it('may have a currency and thousands separators', () => {
    expect(read(['$1,234.50', '$300', '-$2'])).toEqual(['1234.5', '300', '-2']);
    expect(read(["CHF 1'234.50", '12 CHF'])).toEqual(['1234.5', '12']);
    expect(read(['1.234,50 €', '0,10 €'], false)).toEqual(['1234.5', '0.1']);
    expect(read(['12%', '7.5 %'])).toEqual(['12', '7.5']);
  });

  it('infers the meaning of a comma from the whole column', () => {
    expect(read(['1,234', '2,5'], false)).toEqual(['1.234', '2.5']);
    expect(read(['1,234', '2.5'], false)).toEqual(['1234', '2.5']);
    expect(read(['1,234,567', '1,234'], false)).toEqual(['1234567', '1234']);
    expect(read(['1,234', '5,678'], true)).toEqual(['1234', '5678']);
  });

  it('treats ambiguous cells as text', () => {
    expect(readNumbers(['1,234', '5,678'], false)).toMatchObject({ others: ['1,234', '5,678'] });
    expect(readNumbers(['$5', '€7'], true)).toMatchObject({ others: ['$5', '€7'] });
    expect(readNumbers(['1,23.4', '5'], true).others).toEqual(['1,23.4']);
  });

  it('counts empty cells apart from texts', () => {
    expect(readNumbers(['1', '', 'n/a', 'abc'], true)).toMatchObject({ empty: 2, others: ['abc'] });
  });
});
