import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderTemplate, templatePaths } from '../kernel/index.ts';
import { hasTemplate, hasUnclosedTemplate, isWholeTemplate, pathsIn } from './template-values.ts';

const texts = fc
  .array(fc.constantFrom('{', '{{', '}}', '}', ' ', '\n', 'a', 'a.b', '{{a}}', '{{ a.b }}', '\u00a0'), {
    maxLength: 10,
  })
  .map((parts) => parts.join(''));

it('finds the same templates as the kernel fills', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(pathsIn(text)).toEqual(templatePaths(text));
      expect(hasTemplate([{ deep: text }])).toBe(templatePaths(text).length > 0);
    }),
    { numRuns: 2_000 },
  );
});

it('calls a template whole exactly if the kernel keeps the type of its value', () => {
  const scope = { a: { b: 1 } };
  for (const text of ['{{a}}', '{{ a.b }}', ' {{a}}', '{{a}}{{a}}', 'x{{a}}', '{{a}', 'a'])
    expect(isWholeTemplate(text)).toBe(typeof renderTemplate(text, scope) !== 'string');
});

it('finds an unclosed template', () => {
  expect(['{{a}} {{b', '{{', '{{{a}}'].map(hasUnclosedTemplate)).toEqual([true, true, false]);
  expect(['{{a}}', '{"a": {"b": 1}}', ''].map(hasUnclosedTemplate)).toEqual([false, false, false]);
});
