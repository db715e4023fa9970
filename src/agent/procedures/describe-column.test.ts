import { describe, expect, it } from 'vitest';
import { describeColumn, describeField } from './describe-column.ts';

describe('summarizing a column', () => {
  it.each([
    [['1', '2', ' 3 '], { type: 'integer', smallest: '1', largest: '3', mean: 2 }],
    [['1.5', '-2e3'], { type: 'number', smallest: '-2000', largest: '1.5' }],
    [['yes', 'No'], { type: 'boolean' }],
    [
      ['2024-01-01', '2023-12-31T10:00Z'],
      { type: 'date', smallest: '2023-12-31T10:00Z', largest: '2024-01-01' },
    ],
    [['1', 'x'], { type: 'text', smallest: '1', largest: 'x' }],
    [['', 'N/A', 'null'], { type: 'empty', filled: 0, missing: 3 }],
    [['12345678901234567890'], { type: 'number' }],
  ])('of %j', (cells, expected) => {
    expect(describeColumn('c', cells)).toMatchObject(expected);
  });

  it('counts distinct values up to its limit', () => {
    const cells = Array.from({ length: 5_000 }, (_, i) => String(i));
    expect(describeColumn('c', cells)).toMatchObject({
      distinct: 1_000,
      manyDistinct: true,
      largest: '4999',
    });
  });

  it.each([
    [['1', '2'], { type: 'text' }],
    [[1, '2'], { type: 'mixed' }],
    [[1, null, undefined], { type: 'integer', filled: 1, missing: 2 }],
    [[{}, []], { type: 'nested', filled: 2 }],
    [[{}, 1], { type: 'mixed' }],
    [[null], { type: 'empty', missing: 1 }],
  ])('of the JSON values %j', (values, expected) => {
    expect(describeField('f', values)).toMatchObject(expected);
  });
});
