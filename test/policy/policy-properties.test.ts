import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultPolicy, RISKS, type Risk, type SideEffect, type ToolFace } from '../../src/engine/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import {
  compilePolicy,
  explainPolicy,
  type PolicyCondition,
  type PolicyDecision,
  type PolicyMatch,
  parsePolicy,
  printPolicy,
  readPolicy,
} from '../../src/policy/index.ts';
import { face, request } from './kit.ts';

const STRENGTH: readonly PolicyDecision[] = ['allow', 'ask', 'deny'];
const SIDE_EFFECTS: readonly SideEffect[] = ['read', 'write_local', 'external_mutation'];
const strength = (decision: PolicyDecision): number => STRENGTH.indexOf(decision);

const decision = fc.constantFrom(...STRENGTH);
const negated = fc.boolean();
const family = fc.constantFrom('*', 'files.*', 'files.write', '*.write', 'mcp.git_hub.*', 'f*s.w*e');
/** Texts of few letters, so that they meet each other and the inputs below. */
const name = fc.stringMatching(/^[abÜ]{1,2}$/);
const value = fc
  .oneof(
    name,
    fc.constantFrom('and', 'not', 'a b', 'a | b', 'a*', '5', 'true', 'is in'),
    fc.stringMatching(/^[\p{L}\p{N} .,;:'()|*?#-]{1,12}$/u),
  )
  .map((text) => text.normalize('NFC').trim())
  .filter((text) => text !== '');
const segment = fc.constantFrom('a', 'b', '*', 'a*', '?', '**', 'ü.md');

const condition: fc.Arbitrary<PolicyCondition> = fc.oneof(
  fc.record({
    about: fc.constant('path' as const),
    glob: fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
    negated,
  }),
  fc.record({
    about: fc.constant('host' as const),
    pattern: fc.constantFrom('a.example', '*.example', '[::1]'),
    negated,
  }),
  fc.record({
    about: fc.constant('argv' as const),
    words: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    about: fc.constant('input' as const),
    field: fc.oneof(
      fc.constantFrom<readonly (string | number)[]>(['argv', 0], ['method'], ['path'], ['list', 0, 'x']),
      fc.array(fc.constantFrom('a', 'b_c'), { minLength: 1, maxLength: 3 }),
    ),
    value,
    negated,
  }),
  fc.record({
    about: fc.constant('side effect' as const),
    value: fc.constantFrom(...SIDE_EFFECTS),
    negated,
  }),
  fc.record({ about: fc.constant('risk' as const), atLeast: fc.constantFrom(...RISKS) }),
  fc.record({ about: fc.constantFrom('agent' as const, 'state' as const, 'kind' as const), value, negated }),
);

const match: fc.Arbitrary<PolicyMatch> = fc.record({
  tool: family,
  conditions: fc.array(condition, { maxLength: 3 }),
});
const why = fc.stringMatching(/^[a-zü|* ]{0,20}$/).map((text) => text.trim());
const row = fc.record({ match, decision, why });
type Row = { readonly match: PolicyMatch; readonly decision: PolicyDecision; readonly why: string };

/** Rows of which no two contradict each other. */
const rows = fc.array(row, { maxLength: 6 }).filter((list) => isReadable(list));
const isReadable = (list: readonly Row[]): boolean =>
  readPolicy({ file: 'p', text: printPolicy(list) }).problems.every((one) => !one.message.includes('twice'));

const tool: fc.Arbitrary<ToolFace> = fc
  .tuple(
    fc.constantFrom('files.write', 'files.read', 'mcp.git_hub.open', 'x'),
    fc.constantFrom(...SIDE_EFFECTS),
    fc.constantFrom(...RISKS),
    fc.boolean(),
  )
  .map(([toolName, sideEffect, risk, destructive]) =>
    face(toolName, sideEffect, risk as Risk, { destructive: destructive && sideEffect !== 'read' }),
  );
const likelyInput = fc.record(
  {
    path: fc.oneof(fc.stringMatching(/^[abA./]{0,6}$/), fc.jsonValue()),
    to: fc.stringMatching(/^[ab./]{0,4}$/),
    url: fc.oneof(fc.constantFrom('https://a.example', 'http://b.a.example/x', 'http://[::1]/'), fc.string()),
    argv: fc.oneof(fc.array(name), fc.jsonValue()),
    method: fc.oneof(name, fc.jsonValue()),
    a: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const input = fc.oneof(likelyInput, fc.jsonValue()) as fc.Arbitrary<Json>;
const run = fc.record({ state: name, kind: name, agent: name }, { requiredKeys: [] });

const compiled = (user: readonly Row[], project: readonly Row[]) =>
  compilePolicy({
    user: { file: 'user', text: printPolicy(user) },
    project: [{ file: 'project', text: printPolicy(project) }],
    workspace: '/w',
  });

describe('any policy', () => {
  test('reads the same when it is printed', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const again = parsePolicy({ file: 'p', text: printPolicy(list) });
        expect(again.map(({ match, decision, why }) => ({ match, decision, why }))).toEqual(list);
      }),
    );
  });

  test('has a verdict about any call, and never throws', () => {
    fc.assert(
      fc.property(rows, rows, tool, input, run, (user, project, called, given, where) => {
        const policy = compiled(user, project);
        const call = request(called, given, where);
        const verdict = policy.decide(call);
        expect(STRENGTH).toContain(verdict.decision);
        expect(policy.decide(call)).toEqual(verdict);
        const { allowsDestination: _, ...said } = verdict;
        expect(explainPolicy(policy, call)).toMatchObject(said);
      }),
    );
  });

  test('decides by the strongest matching rule: deny over ask over allow', () => {
    fc.assert(
      fc.property(rows, tool, input, run, (user, called, given, where) => {
        const call = request(called, given, where);
        const { decision: decided, default: standard, matches } = explainPolicy(compiled(user, []), call);
        const strongest = Math.max(...matches.map((one) => strength(one.decision)));
        const highRisk = RISKS.indexOf(called.annotations.risk) >= RISKS.indexOf('high');
        const expected =
          matches.length === 0 || (highRisk && strongest === 0) ? standard.decision : STRENGTH[strongest];
        expect(decided).toBe(expected);
      }),
    );
  });

  test('decides the same for any order of its rows', () => {
    const shuffled = rows.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray([...list], { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, tool, input, run, ([list, other], called, given, where) => {
        const call = request(called, given, where);
        expect(compiled(other, []).decide(call).decision).toBe(compiled(list, []).decide(call).decision);
        expect(compiled([], other).decide(call).decision).toBe(compiled([], list).decide(call).decision);
      }),
    );
  });

  test('is never loosened by a workspace', () => {
    fc.assert(
      fc.property(rows, rows, tool, input, run, (user, project, called, given, where) => {
        const call = request(called, given, where);
        const without = compiled(user, []).decide(call).decision;
        const withIt = compiled(user, project).decide(call).decision;
        expect(strength(withIt)).toBeGreaterThanOrEqual(strength(without));
        const alone = compiled([], project).decide(call).decision;
        expect(strength(alone)).toBeGreaterThanOrEqual(strength(defaultPolicy.decide(call).decision));
      }),
    );
  });

  test('always asks at high risk or above', () => {
    const risky = tool.filter(({ annotations }) => RISKS.indexOf(annotations.risk) >= RISKS.indexOf('high'));
    fc.assert(
      fc.property(rows, rows, risky, input, (user, project, called, given) => {
        expect(compiled(user, project).decide(request(called, given)).decision).not.toBe('allow');
      }),
    );
  });

  test('matches no call as an allow that it would not match as a deny', () => {
    fc.assert(
      fc.property(match, tool, input, run, (one, called, given, where) => {
        const call = request(called, given, where);
        const said = (as: PolicyDecision) =>
          explainPolicy(compiled([{ match: one, decision: as, why: '' }], []), call).matches.length;
        expect(said('deny')).toBeGreaterThanOrEqual(said('allow'));
      }),
    );
  });
});

describe('any text', () => {
  const piece = fc.oneof(
    fc.constantFrom('| match | decision | why |', '|---|---|---|', '| a | deny | x |', '| b | allow | y |'),
    fc.constantFrom(
      '\n',
      '\n',
      '\n\n',
      '- ',
      '> ',
      '    ',
      '```',
      '~~~',
      '<!--',
      '-->',
      '<div>',
      '`',
      '*',
      '\\',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

  test('is a policy, or has problems that name a position in it', () => {
    fc.assert(
      fc.property(text, (source) => {
        const { rows: found, problems } = readPolicy({ file: 'p', text: source });
        const lines = source.split(/\r\n?|\n/);
        for (const { line, column } of problems) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
        }
        for (const { line, decision: said } of found) expect(lines[line - 1]?.toLowerCase()).toContain(said);
      }),
      { numRuns: 500 },
    );
  });

  test('loses no deny row at any position', () => {
    const table = '| match | decision | why |\n|---|---|---|\n| b | ask | y |';
    const block = fc.constantFrom(
      table,
      table,
      '',
      '',
      '# h',
      'text',
      '- item',
      '> said',
      '  ',
      '| a | deny | x |',
    );
    const blocks = fc.array(block, { minLength: 1, maxLength: 5 }).map((list) => list.join('\n'));
    let kept = 0;
    fc.assert(
      fc.property(blocks, blocks, (before, after) => {
        const source = `${before}\n| a | deny | x |\n${after}`;
        const { rows: found, problems } = readPolicy({ file: 'p', text: source });
        const denying = source.split('\n').flatMap((line, i) => (line.includes('deny') ? [i + 1] : []));
        if (problems.length > 0) return;
        kept += 1;
        const denied = found.filter((one) => one.decision === 'deny').map(({ line }) => line);
        expect(denied).toEqual(denying);
      }),
      { numRuns: 1_000 },
    );
    expect(kept).toBeGreaterThan(5);
  });
});
