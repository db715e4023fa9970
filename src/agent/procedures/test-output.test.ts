import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTestOutput, stripAnsi } from './test-output.ts';

describe('reading the output of tests', () => {
  it('reads TAP without parents, skipped and todo tests', () => {
    const text = `TAP version 13
# Subtest: outer
    # Subtest: inner
    not ok 1 - inner
      ---
      failureType: 'testCodeFailure'
      ...
    1..1
not ok 1 - outer
  ---
  failureType: 'subtestsFailed'
  ...
ok 2 - fine
not ok 3 - later # TODO write it
ok 4 - not here # SKIP
1..4
# tests 4
# pass 1
# fail 1
# skipped 1
`;
    expect(readTestOutput(text)).toEqual({
      format: 'TAP',
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: ['inner'],
    });
  });

  it('reads the spec reporter of Node', () => {
    const text = `✔ adds (1.2ms)
✖ takes away (0.5ms)
ℹ tests 2
ℹ pass 1
ℹ fail 1
ℹ skipped 0

✖ failing tests:

test at a.test.mjs:4:1
✖ takes away (0.5ms)
  AssertionError
`;
    expect(readTestOutput(text)).toEqual({
      format: 'node:test',
      passed: 1,
      failed: 1,
      skipped: 0,
      failures: ['takes away'],
    });
  });

  it('reads vitest, in colours', () => {
    const text = `\u001b[1m RUN \u001b[22m v4.1.0 /x

 ❯ a.test.ts (3 tests | 1 failed) 5ms
     × takes away 3ms

 FAIL  a.test.ts > sums > takes away
AssertionError: expected 1 to be 2

 Test Files  1 failed (1)
      Tests  1 failed | 2 passed (3)
`;
    expect(readTestOutput(text)).toEqual({
      format: 'vitest',
      passed: 2,
      failed: 1,
      skipped: 0,
      failures: ['a.test.ts > sums > takes away'],
    });
  });

  it('reads jest', () => {
    const text = `FAIL ./a.test.js
  ✓ adds (2 ms)
  ✕ takes away (1 ms)

  ● sums › takes away

    expect(received).toBe(expected)

Tests:       1 failed, 1 skipped, 1 passed, 3 total
`;
    expect(readTestOutput(text)).toEqual({
      format: 'jest',
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: ['sums > takes away'],
    });
  });

  it('reads pytest, with errors among the failures', () => {
    const text = `..F.
=========================== short test summary info ============================
FAILED tests/test_a.py::test_minus[1 - 2] - AssertionError: assert 1 == 2
ERROR tests/test_b.py
========================= 1 failed, 3 passed, 1 skipped, 1 error in 0.12s =========================
`;
    expect(readTestOutput(text)).toMatchObject({ format: 'pytest', passed: 3, failed: 2, skipped: 1 });
    expect(readTestOutput(text).failures).toHaveLength(2);
    expect(readTestOutput('4 passed in 0.01s\n')).toMatchObject({
      format: 'pytest',
      passed: 4,
      failed: 0,
      failures: [],
    });
  });

  it('reads go test, with the parts of a test instead of the test', () => {
    const text = `--- FAIL: TestSum (0.00s)
    --- FAIL: TestSum/minus (0.00s)
        sum_test.go:8: got 1
--- PASS: TestOther (0.00s)
FAIL
FAIL\texample.com/sum\t0.003s
ok  \texample.com/other\t(cached)
FAIL\texample.com/broken [build failed]
`;
    expect(readTestOutput(text)).toEqual({
      format: 'go test',
      passed: 1,
      failed: 2,
      failures: ['TestSum/minus', 'example.com/broken (not built)'],
    });
  });

  it('reads cargo test, adding up the parts', () => {
    const text = `running 2 tests
test sums::plus ... ok
test sums::minus ... FAILED

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

running 1 test
test doc ... ok

test result: ok. 1 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;
    expect(readTestOutput(text)).toEqual({
      format: 'cargo test',
      passed: 2,
      failed: 1,
      skipped: 2,
      failures: ['sums::minus'],
    });
  });

  it('returns no counts for an unknown format', () => {
    expect(readTestOutput('Segmentation fault\n')).toEqual({ format: 'unknown', failures: [] });
    expect(stripAnsi('\u001b[1;31mred\u001b[0m \u001b]8;;x\u0007link')).toBe('red link');
  });

  it('reads anything without failing, and quickly', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(fc.property(bytes, (given) => void readTestOutput(new TextDecoder().decode(given))));
    for (const piece of ['not ok ', 'FAIL ', '● ', '1 failed, ', ' ', '=', '\n---\n', '--- FAIL: a\n', '× '])
      readTestOutput(piece.repeat(5_000));
  });
});
