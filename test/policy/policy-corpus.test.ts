import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOkaError } from '../../src/kernel/index.ts';
import { parsePolicy, printMatch, printPolicy, readPolicy } from '../../src/policy/index.ts';
import { BAD_POLICIES } from './bad-policies.ts';
import { GOOD_POLICIES } from './good-policies.ts';

function rulesOf(text: string): string[] {
  return parsePolicy({ file: 'POLICY.md', text }).map(
    ({ line, decision, match }) => `${line} ${decision} ${printMatch(match)}`,
  );
}

describe('a policy that can be enforced', () => {
  test.each(GOOD_POLICIES)('is read: $name', ({ text, rules }) => {
    expect(rulesOf(text)).toEqual(rules);
  });

  test.each(GOOD_POLICIES)('reads the same when it is printed: $name', ({ text }) => {
    const rows = parsePolicy({ file: 'POLICY.md', text });
    const again = parsePolicy({ file: 'POLICY.md', text: printPolicy(rows) });
    const bare = (list: typeof rows) => list.map(({ match, decision, why }) => ({ match, decision, why }));
    expect(bare(again)).toEqual(bare(rows));
  });
});

describe('a policy that cannot be enforced', () => {
  test.each(BAD_POLICIES)('is refused with its place: $name', ({ text, line, column, says }) => {
    const [first] = readPolicy({ file: 'POLICY.md', text }).problems;
    expect(first).toEqual({ line, column, message: expect.stringContaining(says) });
    expect(first?.message).toMatch(/expected|leave/);
  });

  test('is refused as a whole, with every problem', () => {
    const text =
      '| match | decision | why |\n|---|---|---|\n| a | no | x |\n| b | ask | x |\n| C | deny | x |\n';
    let refused: unknown;
    try {
      parsePolicy({ file: 'POLICY.md', text });
    } catch (error) {
      refused = error;
    }
    if (!isOkaError(refused, 'policy.invalid')) throw new Error('it was not refused');
    expect(refused.message).toContain('POLICY.md');
    expect(refused.message).toContain('Line 3, column 7');
    expect(refused.message).toContain('There are 1 more');
    expect(refused.data['problems']).toMatchObject([{ line: 3 }, { line: 5 }]);
  });
});

test.each(['formats/policy.md', 'guides/safety.md'])('the examples of docs/%s can be enforced', (page) => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', page), 'utf8');
  const examples = [...text.matchAll(/^```markdown\n([\s\S]*?)^```/gm)].map((found) => found[1] as string);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples)
    expect(parsePolicy({ file: page, text: example }).length).toBeGreaterThan(0);
});
