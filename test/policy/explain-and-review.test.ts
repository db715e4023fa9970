import { describe, expect, test } from 'vitest';
import { explainPolicy, reviewPolicy } from '../../src/policy/index.ts';
import { face, policyFrom, request } from './kit.ts';

const send = face('mail.send', 'external_mutation');

describe('an explanation', () => {
  test('lists every matching rule, which one decided, and the decision without them', () => {
    const policy = policyFrom({
      user: ['mail.send | allow', 'files.* | deny'],
      project: ['* | allow', 'mail.* | ask', 'mail.send and state is act | ask'],
    });
    const explained = explainPolicy(policy, request(send));
    expect(explained).toMatchObject({
      decision: 'ask',
      rule: 'POLICY.md:4',
      why: 'said so',
      sideEffect: 'external_mutation',
      risk: 'low',
      default: { decision: 'ask', rule: 'external_mutation' },
    });
    expect(explained.matches.map(({ rule, decided, note }) => [rule, decided, note])).toEqual([
      ['OKA_HOME/POLICY.md:3', false, 'POLICY.md:4 is stronger'],
      ['POLICY.md:3', false, 'a workspace can only tighten, so its allow has no effect'],
      ['POLICY.md:4', true, undefined],
      ['POLICY.md:5', false, 'POLICY.md:4 comes first'],
    ]);
  });

  test('marks a rule that matches only because the match is uncertain', () => {
    const policy = policyFrom({ user: ['mail.send and input.to is ann | deny'] });
    const [matched] = explainPolicy(policy, request(send, {})).matches;
    expect(matched?.note).toContain('the match is uncertain');
    expect(explainPolicy(policy, request(send, { to: 'ann' })).matches[0]).not.toHaveProperty('note');
  });

  test('says why an allow does not apply to high risk', () => {
    const policy = policyFrom({ user: ['* | allow'] });
    const explained = explainPolicy(policy, request(face('x', 'external_mutation', 'critical')));
    expect(explained).toMatchObject({ decision: 'ask', rule: 'risk' });
    expect(explained.matches[0]?.note).toBe('a person is always asked from high risk on');
  });
});

describe('a review', () => {
  const tools = [
    send,
    face('files.write', 'write_local'),
    face('disk.format', 'external_mutation', 'critical'),
  ];
  const review = (rows: Parameters<typeof policyFrom>[0]) =>
    reviewPolicy(policyFrom(rows).rules, tools).map(({ effective, warnings }) => [
      effective,
      warnings.join(' '),
    ]);
  const fine = [true, ''];

  test('finds nothing in rules that work as written', () => {
    const rows = {
      user: ['mail.send and input.to is ann | allow', 'mail.send | ask'],
      project: ['files.write and path in a/** | deny'],
    };
    expect(review(rows)).toEqual([
      [false, expect.stringContaining('OKA_HOME/POLICY.md:4 (ask)')],
      fine,
      fine,
    ]);
    expect(review({ user: ['mail.send | allow', 'mail.send and input.to is ann | ask'] })).toEqual([
      fine,
      fine,
    ]);
  });

  test("finds a workspace's allow", () => {
    expect(review({ project: ['mail.send | allow'] })).toEqual([
      [false, 'has no effect: a workspace can only tighten'],
    ]);
  });

  test('finds a rule that another always overrides', () => {
    expect(review({ user: ['mail.* | deny', 'mail.send and state is act | deny', 'm*.send | ask'] })).toEqual(
      [fine, [false, expect.stringContaining('OKA_HOME/POLICY.md:3 (deny) applies wherever it does')], fine],
    );
    expect(review({ user: ['mail.send | allow'], project: ['mail.* | deny'] })).toEqual([
      [false, expect.stringContaining('POLICY.md:3 (deny)')],
      fine,
    ]);
  });

  test('finds the second of two equal rows, and not the first', () => {
    expect(review({ user: ['mail.send | ask', 'mail.send | ask'] })).toEqual([
      fine,
      [false, expect.stringContaining('OKA_HOME/POLICY.md:3')],
    ]);
  });

  test('finds an allow for a call that always asks', () => {
    expect(review({ user: ['disk.format | allow'] })).toEqual([
      [false, 'has no effect: a person is always asked from high risk on'],
    ]);
  });

  test('finds names that no tool has', () => {
    expect(review({ user: ['mail.sned | deny', 'mcp.github.* | deny'] })).toEqual([
      [true, 'no tool fits mail.sned now; did you mean mail.send?'],
      [true, 'no tool fits mcp.github.* now'],
    ]);
  });

  test('finds a condition on an input that most tools do not have', () => {
    const [[effective, warning]] = review({ project: ['* and path in a/** | deny'] }) as [[boolean, string]];
    expect(effective).toBe(true);
    expect(warning).toContain('"path in a/**" is unknown');
  });
});
