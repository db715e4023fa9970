import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../kernel/index.ts';
import { parseStructured } from './parse-structured.ts';

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, size: { type: 'integer', minimum: 0 } },
  required: ['city', 'size'],
  additionalProperties: false,
} as const;
const oslo = { city: 'Oslo', size: 700_000 };
const text = JSON.stringify(oslo);

describe('parseStructured', () => {
  it.each([
    ['the whole text', text],
    ['a text with white space around', `\n ${text} \n`],
    ['a fenced block', `Here it is:\n\`\`\`json\n${text}\n\`\`\`\nEnjoy.`],
    ['an object inside of a sentence', `I found ${text}, as you asked.`],
    ['the first object that fits', `Not {"city": 1}, nor {braces}, but ${text}.`],
  ])('accepts %s', (_, said) => {
    expect(parseStructured(said, schema)).toEqual(oslo);
  });

  it('lists every problem with its path', () => {
    expect(() => parseStructured('{"city": 5, "size": -1, "more": 1}', schema)).toThrowError(
      expect.objectContaining({
        code: 'models.malformed',
        data: expect.objectContaining({
          problems: expect.arrayContaining([
            expect.stringContaining('$.city'),
            expect.stringContaining('$.size'),
          ]),
        }),
      }),
    );
  });

  it.each(['', 'no idea', '{"city": "Oslo", "si', '{{{{'])('finds no JSON in %j', (said) => {
    expect(() => parseStructured(said, schema)).toThrowError(/it contains no JSON/);
  });

  it('reports an invalid schema as a request failure', () => {
    expect(() => parseStructured('{}', { type: 'no such type' })).toThrowError(
      expect.objectContaining({ code: 'models.request_failed', transient: false }),
    );
  });

  it('applies no defaults', () => {
    const open = { type: 'object', properties: { a: { type: 'string', default: 'x' } } } as const;
    expect(parseStructured('{"b": 1}', open)).toEqual({ b: 1 });
  });

  it('terminates on unclosed brackets', () => {
    expect(() => parseStructured('['.repeat(200_000), schema)).toThrowError(/no JSON/);
  });

  it('extracts any JSON inside a sentence', () => {
    const list = fc.array(fc.jsonValue(), { maxLength: 5 });
    fc.assert(
      fc.property(list, (value) => {
        const said = JSON.stringify(value);
        expect(parseStructured(`So: ${said} it is.`, { type: 'array' })).toEqual(JSON.parse(said) as Json);
      }),
    );
  });
});
