import { CronPattern } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOkaError } from '../kernel/index.ts';
import { normalizeCron, parseCron } from './cron.ts';

function refusal(expression: string): { code: string; message: string; data: unknown } {
  try {
    parseCron(expression);
  } catch (error) {
    if (isOkaError(error)) return error;
    throw error;
  }
  throw new Error(`${expression} was accepted`);
}

describe('parseCron', () => {
  it.each([
    ['@hourly', '0 0 * * * *'],
    ['@daily', '0 0 0 * * *'],
    ['@Midnight', '0 0 0 * * *'],
    ['@weekly', '0 0 0 * * 0'],
    ['@monthly', '0 0 0 1 * *'],
    ['@yearly', '0 0 0 1 1 *'],
    [' @annually ', '0 0 0 1 1 *'],
    ['0 9 * * mon-fri', '0 0 9 * * 1-5'],
    ['0 9 * * sat-sun', '0 0 9 * * 6-7'],
    ['0 9 ? jan,JUL fri#2', '0 0 9 * 1,7 5#2'],
    ['0\t9  L * 5L', '0 0 9 L * 5#L'],
    ['30 0 9 15W * +MON', '30 0 9 15W * +1'],
    ['0 9 LW * *', '0 0 9 LW * *'],
  ])('parses %s', (expression, plain) => {
    expect(normalizeCron(expression)).toBe(plain);
    expect(parseCron(expression).next(0)).toBeTypeOf('number');
  });

  it.each([
    ['60 * * * *', 'minute', '60 is above 59'],
    ['0 24 * * *', 'hour', '24 is above 23'],
    ['0 0 0 * *', 'day-of-month', '0 is below 1'],
    ['0 0 1 13 *', 'month', '13 is above 12'],
    ['0 0 * * 8', 'day-of-week', '8 is above 7'],
    ['75 0 0 * * *', 'second', '75 is above 59'],
    ['0 17-9 * * *', 'hour', 'the range goes backwards; write 17-23,0-9'],
    ['5/15 * * * *', 'minute', 'a step needs a range; write 5-59/15'],
    ['*/0 * * * *', 'minute', 'a step goes from 1 to 60'],
    ['0 0 * * friday', 'day-of-week', 'write FRI'],
    ['0 0 * * ,1', 'day-of-week', 'it is not a value, a range or a step'],
    ['0 9L * * *', 'hour', 'it is not a number'],
  ])('names the wrong field of %s, its range and an example', (expression, field, problem) => {
    const { code, message, data } = refusal(expression);
    expect(code).toBe('schedule.invalid_cron');
    expect(data).toMatchObject({ cron: expression, field });
    expect(message).toContain(`the ${field} field: ${problem}`);
    expect(message).toMatch(/The field takes \d+ to \d+.*for example ".+"\.$/);
  });

  it('rejects other counts than five or six fields', () => {
    expect(refusal('* * * *').message).toContain('it has 4 fields; write five');
    expect(refusal('0 0 0 1 1 * 2030').message).toContain('it has 7 fields; write five');
    expect(refusal('').message).toContain('it has 0 fields; write five');
  });

  it('suggests the nearest alias', () => {
    expect(refusal('@dayly').message).toContain('use @daily.');
  });

  it.each(['0 0 30 2 *', '0 0 31 4,6,9,11 *', '0 0 31W 2 *'])(
    'rejects %s because it never fires',
    (expression) => {
      expect(refusal(expression).code).toBe('schedule.never_fires');
    },
  );

  it('accepts a weekday next to a day that does not exist', () => {
    const february = parseCron('0 0 30 2 MON').next(Date.UTC(2026, 0, 1));
    expect(february).toBe(Date.UTC(2026, 1, 2));
  });

  it('finds the same matches backwards and forwards', () => {
    const cron = parseCron('7 */5 3-9,20 * * MON-THU');
    const forwards: number[] = [];
    const start = Date.UTC(2026, 4, 1);
    for (let wall = cron.next(start); forwards.length < 50; wall = cron.next(wall as number))
      forwards.push(wall as number);
    const end = cron.next(forwards.at(-1) as number) as number;
    expect(cron.previous(end, 50)).toEqual(forwards.toReversed());
  });

  const anyField = (min: number, max: number): fc.Arbitrary<string> => {
    const value = fc.integer({ min: min, max: max });
    const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
    const step = fc.integer({ min: 1, max: Math.min(7, max) });
    const item = fc.oneof(
      value.map(String),
      range,
      fc.tuple(fc.oneof(fc.constant('*'), range), step).map(([from, by]) => `${from}/${by}`),
    );
    return fc.oneof(
      fc.constant('*'),
      fc.array(item, { minLength: 1, maxLength: 3 }).map((all) => all.join()),
    );
  };
  const anyCron = fc
    .tuple(anyField(0, 59), anyField(0, 23), anyField(1, 31), anyField(1, 12), anyField(0, 7))
    .map((fields) => fields.join(' '));

  it('produces only expressions that the library parses to the same pattern', () => {
    fc.assert(
      fc.property(anyCron, (expression) => {
        const ours = new CronPattern(normalizeCron(expression));
        const theirs = new CronPattern(expression);
        for (const part of ['second', 'minute', 'hour', 'day', 'month', 'dayOfWeek'] as const)
          expect(ours[part]).toEqual(theirs[part]);
      }),
      { numRuns: 300 },
    );
  });

  it('parses any text or fails with its own error code', () => {
    const pieces = fc.constantFrom(
      '*',
      '/',
      '-',
      ',',
      '#',
      'L',
      'W',
      '?',
      '+',
      '@',
      'MON',
      'JAN',
      '5',
      '61',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (found) => {
        try {
          parseCron(found.join(''));
        } catch (error) {
          expect((error as { code?: string }).code).toMatch(/^schedule\.(invalid_cron|never_fires)$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
