import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { realPathIn } from '../../src/adapters/workspace/index.ts';
import { MemoryArtifactStore, type RunId, type ToolContext } from '../../src/engine/index.ts';
import { createRedactor, type Json, systemClock } from '../../src/kernel/index.ts';
import { type CompiledPolicy, compilePolicy } from '../../src/policy/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { policyOf } from '../policy/good-policies.ts';
import { face, request } from '../policy/kit.ts';
import { tempFolder } from '../support/temp-folder.ts';

let root: string;
let outside: string;

beforeEach(() => {
  root = tempFolder();
  outside = tempFolder();
  for (const folder of ['keys/deep', 'docs', 'src']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'keys/a.pem'), 'the key');
  writeFileSync(join(root, 'keys/deep/b.pem'), 'the key');
  symlinkSync('../keys', join(root, 'docs/link'));
  symlinkSync('link/deep', join(root, 'docs/chain'));
  symlinkSync('../keys/a.pem', join(root, 'docs/file.md'));
  symlinkSync(join(root, 'keys'), join(root, 'absolute'));
  symlinkSync('keys/new.pem', join(root, 'dangling'));
  symlinkSync('loop', join(root, 'loop'));
  symlinkSync(outside, join(root, 'out'));
});

function policyWith(...rows: readonly string[]): CompiledPolicy {
  const text = policyOf(...rows.map((line) => `| \`${line.replace(' | ', '` | ')} | x |`));
  return compilePolicy({ user: { file: 'POLICY.md', text }, workspace: root, realPath: realPathIn(root) });
}

/** Paths to the denied folder that do not contain its name. */
const WAYS = [
  'docs/link',
  'docs/link/a.pem',
  'docs/link/not-yet.pem',
  'docs/chain/b.pem',
  'docs/file.md',
  'absolute/a.pem',
  'dangling',
  'docs/../docs/link/a.pem',
  './docs//link/./a.pem',
];

/** Every built-in tool with a path in its input, and other tools with paths. */
const CALLS: readonly (readonly [tool: string, input: (path: string) => Json])[] = [
  ['files.read', (path) => ({ path })],
  ['files.list', (path) => ({ path })],
  ['files.search', (path) => ({ path, query: 'key' })],
  ['files.write', (path) => ({ path, content: 'x' })],
  ['files.edit', (path) => ({ path, old: 'a', new: 'b' })],
  ['files.move', (path) => ({ from: path, to: 'free.txt' })],
  ['files.move', (path) => ({ from: 'free.txt', to: path })],
  ['files.delete', (path) => ({ path })],
  ['process.run', (path) => ({ argv: ['ls'], cwd: path })],
  ['mcp.files.get', (path) => ({ file_path: path })],
  ['mcp.files.many', (path) => ({ paths: ['src', path] })],
];

describe.each(CALLS.map(([name, input], i) => ({ name, input, i })))('$name ($i)', ({ name, input }) => {
  const toolOf = () => builtInTools().find((one) => one.name === name) ?? face(name);

  it.each(['deny', 'ask'])('a row that says %s holds through links, relative and absolute', (decision) => {
    const policy = policyWith(`* and path in keys/** | ${decision}`);
    for (const way of WAYS)
      for (const path of [way, join(root, way)])
        expect([path, policy.decide(request(toolOf(), input(path))).decision]).toEqual([path, decision]);
  });

  it('a row for the name of the link holds too', () => {
    const policy = policyWith('* and path in docs/** | deny');
    expect(policy.decide(request(toolOf(), input('docs/link/a.pem'))).decision).toBe('deny');
  });

  it('an allow row covers a link only if it covers its target', () => {
    const tool = face(name, 'external_mutation');
    const allowed = (...rows: readonly string[]) =>
      policyWith(...rows.map((row) => `${row} | allow`)).decide(request(tool, { path: 'docs/link/a.pem' }))
        .decision;
    expect(allowed('* and path in docs/**')).toBe('ask');
    expect(allowed('* and path in keys/**')).toBe('ask');
    expect(
      policyWith('* and path in docs/** | allow').decide(request(tool, { path: 'docs/own.md' })).decision,
    ).toBe('allow');
  });
});

it('a link that loops, leads outside or goes up behind a link counts as uncertain', () => {
  const policy = policyWith('files.read and path in keys/** | deny');
  const read = (path: string) => policy.decide(request(face('files.read'), { path })).decision;
  for (const path of ['loop', 'out/x', 'docs/link/../keys/a.pem', 'docs/chain/../a.pem'])
    expect([path, read(path)]).toEqual([path, 'deny']);
  expect(read('src/main.ts')).toBe('allow');
});

it('a search or a listing of a folder does not follow the links in it', async () => {
  const files = new WorkspaceFiles(root);
  const artifacts = new MemoryArtifactStore(systemClock);
  const context: ToolContext = {
    runId: 'run' as RunId,
    step: 1,
    signal: new AbortController().signal,
    idempotencyKey: 'run/1',
    capabilities: { files, artifacts },
    emitArtifact: (content, about) => artifacts.put(content, about),
    record: () => undefined,
    charge: () => undefined,
    redactor: createRedactor(),
    now: () => 0,
  };
  for (const [name, input] of [
    ['files.search', { path: 'docs', query: 'the key', limit: 10 }],
    ['files.list', { path: 'docs', depth: 9, limit: 100 }],
  ] as const) {
    const answer = JSON.stringify(
      await builtInTools()
        .find((one) => one.name === name)
        ?.handler(input, context),
    );
    expect(answer).toMatch(/"(matches|entries)":/);
    expect(answer).not.toContain('"text":"the key');
    expect(answer).not.toContain('.pem');
  }
});

it('a read through a link is denied in a workspace, and the real file is not read', async () => {
  const home = tempFolder();
  writeFileSync(
    join(home, 'POLICY.md'),
    policyOf('| `files.* and path in keys/**` | deny | keys stay with people |'),
  );
  const oka = new Oka({ workspace: root, home });
  try {
    await oka.init({ trust: true });
    for (const path of ['docs/link/a.pem', 'docs/file.md', 'absolute/a.pem']) {
      const outcome = await oka.tools
        .call({ tool: 'files.read', input: { path }, simulate: false, patienceMs: 0 })
        .catch((error: unknown) => error);
      expect(JSON.stringify(outcome)).not.toContain('the key');
      expect(JSON.stringify(outcome)).toContain('keys stay with people');
    }
  } finally {
    await oka.close();
  }
});
