import { readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BuildAnswer, PatchAnswer, ValidateAnswer } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { SMALL_PROJECT, Workspace } from './oka-process.ts';

const READ = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'read' },
    { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: 'README.md' }, next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'read' },
);

const FILE = '.oka/graphs/read.json';

/** The file as a person wrote it, with spaces of their own. */
const workspace = (): Workspace =>
  Workspace.trusted({ files: { ...SMALL_PROJECT, [FILE]: `${JSON.stringify(READ, null, 7)}\n\n` } });

test('build creates a graph that runs, explains each step, and never replaces a graph', async () => {
  const place = workspace();
  const intent = 'read README.md, then write "seen" to seen.txt';
  const shown = await place.answer<BuildAnswer>('graph', 'build', intent, '--id', 'seen', '--dry-run');
  expect(shown.exitCode).toBe(0);
  expect(shown.data.path).toBeUndefined();
  expect(place.has('.oka/graphs/seen.json')).toBe(false);

  const { exitCode, data } = await place.answer<BuildAnswer>('graph', 'build', intent, '--id', 'seen');
  expect({ exitCode, path: data.path }).toEqual({ exitCode: 0, path: '.oka/graphs/seen.json' });
  expect(data.choices.map(({ tool }) => tool)).toEqual(['files.read', 'files.write']);
  for (const { why } of data.choices) expect(why).not.toBe('');
  expect(JSON.parse(place.text('.oka/graphs/seen.json'))).toEqual(data.definition);
  const { data: checked } = await place.answer<ValidateAnswer>('graph', 'validate', 'seen');
  expect(checked.valid).toBe(true);
  expect((await place.answer('graph', 'run', 'seen')).exitCode).toBe(0);
  expect(place.text('seen.txt')).toBe('seen');

  const before = place.text('.oka/graphs/seen.json');
  expect(await place.refusal('graph', 'build', 'read notes.md', '--id', 'seen')).toMatchObject({
    exitCode: 3,
    error: { code: 'graph.exists' },
  });
  expect(place.text('.oka/graphs/seen.json')).toBe(before);
  const { stdout } = await place.oka('graph', 'build', intent, '--id', 'other');
  expect(stdout).toMatch(/Wrote \.oka\/graphs\/other\.json\nRun it with: oka graph run other\n$/);
});

test('build rejects an intent it cannot place and writes nothing', async () => {
  const place = workspace();
  const { exitCode, error } = await place.refusal('graph', 'build', 'dance on the moon');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 3, code: 'graph.cannot_place' });
  expect(error.data['problems']).toMatchObject([{ step: 'dance on the moon' }]);
  expect((await place.oka('graph', 'build', 'dance on the moon')).stderr).toContain('(graph.cannot_place)');
  expect(readdirSync(place.at('.oka/graphs'))).toEqual(['read.json']);
});

test.each(['../out', 'a/b', '.hidden', 'x\u0000'])('build rejects the id %j', async (id) => {
  const place = workspace();
  expect((await place.refusal('graph', 'build', 'read README.md', '--id', id)).exitCode).toBe(3);
  expect(readdirSync(place.at('.oka/graphs'))).toEqual(['read.json']);
  expect(place.has('.oka/out.json')).toBe(false);
});

test('build accepts the example in its help', async () => {
  const place = workspace();
  const intent = /oka graph build "([^"]+)"/.exec((await place.oka('graph', '--help')).stdout)?.[1];
  expect((await place.answer<BuildAnswer>('graph', 'build', intent as string)).exitCode).toBe(0);
});

test('patch changes one field, shows the difference, and keeps the previous version', async () => {
  const place = workspace();
  const before = place.text(FILE);
  const { exitCode, data } = await place.answer<PatchAnswer>(
    'graph',
    'patch',
    'read',
    'read',
    'args.path',
    '"src/beds.ts"',
  );
  expect(exitCode).toBe(0);
  expect(data).toMatchObject({ path: FILE, version: '2', diagnostics: [] });
  expect(data.diff.join('\n')).toMatch(/version: 1 → 2\n.*read\.args\.path: "README\.md" → "src\/beds\.ts"/);
  expect(place.text(data.kept)).toBe(before);
  expect(JSON.parse(place.text(FILE))).toMatchObject({ version: 2 });
  expect((await place.answer('graph', 'run', 'read')).data.output).toMatchObject({ path: 'src/beds.ts' });
  const { stdout } = await place.oka('graph', 'patch', 'read', 'read', 'timeout_seconds', '5');
  expect(stdout).toMatch(
    /is now version 3\. The previous version is in \.oka\/graphs\/versions\/read@2\.json\n$/,
  );
});

test.each([
  ['a key that reaches into prototypes', ['read', '__proto__', '1'], 'graph.patch_refused'],
  ['such a key further in', ['read', 'args.__proto__.x', '1'], 'graph.patch_refused'],
  ['such a key in the value', ['read', 'args', '{"__proto__":{"path":"x"}}'], 'graph.patch_refused'],
  ['a constructor', ['read', 'args.constructor.prototype', '1'], 'graph.patch_refused'],
  ['an unknown node', ['raed', 'args', '{}'], 'graph.patch_refused'],
  ['the type of a node', ['read', 'type', '"end"'], 'graph.patch_refused'],
  ['a value of the wrong type', ['read', 'timeout_seconds', '"soon"'], 'graph.invalid'],
  ['a field that the node does not have', ['read', 'colour', '"red"'], 'graph.invalid'],
  ['a target that is not there', ['read', 'next', '"nowhere"'], 'graph.invalid'],
  ['an argument that the tool does not take', ['read', 'args.colour', '"red"'], 'graph.invalid'],
  ['a value that is not JSON', ['read', 'next', 'nowhere'], 'cli.invalid_json'],
])('patch rejects %s and leaves the file unchanged', async (_, args, code) => {
  const place = workspace();
  const before = place.text(FILE);
  const { exitCode, error } = await place.refusal('graph', 'patch', 'read', ...args);
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 3, code });
  expect(place.text(FILE)).toBe(before);
  expect(readdirSync(place.at('.oka/graphs'))).toEqual(['read.json']);
});

test('an unknown node is reported with the nearest name', async () => {
  const { error } = await workspace().refusal('graph', 'patch', 'read', 'raed', 'args', '{}');
  expect(error.message).toContain('"read"');
});

test('from-run creates a graph from the steps of a finished run', async () => {
  const place = workspace();
  const { data: done } = await place.answer('do', 'copy README.md to COPY.md');
  const shown = await place.answer<BuildAnswer>('graph', 'from-run', done.run.id, '--dry-run');
  expect(shown.data.path).toBeUndefined();
  const { exitCode, data } = await place.answer<BuildAnswer>(
    'graph',
    'from-run',
    done.run.id,
    '--id',
    'copies',
  );
  expect({ exitCode, path: data.path }).toEqual({ exitCode: 0, path: '.oka/graphs/copies.json' });
  expect(data.choices.map(({ tool }) => tool)).toContain('files.copy');
  expect((await place.answer<ValidateAnswer>('graph', 'validate', 'copies')).data.valid).toBe(true);
  expect((await place.oka('graph', 'from-run', done.run.id, '--id', 'twin')).stdout).toContain(
    'Wrote .oka/graphs/twin.json',
  );
});

test('a graph from a run that read files reads them again', async () => {
  const place = workspace();
  const { data: done } = await place.answer('do', 'read README.md');
  await place.answer('graph', 'from-run', done.run.id, '--id', 'again');
  const { exitCode, data } = await place.answer('graph', 'run', 'again');
  expect({ exitCode, output: data.output }).toMatchObject({ exitCode: 0, output: { path: 'README.md' } });
});

test('from-run refuses values that it cannot trace unless they are kept, and computes the result again', async () => {
  const place = workspace();
  const { data: done } = await place.answer('do', 'collect all TODOs into TODOS.md');
  const { exitCode, error } = await place.refusal('graph', 'from-run', done.run.id, '--id', 'todos');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 3, code: 'graph.cannot_promote' });
  expect(error.message).toMatch(
    /oka graph build "collect all TODOs into TODOS\.md".*--keep files_search_2\./,
  );
  const kept = ['files_search_2.query', 'files_search_2.path', 'files_search_2.limit'];
  await place.answer('graph', 'from-run', done.run.id, '--id', 'todos', '--keep', ...kept);
  writeFileSync(place.at('new.ts'), '// TODO water the roses\n');
  expect((await place.answer('graph', 'run', 'todos')).data.run).toMatchObject({ status: 'completed' });
  expect(place.text('TODOS.md')).toContain('water the roses');
});

test('from-run rejects a run without steps', async () => {
  const place = workspace();
  const { data } = await place.answer('do', 'dance');
  expect(await place.refusal('graph', 'from-run', data.run.id)).toMatchObject({
    exitCode: 3,
    error: { code: 'graph.cannot_promote' },
  });
});
