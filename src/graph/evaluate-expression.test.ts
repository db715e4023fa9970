import { describe, expect, it } from 'vitest';
import type { Json } from '../kernel/index.ts';
import { evaluateExpression, findExpressionProblem } from './evaluate-expression.ts';

const failed = (message: RegExp, data: object = {}): object =>
  expect.objectContaining({
    code: 'graph.expression_failed',
    message: expect.stringMatching(message),
    data: expect.objectContaining(data),
  });

describe('evaluateExpression', () => {
  it.each<[string, Json, Json]>([
    ['$sum(items.price)', { items: [{ price: 1 }, { price: 2 }] }, 3],
    ['items[price > 1]', { items: [{ price: 1 }, { price: 2 }] }, { price: 2 }],
    ['items.price', { items: [{ price: 1 }, { price: 2 }] }, [1, 2]],
    ['missing.entirely', {}, null],
    ['[missing, 1]', {}, [1]],
    ['{ "a": missing, "b": null }', {}, { b: null }],
    [
      'items^(>p).n',
      {
        items: [
          { p: 1, n: 'a' },
          { p: 3, n: 'b' },
        ],
      },
      ['b', 'a'],
    ],
    ['$sort(["b", "c", "a"])', {}, ['a', 'b', 'c']],
    ['$sort([1, 3, 2], function($a, $b) { $a < $b })', {}, [3, 2, 1]],
    ['$distinct([1, "1", 1, {"a": 1}, {"a": 1}])', {}, [1, '1', { a: 1 }]],
    ['$distinct(items.a)', { items: [{ a: 1 }, { a: 1 }, { a: 2 }] }, [1, 2]],
    ['$pad("x", 3) & "|" & $pad("x", -3, "#-")', {}, 'x  |#-x'],
    ['$replace(text, /a+/i, "x")', { text: 'caaAt' }, 'cxt'],
    ['$split(text, /[ab]/)', { text: 'xaybz' }, ['x', 'y', 'z']],
    ['$match(text, /(x)(y)?/).groups', { text: 'axy' }, ['x', 'y']],
    ['$ ~> |items|{"done": true}|', { items: [{ n: 1 }] }, { items: [{ n: 1, done: true }] }],
    ['items{kind: $count($)}', { items: [{ kind: 'a' }, { kind: 'b' }, { kind: 'a' }] }, { a: 2, b: 1 }],
  ])('gives plain JSON for %s', async (expression, input, result) => {
    expect(await evaluateExpression(expression, input)).toStrictEqual(result);
  });

  it('reads the variables that it is given', async () => {
    const bindings = { nodes: { fetch: { body: 'x' } }, vars: { n: 2 }, run: { id: 'r1' } };
    expect(await evaluateExpression('$nodes.fetch.body & $vars.n & $run.id & $other', {}, bindings)).toBe(
      'x2r1',
    );
  });

  it('does not change its input, frozen or not', async () => {
    const input = Object.freeze({ call: Object.freeze({ a: 1 }), list: Object.freeze([1, 2]) });
    await expect(evaluateExpression('call()', input)).rejects.toThrowError(failed(/./));
    expect(await evaluateExpression('list ~> $append(3)', input)).toEqual([1, 2, 3]);
    expect(input).toEqual({ call: { a: 1 }, list: [1, 2] });
  });

  it('reports the position of a failure', async () => {
    await expect(evaluateExpression('1 + "a"', {})).rejects.toThrowError(
      failed(/character 3/, { position: 3, jsonata: 'T2002' }),
    );
    await expect(evaluateExpression('items.', {})).rejects.toThrowError(
      failed(/end of expression/, { expression: 'items.' }),
    );
  });

  it.each(['$random()', '$shuffle([1, 2])', '$now()', '$millis()', '$eval("1")', '[1] ~> $map($random)'])(
    'refuses %s, before and during the run',
    async (expression) => {
      expect(findExpressionProblem(expression)?.message).toMatch(/is not available/);
      await expect(evaluateExpression(expression, {})).rejects.toThrowError(failed(/is not available/));
    },
  );

  it('lets an expression define a variable with such a name', async () => {
    expect(findExpressionProblem('($now := 4; $now + 1)')).toBeUndefined();
    expect(await evaluateExpression('($now := 4; $now + 1)', {})).toBe(5);
  });

  it.each<[string, RegExp]>([
    ['($f := function($n) { 1 + $f($n + 1) }; $f(1))', /[Ss]tack|units of work/],
    ['[1..1e9]', /1e7/],
    ['[1..1e6]', /sequence length/],
    ['[1..20000]^($)', /sequence length/],
    ['$count([1..30000][$ in [1..30000]])', /units of work/],
    ['$pad("x", 1e9)', /larger than/],
    ['($g := function($s, $n) { $n = 0 ? $s : $g($s & $s, $n - 1) }; $g("xx", 60))', /larger than/],
    ['($g := function($s, $n) { $n = 0 ? $s : $g([[$s], [$s]], $n - 1) }; $g([1], 60))', /larger than/],
    ['($g := function($s, $n) { $n = 0 ? $s : $g({"a": $s}, $n - 1) }; $g(1, 400))', /deeper than/],
  ])('stops %s', async (expression, message) => {
    await expect(evaluateExpression(expression, {})).rejects.toThrowError(failed(message));
  });

  it('evaluates in linear time a pattern on which a backtracking engine would hang', async () => {
    expect(await evaluateExpression('$contains(text, /^(a+)+$/)', { text: `${'a'.repeat(20_000)}!` })).toBe(
      false,
    );
  });

  it.each(['$match(t, /(?=a)b/)', '$match(t, /(a)\\1/)'])('refuses the pattern of %s', async (expression) => {
    expect(findExpressionProblem(expression)?.message).toMatch(/cannot be used/);
    await expect(evaluateExpression(expression, { t: 'ab' })).rejects.toThrowError(failed(/./));
  });

  it.each([
    '__proto__',
    'constructor',
    'constructor.constructor("return 1")()',
    '$lookup($, "__proto__")',
    '$lookup($, "constructor")',
    'toString',
    '$string.constructor',
    '($f := function() { 1 }; $f.environment)',
    '($f := function() { 1 }; $lookup($f, "environment"))',
  ])('reaches no prototype and no inside of the engine by %s', async (expression) => {
    const result = await evaluateExpression(expression, { a: 1 }).catch(
      (error: { code: string }) => error.code,
    );
    expect([null, 'graph.expression_failed']).toContain(result);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    '{"__proto__": {"polluted": 1}}',
    '$merge([{"__proto__": {"polluted": 1}}])',
    '$ ~> |$|{"__proto__": {"polluted": 1}}|',
  ])('pollutes nothing by %s', async (expression) => {
    await evaluateExpression(expression, { a: 1 }).catch(() => undefined);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(['function($x) { $x }', '$sum', '[{"f": $sum}]', '/a/', '1 / 0'])(
    'refuses the result of %s, which is not JSON',
    async (expression) => {
      await expect(evaluateExpression(expression, {})).rejects.toThrowError(failed(/./));
    },
  );

  it('counts the work of each evaluation separately, also when they run concurrently', async () => {
    const expression = '$sum($map([1..20000], function($n) { $n * 2 }))';
    const results = await Promise.all(Array.from({ length: 12 }, () => evaluateExpression(expression, {})));
    expect(new Set(results)).toEqual(new Set([400_020_000]));
  });

  it('yields to other work', async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 0);
    await evaluateExpression('$sum($map([1..50000], function($n) { $n * 2 }))', {});
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(0);
  });

  it('refuses an invalid expression', async () => {
    for (const expression of ['', '('.repeat(10_000), `"${'x'.repeat(30_000)}"`, '$match(t, /(/)']) {
      expect(findExpressionProblem(expression)).toBeDefined();
      await expect(evaluateExpression(expression, {})).rejects.toThrowError(failed(/./));
    }
  });
});
