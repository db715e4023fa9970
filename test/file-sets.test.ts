import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { OverlayFiles, WorkspaceFiles } from '../src/adapters/files/index.ts';
import { agentKind } from '../src/agent/index.ts';
import { defaultPolicy, Engine, MemoryArtifactStore, type RunState, type Tool } from '../src/engine/index.ts';
import { systemClock } from '../src/kernel/index.ts';
import { compilePolicy } from '../src/policy/index.ts';
import { runChanges } from '../src/runtime/runs/run-changes.ts';
import { builtInTools, type Files } from '../src/tools/index.ts';
import { AgentWorkspace } from './support/agent-workspace.ts';

const tool = (name: string): Tool => builtInTools().find((one) => one.name === name) as Tool;

const LOGS = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`logs/${i}.log`, `line ${i}\n`]));

/** Approves the call that a run waits for, and continues it. */
async function approve({ engine }: AgentWorkspace, run: RunState): Promise<RunState> {
  expect(run.waiting).toMatchObject({ for: 'approval' });
  await engine.decide((run.waiting as { id: string }).id, { kind: 'approve' }, 'tester');
  return engine.resume(run.id);
}

/** Files whose process dies at the k-th change. */
class DyingFiles extends WorkspaceFiles {
  left: number;
  constructor(root: string, left: number) {
    super(root);
    this.left = left;
  }
  override remove(path: string): Promise<void> {
    return this.#spend() ?? super.remove(path);
  }
  override move(from: string, to: string): Promise<string> {
    return this.#spend() ?? super.move(from, to);
  }
  override copy(from: string, to: string): ReturnType<Files['copy']> {
    return this.#spend() ?? super.copy(from, to);
  }
  #spend(): Promise<never> | undefined {
    this.left -= 1;
    return this.left < 0 ? Promise.reject(new Error('the process dies')) : undefined;
  }
}

describe('the changes of a run', () => {
  it.each([
    ['copy all .log files into old', 20, ['created']],
    ['move all .log files into old', 40, ['created', 'removed']],
    ['delete all .log files', 20, ['removed']],
    ['zip the folder logs into logs.zip', 1, ['created']],
    ['merge all .log files into all.txt', 1, ['created']],
    ['unpack in.zip into out', 1, ['created']],
  ])('have every file of a batch: %s', async (goal, count, kinds) => {
    const workspace = new AgentWorkspace(LOGS);
    writeFileSync(join(workspace.root, 'in.zip'), zipSync({ 'a.txt': strToU8('a') }));
    let run = await workspace.pursue(goal);
    if (run.waiting !== undefined) run = await approve(workspace, run);
    expect(run.failure).toBeUndefined();
    const changes = await runChanges(workspace.engine, [run.id]);
    expect(changes).toHaveLength(count);
    expect([...new Set(changes.map(({ change }) => change))].sort()).toEqual(kinds);
  });
});

describe('a batch that is interrupted', () => {
  it.each([
    ['delete all .log files', (path: string) => !existsSync(path)],
    ['move all .log files into old', (path: string) => !existsSync(path)],
    ['copy all .log files into old', (path: string) => existsSync(path)],
  ])('is completed by the same call, and undone as a whole: %s', async (goal, isDone) => {
    const workspace = new AgentWorkspace(LOGS);
    const artifacts = new MemoryArtifactStore(systemClock);
    const dying = new DyingFiles(workspace.root, 7);
    const engine = new Engine({
      kinds: [agentKind()],
      artifacts,
      capabilities: { files: dying, artifacts },
      tools: builtInTools(),
    });
    let run = await engine.run({ kind: 'agent', goal });
    if (run.waiting?.for === 'approval') {
      await engine.decide(run.waiting.id, { kind: 'approve' }, 'tester');
      run = await engine.resume(run.id);
    }
    expect(run.ended?.status).toBe('failed');
    const called = run.evidence.find(({ state }) => state === 'act');
    const { handler } = tool(called?.tool ?? '');
    const files = new WorkspaceFiles(workspace.root);
    const context = { capabilities: { files }, signal: new AbortController().signal, runId: run.id };
    // The engine repeats a call that may be repeated with the same input.
    expect(tool(called?.tool ?? '').annotations.idempotent).toBe(true);
    await handler(called?.input as never, context as never);
    for (const path of Object.keys(LOGS)) expect(isDone(join(workspace.root, path))).toBe(true);
    dying.left = Number.POSITIVE_INFINITY;
    await engine.undo(run.id, 'tester');
    for (const [path, content] of Object.entries(LOGS)) expect(workspace.text(path)).toBe(content);
    expect(existsSync(join(workspace.root, 'old'))).toBe(false);
  });
});

describe('deleting a selection', () => {
  it('asks once with every path, and refuses a file that changed since', async () => {
    const workspace = new AgentWorkspace(LOGS);
    const run = await workspace.pursue('delete all .log files');
    expect(run.waiting).toMatchObject({ for: 'approval' });
    const done = await approve(workspace, run);
    expect(done.output).toMatchObject({ deleted: 20 });
    expect(existsSync(join(workspace.root, 'logs/3.log'))).toBe(false);
    await workspace.engine.undo(run.id, 'tester');
    for (const [path, content] of Object.entries(LOGS)) expect(workspace.text(path)).toBe(content);
    const late = await workspace.pursue('delete all .log files');
    const at = new Date(Date.now() + 60_000);
    (await import('node:fs')).utimesSync(join(workspace.root, 'logs/5.log'), at, at);
    expect((await approve(workspace, late)).failure).toMatchObject({ code: 'files.changed' });
    expect(existsSync(join(workspace.root, 'logs/0.log'))).toBe(true);
  });

  it('is denied by a row for files.delete, and not allowed by one', () => {
    const request = {
      tool: tool('files.delete_many'),
      input: { paths: ['a'] },
      run: { id: 'r', kind: 'agent', state: 'act' },
    };
    const policy = (decision: string) =>
      compilePolicy({
        user: {
          file: 'POLICY.md',
          text: `| match | decision | why |\n|---|---|---|\n| \`files.delete\` | ${decision} | x |\n`,
        },
      });
    expect(policy('deny').decide(request as never).decision).toBe('deny');
    expect(policy('allow').decide(request as never).decision).toBe('ask');
    expect(defaultPolicy.decide(request as never).decision).toBe('ask');
  });
});

/** A zip with one entry, whose directory declares another size of its content. */
function declaring(zip: Uint8Array, bytes: number): Uint8Array {
  const copy = Buffer.from(zip);
  const entry = copy.indexOf(Buffer.from('PK\u0001\u0002'));
  copy.writeUInt32LE(bytes, entry + 24);
  return copy;
}

describe('archives', () => {
  it.each(['all.zip', 'all.tar.gz', 'all.tar'])('keep every byte: %s', async (name) => {
    const workspace = new AgentWorkspace({ 'box/a b.txt': 'text', 'box/ü/c.bin': '' });
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256);
    writeFileSync(join(workspace.root, 'box/ü/c.bin'), bytes);
    const packed = await workspace.pursue(`pack the folder box into ${name}`);
    expect(packed.failure).toBeUndefined();
    const run = await workspace.pursue(`unpack ${name} into out`);
    expect(run.output).toMatchObject({ files: 2 });
    expect(workspace.text('out/box/a b.txt')).toBe('text');
    expect(readFileSync(join(workspace.root, 'out/box/ü/c.bin')).equals(bytes)).toBe(true);
    await workspace.engine.undo(run.id, 'tester');
    expect(existsSync(join(workspace.root, 'out'))).toBe(false);
  });

  it('do not lead outside their folder, replace nothing, and have no unlimited size', async () => {
    const workspace = new AgentWorkspace({ 'x/a.txt': 'mine' });
    const put = (name: string, bytes: Uint8Array) => writeFileSync(join(workspace.root, name), bytes);
    put('evil.zip', zipSync({ '../out.txt': strToU8('x') }));
    put('absolute.zip', zipSync({ '/etc/x': strToU8('x') }));
    put('git.zip', zipSync({ '.git/config': strToU8('x') }));
    put('taken.zip', zipSync({ 'b.txt': strToU8('b'), 'a.txt': strToU8('a') }));
    const zeros = zipSync({ 'zeros.bin': new Uint8Array(100_000) });
    put('bomb.zip', declaring(zeros, 269_000_000));
    put('hidden-bomb.zip', declaring(zeros, 10));
    const damaged = zipSync({ 'a.txt': [strToU8('some text that is stored'), { level: 0 }] });
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    put('damaged.zip', damaged);
    const tar = pack();
    tar.entry({ name: 'way-out', type: 'symlink', linkname: '/etc' });
    tar.entry({ name: 'fine.txt' }, 'fine');
    tar.finalize();
    const chunks: Uint8Array[] = [];
    for await (const chunk of tar) chunks.push(chunk as Uint8Array);
    put('links.tar', Buffer.concat(chunks));
    const code = async (goal: string) => (await workspace.pursue(goal)).failure?.code;
    expect(await code('unzip evil.zip')).toBe('files.outside_workspace');
    expect(await code('unzip absolute.zip')).toBe('files.outside_workspace');
    expect(await code('unzip git.zip')).toBe('files.protected');
    expect(await code('unzip taken.zip into x')).toBe('files.exists');
    expect(existsSync(join(workspace.root, 'x/b.txt'))).toBe(false);
    expect(await code('unzip bomb.zip')).toBe('files.too_large');
    expect(await code('unzip hidden-bomb.zip')).toBe('files.too_large');
    expect(await code('unzip damaged.zip')).toBe('files.io_failed');
    const run = await workspace.pursue('unpack links.tar into links');
    expect(run.output).toMatchObject({ files: 1, leftOut: [expect.stringContaining('way-out')] });
    expect(existsSync(join(workspace.root, 'links/way-out'))).toBe(false);
  });
});

describe('simulated', () => {
  it.each([
    ['move all .log files into old', 'logs/0.log'],
    ['delete all .log files', 'logs/0.log'],
    ['zip the folder logs into logs.zip', 'logs.zip'],
    ['create the folders a, b and c/d', 'a'],
    ['merge all .log files in logs into all.txt', 'all.txt'],
    ['organise logs by month', 'logs/0.log'],
  ])('shows the changes and leaves everything as it was: %s', async (goal, changed) => {
    const outside = new AgentWorkspace(LOGS);
    const overlay = new OverlayFiles(outside.files);
    const { artifacts } = outside.engine.parts;
    const simulated = new AgentWorkspace(
      {},
      { simulate: true, artifacts, capabilities: { files: overlay, artifacts } },
    );
    const run = await simulated.pursue(goal);
    expect(run.failure).toBeUndefined();
    expect((await overlay.changes()).map(({ path }) => path)).toContain(changed);
    for (const [path, content] of Object.entries(LOGS)) expect(outside.text(path)).toBe(content);
    expect(existsSync(join(outside.root, 'a'))).toBe(false);
  });
});

describe('ignore files', () => {
  it('hide folders and not single files from a selection; links are not followed', async () => {
    const workspace = new AgentWorkspace({
      '.gitignore': '*.log\nnode_modules/\n',
      'a.log': '1',
      'node_modules/x/b.log': '2',
    });
    mkdirSync(join(workspace.root, 'real'));
    symlinkSync('/etc', join(workspace.root, 'real/link'));
    const run = await workspace.pursue('find all .log files');
    expect(run.output).toMatchObject({ found: 1, files: [{ path: 'a.log' }] });
    expect(JSON.stringify(run.output)).toContain('node_modules');
    expect((await workspace.pursue('find empty folders')).output).toMatchObject({ found: 0 });
  });
});
