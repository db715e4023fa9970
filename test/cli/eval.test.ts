import { expect, test } from 'vitest';
import type { EvalAddAnswer, EvalRunAnswer, EvalShowAnswer } from '../../src/api/index.ts';
import { Workspace } from './oka-process.ts';

function workspace(): Workspace {
  const turns = [
    { once: true, tool_calls: [{ tool: 'files.read', input: { path: 'large.txt', max_bytes: 200_000 } }] },
    { text: 'It is long.' },
  ];
  return Workspace.trusted({
    files: {
      'large.txt': 'peas '.repeat(30_000),
      'script.json': JSON.stringify({ turns }),
      '.oka/agents/reader.md': '---\nname: reader\nprovider: scripted\nscript: script.json\n---\nYou read.\n',
    },
  });
}

test('eval add, list, show, run and update work on the command line, with a table, JSON and JUnit', async () => {
  const place = workspace();
  expect(await place.answer('eval', 'run')).toMatchObject({
    exitCode: 0,
    data: { passed: true, results: [] },
  });
  const { data } = await place.answer('do', 'read it', '--agent', 'reader');
  const added = await place.answer<EvalAddAnswer>('eval', 'add', data.run.id, '--name', 'long');
  expect(added).toMatchObject({
    exitCode: 0,
    data: { case: { path: 'evals/long.json', runs: 1 }, notes: [] },
  });
  expect(await place.refusal('eval', 'add', data.run.id, '--name', 'long')).toMatchObject({
    exitCode: 3,
    error: { code: 'eval.exists' },
  });
  expect((await place.oka('eval', 'list')).stdout).toContain('long');
  const shown = await place.answer<EvalShowAnswer>('eval', 'show', 'long');
  expect(shown.data.steps.filter(({ asksModel }) => asksModel)).toHaveLength(2);

  const equal = await place.oka('eval', 'run', '--junit', place.at('report.xml'));
  expect(equal).toMatchObject({ exitCode: 0 });
  expect(equal.stdout).toMatch(/✓ {2}long {2}\d+ decisions equal; criteria hold\n\n1 passed\n$/);
  expect(place.text('report.xml')).toContain('<testsuites tests="1" failures="0" errors="0">');

  const one = JSON.parse(place.text('evals/long.json')) as { acceptance: unknown[] };
  const judged = [...one.acceptance, { criterion: { judge: 'it is long' } }];
  place.put('evals/long.json', JSON.stringify({ ...one, acceptance: judged }));
  const unchecked = await place.oka('eval', 'run', '--junit', place.at('report.xml'));
  expect(unchecked.stdout).toContain('criteria hold, 1 not checked');
  expect(unchecked.stdout).toContain('{"judge":"it is long"}: not checked offline; use --live');
  expect(place.text('report.xml')).toContain('not checked offline; use --live');

  place.put(
    '.oka/agents/reader.md',
    place.text('.oka/agents/reader.md').replace('You read.', 'You read <all>.'),
  );
  const diverged = await place.oka('eval', 'run', 'long', '--junit', place.at('report.xml'));
  expect(diverged).toMatchObject({ exitCode: 1 });
  expect(diverged.stdout).toContain('the system prompt\n    - You read.\n    + You read <all>.\n');
  expect(place.text('report.xml')).toContain('+ You read &lt;all&gt;.');
  const { exitCode, data: answer } = await place.answer<EvalRunAnswer>('eval', 'run');
  expect({ exitCode, answer }).toMatchObject({
    exitCode: 1,
    answer: { passed: false, results: [{ name: 'long', divergences: [{ kind: 'prompt', repeated: 1 }] }] },
  });
  expect(await place.answer('eval', 'update', 'long')).toMatchObject({ exitCode: 0 });
  expect(await place.answer('eval', 'run')).toMatchObject({ exitCode: 0 });
  expect((await place.answer<{ runs: unknown[] }>('runs', 'list')).data.runs).toHaveLength(1);
  await place.verified();
});

test('eval refuses runs that have not ended, unknown cases and invalid ones', async () => {
  const place = workspace();
  const parked = await place.answer('do', 'read large.txt', '--model', 'none', '--budget', 'steps=1');
  expect(await place.refusal('eval', 'add', parked.data.run.id)).toMatchObject({
    exitCode: 3,
    error: { code: 'eval.not_ended' },
  });
  expect(await place.refusal('eval', 'add', 'nope')).toMatchObject({ error: { code: 'engine.unknown_run' } });
  expect(await place.refusal('eval', 'run', 'nope')).toMatchObject({ error: { code: 'eval.unknown' } });
  expect(await place.refusal('eval', 'show', '../nope')).toMatchObject({ error: { code: 'eval.invalid' } });
  expect(await place.oka('eval', 'run', '--nope')).toMatchObject({ exitCode: 2 });
  expect(await place.refusal('eval', 'run', '--budget', 'cost_usd=1')).toMatchObject({
    exitCode: 2,
    error: { code: 'cli.usage', message: expect.stringContaining('--live') },
  });
  place.put('evals/broken.json', '{"format":"oka-eval/1"}');
  place.put('evals/newer.json', '{"format":"oka-eval/9"}');
  const { exitCode, data } = await place.answer<EvalRunAnswer>('eval', 'run');
  expect(exitCode).toBe(1);
  expect(data.results.map(({ error }) => error?.code)).toEqual(['eval.invalid', 'eval.invalid']);
  expect(data.results[1]?.error?.message).toContain('this version of oka reads oka-eval/1');
});

test('a case stores long texts in separate files', async () => {
  const place = workspace();
  const { data } = await place.answer('do', 'read it', '--agent', 'reader');
  expect(await place.answer('eval', 'add', data.run.id, '--name', 'long')).toMatchObject({ exitCode: 0 });
  const text = place.text('evals/long.json');
  expect(text.length).toBeLessThan(60_000);
  const [blob] = /"artifact": "([0-9a-f]{64})"/.exec(text)?.slice(1) ?? [];
  expect(place.text(`evals/blobs/${blob}`).length).toBeGreaterThan(100_000);
  expect(await place.answer('eval', 'run')).toMatchObject({ exitCode: 0 });
});
