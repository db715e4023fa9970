import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import type { PolicyRefusal } from '../../src/assistant/index.ts';
import type { ToolContext } from '../../src/engine/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import { checkAcceptance, type RefusalReader } from '../../src/tools/check-acceptance.ts';
import type { StateReader } from '../../src/tools/ports.ts';
import { tempFolder } from '../support/temp-folder.ts';

let root: string;
let refused: PolicyRefusal[];
let newest: string | undefined;

beforeEach(() => {
  root = tempFolder();
  refused = [];
  newest = undefined;
  mkdirSync(join(root, 'folder'));
  writeFileSync(join(root, 'notes.md'), 'sow peas in March');
  writeFileSync(join(root, 'bytes.bin'), new Uint8Array([0, 1, 2]));
  writeFileSync(join(root, 'data.json'), JSON.stringify({ name: 'garden', beds: [{ size: 3 }] }));
});

async function check(...criteria: Json[]): Promise<{ ok: boolean; evidence: string }[]> {
  const state: Pick<StateReader, 'priorRuns'> = {
    priorRuns: async ({ graph }) =>
      newest === undefined ? [] : [{ id: `of ${graph}`, status: newest, startedAt: 0 as never }],
  };
  const refusals: RefusalReader = { below: async () => refused };
  const context = {
    runId: 'run',
    signal: new AbortController().signal,
    capabilities: { files: new WorkspaceFiles(root), state, refusals },
  } as unknown as ToolContext;
  const { value } = (await checkAcceptance.input.check['~standard'].validate({ criteria })) as {
    value: unknown;
  };
  const { results } = (await checkAcceptance.handler(value, context)) as {
    results: { ok: boolean; evidence: string }[];
  };
  return results;
}

const schema = (of: Json) => ({ file_matches_schema: { path: 'data.json', schema: of } });
const at = (place: string, equals: Json) => ({
  json_path_equals: { path: 'data.json', json_path: place, equals },
});

describe('assistant.check', () => {
  it('answers for every criterion in order', async () => {
    const found = await check(
      { file_exists: 'notes.md' },
      { file_exists: 'ghost.md' },
      { file_exists: 'folder' },
    );
    expect(found.map(({ ok }) => ok)).toEqual([true, false, false]);
    expect(found[1]?.evidence).toContain('"ghost.md" does not exist');
  });

  const cases: readonly [string, Json, boolean][] = [
    ['a text that is found', { file_contains: { path: 'notes.md', text: 'peas' } }, true],
    ['a text that is missing', { file_contains: { path: 'notes.md', text: 'beans' } }, false],
    ['a text in a binary file', { file_contains: { path: 'bytes.bin', text: 'a' } }, false],
    ['a text in a file outside of the workspace', { file_contains: { path: '../x', text: 'a' } }, false],
    ['a value', at('beds.0.size', 3), true],
    ['a value by a path with a root', at('$.beds[0].size', 3), true],
    ['another value', at('name', 'forest'), false],
    ['a missing value', at('owner', null), false],
    ['a member of a prototype', at('constructor.name', 'Object'), false],
    [
      'a value in a file that is not JSON',
      { json_path_equals: { path: 'notes.md', json_path: 'a', equals: 1 } },
      false,
    ],
    [
      'a schema that matches',
      schema({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }),
      true,
    ],
    [
      'a schema that does not match',
      schema({ type: 'object', required: ['owner'], properties: { owner: {} } }),
      false,
    ],
    ['a schema that requires an undeclared property', schema({ type: 'object', required: ['name'] }), false],
    [
      'a schema deep inside',
      schema({ type: 'object', properties: { beds: { type: 'array', items: { type: 'string' } } } }),
      false,
    ],
    [
      'a schema with a pattern, which is not supported',
      schema({ type: 'object', properties: { name: { type: 'string', pattern: '^g' } } }),
      false,
    ],
    ['a schema without a type', schema({ required: ['name'] }), false],
    ['an invalid schema', schema({ type: 'wish' }), false],
  ];
  it.each(cases)('decides about %s', async (_, criterion, ok) => {
    const [found] = await check(criterion);
    expect(found).toMatchObject({ ok, evidence: expect.stringMatching(/\w/) });
  });

  it('requires the newest run of a graph to be completed', async () => {
    const criterion = { graph_completed: 'harvest' };
    expect(await check(criterion)).toMatchObject([{ ok: false }]);
    newest = 'failed';
    expect(await check(criterion)).toMatchObject([
      { ok: false, evidence: expect.stringContaining('is failed') },
    ]);
    newest = 'completed';
    expect(await check(criterion)).toMatchObject([{ ok: true }]);
  });

  it('names what was refused', async () => {
    expect(await check({ no_policy_violation: true })).toMatchObject([{ ok: true }]);
    refused = [
      { run: 'r1', tool: 'files.delete', code: 'engine.policy_denied', message: 'policy forbids it.' },
    ];
    const [found] = await check({ no_policy_violation: true });
    expect(found).toMatchObject({ ok: false, evidence: expect.stringContaining('policy forbids it') });
  });

  it('runs no commands', async () => {
    const given = { criteria: [{ command_exits_zero: { argv: ['true'] } }] };
    expect(await checkAcceptance.input.check['~standard'].validate(given)).toHaveProperty('issues');
  });
});
