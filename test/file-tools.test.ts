import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { OverlayFiles, WorkspaceFiles } from '../src/adapters/files/index.ts';
import {
  MemoryArtifactStore,
  type Policy,
  type RunId,
  type Tool,
  type ToolContext,
} from '../src/engine/index.ts';
import { createRedactor, digestOf, type Json, systemClock } from '../src/kernel/index.ts';
import { builtInTools } from '../src/tools/index.ts';
import { call as callTool, makeEngine, scripted } from './support/engine-kit.ts';
import { tempFolder } from './support/temp-folder.ts';

let root: string;
let artifacts: MemoryArtifactStore;
let emitted: string[];
let context: ToolContext;

beforeEach(() => {
  root = tempFolder();
  artifacts = new MemoryArtifactStore(systemClock);
  emitted = [];
  context = {
    runId: 'run' as RunId,
    step: 1,
    signal: new AbortController().signal,
    idempotencyKey: 'run/1',
    capabilities: { files: new WorkspaceFiles(root), artifacts },
    emitArtifact: (content, about) => {
      emitted.push(about.name);
      return artifacts.put(content, about);
    },
    record: () => undefined,
    charge: () => undefined,
    redactor: createRedactor(),
    now: () => 0,
  };
});

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function text(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function toolNamed(name: string): Tool {
  return builtInTools().find((tool) => tool.name === name) as Tool;
}

/** Calls a tool as the engine does: input and output go through its schemas. */
async function call(name: string, given: Json): Promise<Json> {
  const tool = toolNamed(name);
  const output = await tool.handler(parse(tool.input, given), context);
  return parse(tool.output as Tool['input'], output) as Json;
}

function parse(schema: Tool['input'], value: unknown): unknown {
  const result = schema.check['~standard'].validate(value);
  if (result instanceof Promise || result.issues) throw new Error(JSON.stringify(result));
  return result.value;
}

describe('files.read', () => {
  it('returns text with its size and digest, cut between characters', async () => {
    put('a.txt', 'grüße');
    expect(await call('files.read', { path: 'a.txt' })).toEqual({
      path: 'a.txt',
      content: 'grüße',
      bytes: 7,
      digest: digestOf('grüße'),
      truncated: false,
    });
    expect(await call('files.read', { path: 'a.txt', max_bytes: 3 })).toMatchObject({
      content: 'gr',
      bytes: 7,
      truncated: true,
    });
    expect(await call('files.read', { path: 'a.txt', max_bytes: 4 })).toMatchObject({ content: 'grü' });
  });

  it('keeps a byte order mark, so that writing the content back changes nothing', async () => {
    put('bom.txt', '\ufeffx');
    expect(await call('files.read', { path: 'bom.txt' })).toMatchObject({ content: '\ufeffx' });
  });

  it('refuses a file that is not text', async () => {
    put('zero.bin', Uint8Array.of(65, 0, 66));
    put('latin.txt', Uint8Array.of(65, 0xe4, 66));
    for (const path of ['zero.bin', 'latin.txt']) {
      await expect(call('files.read', { path })).rejects.toMatchObject({
        code: 'files.not_text',
        data: { path },
      });
    }
  });
});

describe('files.list', () => {
  it('lists the workspace one level deep by default', async () => {
    put('src/a.ts', 'a');
    put('b.txt', 'bb');
    expect(await call('files.list', {})).toEqual({
      path: '.',
      entries: [
        { path: 'b.txt', kind: 'file', bytes: 2 },
        { path: 'src', kind: 'directory', bytes: 0 },
      ],
      unreadable: [],
      truncated: false,
    });
    expect(await call('files.list', { path: 'src', limit: 1 })).toMatchObject({
      entries: [{ path: 'src/a.ts' }],
      truncated: false,
    });
    expect(await call('files.list', { depth: 2, limit: 2 })).toMatchObject({ truncated: true });
  });
});

describe('files.search', () => {
  beforeEach(() => {
    put('a.ts', 'one\n  Needle here\r\nneedle NEEDLE\n');
    put('docs/b.md', 'no\nneedle');
    put('bin', Uint8Array.of(110, 101, 101, 100, 108, 101, 0));
  });

  it('finds a text without regard to case, with path, line and trimmed text', async () => {
    expect(await call('files.search', { query: 'needle' })).toEqual({
      query: 'needle',
      matches: [
        { path: 'a.ts', line: 2, text: 'Needle here' },
        { path: 'a.ts', line: 3, text: 'needle NEEDLE' },
        { path: 'docs/b.md', line: 2, text: 'needle' },
      ],
      files: 2,
      skipped: 1,
      unreadable: [],
      truncated: false,
    });
  });

  it('treats the query as literal text', async () => {
    put('c.txt', 'a.*b (x\n');
    expect(await call('files.search', { query: '.*b (' })).toMatchObject({ matches: [{ path: 'c.txt' }] });
    expect(await call('files.search', { query: 'n.edle' })).toMatchObject({ matches: [] });
  });

  it('searches a folder, a single file, or the files that match a glob', async () => {
    const paths = async (input: object): Promise<string[]> => {
      const { matches } = (await call('files.search', { query: 'needle', ...input })) as unknown as {
        matches: { path: string }[];
      };
      return [...new Set(matches.map(({ path }) => path))];
    };
    expect(await paths({ path: 'docs' })).toEqual(['docs/b.md']);
    expect(await paths({ path: 'a.ts' })).toEqual(['a.ts']);
    expect(await paths({ glob: '*.md' })).toEqual(['docs/b.md']);
    expect(await paths({ glob: '*.{ts,tsx}' })).toEqual(['a.ts']);
    expect(await paths({ glob: '/*.md' })).toEqual([]);
    await expect(call('files.search', { query: 'x', path: 'absent' })).rejects.toMatchObject({
      code: 'files.not_found',
    });
  });

  it('stops at the limit and says so', async () => {
    expect(await call('files.search', { query: 'needle', limit: 2 })).toMatchObject({
      matches: [{}, {}],
      truncated: true,
    });
    expect(await call('files.search', { query: 'needle', limit: 3 })).toMatchObject({
      matches: [{}, {}, {}],
      truncated: false,
    });
  });

  it('cuts long lines around the match', async () => {
    put('long.txt', `${'x'.repeat(1_000)} target ${'😀'.repeat(500)}`);
    const found = (await call('files.search', { query: 'target' })) as { matches: { text: string }[] };
    expect(found.matches).toHaveLength(1);
    expect(found.matches[0]?.text).toMatch(/^…x+ target .*…$/u);
    expect(found.matches[0]?.text.length).toBeLessThan(210);
  });

  it('finds every line of a large file', async () => {
    put('large.txt', 'target\n'.repeat(400_000));
    const found = (await call('files.search', { query: 'target', limit: 1_000_000 })) as {
      matches: object[];
    };
    expect(found.matches).toHaveLength(400_000);
  });

  it('stops when aborted', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    context = { ...context, signal: stop.signal };
    await expect(call('files.search', { query: 'needle' })).rejects.toThrow('stopped');
  });
});

describe('files.write', () => {
  const write = toolNamed('files.write');
  const input = { path: 'new/deep/a.md', content: 'fresh' };
  const capture = (given = input): Promise<Json> => write.preimage?.(given, context) as Promise<Json>;
  const undo = (preimage: Json, given = input, force = false): Promise<string> =>
    write.undo?.({ input: given, preimage, force }, context) as Promise<string>;

  it('refuses to empty a file, and keeps it', async () => {
    await call('files.write', input);
    for (const content of ['', ' \n'])
      await expect(call('files.write', { ...input, content })).rejects.toMatchObject({
        code: 'files.empty_write',
      });
    await call('files.write', input);
    expect(await call('files.write', { path: 'new.txt', content: '' })).toMatchObject({ bytes: 0 });
    expect(await call('files.write', { path: 'new.txt', content: '' })).toMatchObject({ bytes: 0 });
  });

  it('writes, and emits what it wrote under its path', async () => {
    expect(await call('files.write', input)).toEqual({
      path: 'new/deep/a.md',
      bytes: 5,
      digest: digestOf('fresh'),
    });
    expect(text('new/deep/a.md')).toBe('fresh');
    expect(emitted).toEqual(['new/deep/a.md']);
  });

  it('returns the same answer and does not write the file when it already has that content', async () => {
    const first = await call('files.write', input);
    const before = statSync(join(root, input.path), { bigint: true });
    expect(await call('files.write', input)).toEqual(first);
    const after = statSync(join(root, input.path), { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  it('is undone by removing the file and the folders that it created', async () => {
    const preimage = await capture();
    expect(preimage).toMatchObject({ path: 'new/deep/a.md', existed: false, folders: ['new/deep', 'new'] });
    await call('files.write', input);
    expect(await undo(preimage)).toBe('removed new/deep/a.md, which the run had created');
    expect(existsSync(join(root, 'new'))).toBe(false);
    expect(await undo(preimage)).toBe('new/deep/a.md is already as before the run');
  });

  it('keeps folders that contain something else', async () => {
    const preimage = await capture();
    await call('files.write', input);
    put('new/other.txt', 'x');
    await undo(preimage);
    expect(existsSync(join(root, 'new/deep'))).toBe(false);
    expect(text('new/other.txt')).toBe('x');
  });

  it('is undone to the exact bytes and permissions, and the previous version is not listed as an output', async () => {
    const given = { path: 'a.bin', content: 'text' };
    put('a.bin', Uint8Array.of(0, 255));
    chmodSync(join(root, 'a.bin'), 0o600);
    const preimage = await capture(given);
    await call('files.write', given);
    expect(emitted).toEqual(['a.bin']);
    expect(await undo(preimage, given)).toBe('restored a.bin');
    expect([...readFileSync(join(root, 'a.bin'))]).toEqual([0, 255]);
    expect(statSync(join(root, 'a.bin')).mode & 0o777).toBe(0o600);
    expect(await undo(preimage, given)).toContain('is already as before the run');
  });

  it('refuses to undo a file that was changed or removed since, unless forced', async () => {
    const given = { path: 'a.txt', content: 'by the run' };
    put('a.txt', 'before');
    const preimage = await capture(given);
    await call('files.write', given);
    put('a.txt', 'by a person');
    await expect(undo(preimage, given)).rejects.toMatchObject({
      code: 'engine.undo_conflict',
      data: { path: 'a.txt' },
    });
    expect(text('a.txt')).toBe('by a person');
    rmSync(join(root, 'a.txt'));
    await expect(undo(preimage, given)).rejects.toThrow('was removed after the run');
    expect(await undo(preimage, given, true)).toBe('restored a.txt');
    expect(text('a.txt')).toBe('before');
  });

  it('reports that the previous content is no longer stored', async () => {
    const given = { path: 'a.txt', content: 'new' };
    put('a.txt', 'before');
    const preimage = await capture(given);
    await call('files.write', given);
    await artifacts.delete(digestOf('before'));
    await expect(undo(preimage, given)).rejects.toMatchObject({ code: 'engine.artifact_missing' });
    expect(text('a.txt')).toBe('new');
  });

  it('refuses a path it may not write before anything is recorded', async () => {
    for (const path of ['.git/config', '../x', 'POLICY.md']) {
      await expect(capture({ path, content: '' })).rejects.toMatchObject({ name: 'OkaError' });
    }
  });
});

/** A tool with the means to take back what it did, as the engine uses them. */
function undoable(name: string) {
  const tool = toolNamed(name);
  return {
    capture: (given: Json) => tool.preimage?.(parse(tool.input, given), context) as Promise<Json>,
    undo: (given: Json, preimage: Json, force = false) =>
      tool.undo?.({ input: parse(tool.input, given), preimage, force }, context) as Promise<string>,
  };
}

describe('files.edit', () => {
  const edit = undoable('files.edit');
  const given = { path: 'a.ts', old: 'two', new: 'zwei' };

  it('replaces the only occurrence and returns the diff', async () => {
    put('a.ts', 'one\ntwo\nthree\n');
    expect(await call('files.edit', given)).toEqual({
      path: 'a.ts',
      replaced: 1,
      diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n',
      digest_before: digestOf('one\ntwo\nthree\n'),
      digest: digestOf('one\nzwei\nthree\n'),
    });
    expect(text('a.ts')).toBe('one\nzwei\nthree\n');
    expect(emitted).toEqual(['a.ts']);
  });

  it('refuses a text that occurs never or more than once, and changes nothing', async () => {
    put('a.ts', 'two two');
    await expect(call('files.edit', given)).rejects.toMatchObject({
      code: 'files.text_ambiguous',
      data: { path: 'a.ts', found: 2 },
    });
    await expect(edit.capture(given)).rejects.toMatchObject({ code: 'files.text_ambiguous' });
    await expect(call('files.edit', { ...given, old: 'Two' })).rejects.toMatchObject({
      code: 'files.text_not_found',
    });
    expect(text('a.ts')).toBe('two two');
    expect(await call('files.edit', { ...given, all: true })).toMatchObject({ replaced: 2 });
    expect(text('a.ts')).toBe('zwei zwei');
  });

  it('treats both texts literally and keeps line ends, byte order mark and permissions', async () => {
    put('a.ts', '\ufeffa.*b\r\nrest\r\n');
    chmodSync(join(root, 'a.ts'), 0o755);
    await call('files.edit', { path: 'a.ts', old: 'a.*b', new: "$& $1 $'" });
    expect(text('a.ts')).toBe("\ufeff$& $1 $'\r\nrest\r\n");
    expect(statSync(join(root, 'a.ts')).mode & 0o777).toBe(0o755);
  });

  it('refuses a missing file and a file that is not text', async () => {
    await expect(edit.capture(given)).rejects.toMatchObject({ code: 'files.not_found' });
    put('a.ts', Uint8Array.of(0, 1));
    await expect(call('files.edit', given)).rejects.toMatchObject({ code: 'files.not_text' });
  });

  it('omits a diff that is too long', async () => {
    put('a.ts', 'two\n'.repeat(5_000));
    expect(await call('files.edit', { ...given, all: true })).toMatchObject({
      replaced: 5_000,
      diff: 'a/a.ts and b/a.ts differ in more than 1000 lines\n',
    });
  });

  it('is undone unless the file was changed since', async () => {
    put('a.ts', 'one two');
    const preimage = await edit.capture(given);
    await call('files.edit', given);
    expect(await edit.undo(given, preimage)).toBe('restored a.ts');
    expect(text('a.ts')).toBe('one two');
    await call('files.edit', given);
    put('a.ts', 'by a person');
    await expect(edit.undo(given, preimage)).rejects.toMatchObject({ code: 'engine.undo_conflict' });
    expect(text('a.ts')).toBe('by a person');
  });
});

describe('files.move', () => {
  const move = undoable('files.move');
  const given = { from: 'a.sh', to: 'new/deep/b.sh' };

  it('moves a file, and is undone with its permissions and the folders it created', async () => {
    put('a.sh', 'x');
    chmodSync(join(root, 'a.sh'), 0o755);
    const preimage = await move.capture(given);
    expect(await call('files.move', { from: './a.sh', to: 'new/deep/b.sh' })).toEqual(given);
    expect(text('new/deep/b.sh')).toBe('x');
    expect(existsSync(join(root, 'a.sh'))).toBe(false);
    expect(await move.undo(given, preimage)).toBe(
      'restored a.sh; removed new/deep/b.sh, which the run had created',
    );
    expect(statSync(join(root, 'a.sh')).mode & 0o777).toBe(0o755);
    expect(existsSync(join(root, 'new'))).toBe(false);
    expect(await move.undo(given, preimage)).toContain('is already as before the run');
  });

  it('refuses a taken name, a folder, and a missing file', async () => {
    put('a.sh', 'x');
    put('taken', 'y');
    put('folder/z', 'z');
    const refused: readonly (readonly [Json, string])[] = [
      [{ from: 'a.sh', to: 'taken' }, 'files.exists'],
      [{ from: 'a.sh', to: 'folder' }, 'files.exists'],
      [{ from: 'folder', to: 'other' }, 'files.not_a_file'],
      [{ from: 'absent', to: 'other' }, 'files.not_found'],
    ];
    for (const [input, code] of refused) {
      await expect(move.capture(input)).rejects.toMatchObject({ code });
      await expect(call('files.move', input)).rejects.toMatchObject({ code });
    }
    expect([text('a.sh'), text('taken'), text('folder/z')]).toEqual(['x', 'y', 'z']);
  });

  it('undoes neither name when one of them was changed, unless forced', async () => {
    put('a.sh', 'x');
    const preimage = await move.capture(given);
    await call('files.move', given);
    put(given.to, 'by a person');
    await expect(move.undo(given, preimage)).rejects.toMatchObject({ code: 'engine.undo_conflict' });
    expect(existsSync(join(root, 'a.sh'))).toBe(false);
    await move.undo(given, preimage, true);
    expect(text('a.sh')).toBe('x');
    expect(existsSync(join(root, given.to))).toBe(false);
  });
});

describe('files.delete', () => {
  const remove = undoable('files.delete');

  it('declares that it destroys, so that policy asks', () => {
    expect(toolNamed('files.delete').annotations).toMatchObject({ destructive: true, readOnly: false });
  });

  it('deletes a file, and is undone with its bytes and permissions', async () => {
    put('a.bin', Uint8Array.of(0, 255));
    chmodSync(join(root, 'a.bin'), 0o740);
    const preimage = await remove.capture({ path: 'a.bin' });
    expect(await call('files.delete', { path: './a.bin' })).toEqual({ path: 'a.bin' });
    expect(existsSync(join(root, 'a.bin'))).toBe(false);
    expect(await remove.undo({ path: 'a.bin' }, preimage)).toBe('restored a.bin');
    expect([...readFileSync(join(root, 'a.bin'))]).toEqual([0, 255]);
    expect(statSync(join(root, 'a.bin')).mode & 0o777).toBe(0o740);
  });

  it('deletes an empty folder, and is undone; a folder with content stays', async () => {
    put('folder/inner/x', 'x');
    await expect(call('files.delete', { path: 'folder' })).rejects.toMatchObject({
      code: 'files.not_a_file',
    });
    rmSync(join(root, 'folder/inner/x'));
    const preimage = await remove.capture({ path: 'folder/inner' });
    await call('files.delete', { path: 'folder/inner' });
    expect(existsSync(join(root, 'folder/inner'))).toBe(false);
    await remove.undo({ path: 'folder/inner' }, preimage);
    expect(statSync(join(root, 'folder/inner')).isDirectory()).toBe(true);
  });

  it('refuses to undo when another file or folder is at the path', async () => {
    put('a.txt', 'x');
    const preimage = await remove.capture({ path: 'a.txt' });
    await call('files.delete', { path: 'a.txt' });
    put('a.txt', 'by a person');
    await expect(remove.undo({ path: 'a.txt' }, preimage)).rejects.toMatchObject({
      code: 'engine.undo_conflict',
    });
  });

  it('refuses a missing path, and protected files', async () => {
    await expect(remove.capture({ path: 'absent' })).rejects.toMatchObject({ code: 'files.not_found' });
    put('POLICY.md', 'rules');
    await expect(call('files.delete', { path: 'POLICY.md' })).rejects.toMatchObject({
      code: 'files.protected',
    });
    expect(text('POLICY.md')).toBe('rules');
  });
});

describe('a run that edits, moves and deletes', () => {
  const allow: Policy = {
    version: 'test',
    decide: () => ({ decision: 'allow', rule: 'test', why: 'a test' }),
  };
  const steps = scripted(
    callTool('files.edit', { path: 'a.txt', old: 'one', new: 'two' }),
    callTool('files.move', { from: 'a.txt', to: 'moved/b.txt' }),
    callTool('files.edit', { path: 'moved/b.txt', old: 'two', new: 'three' }),
    callTool('files.delete', { path: 'moved/b.txt' }),
    callTool('files.delete', { path: 'moved' }),
  );

  it('is undone as a whole, newest first', async () => {
    put('a.txt', 'one');
    const { engine } = makeEngine(steps, builtInTools(), {
      artifacts,
      capabilities: context.capabilities,
      policy: allow,
    });
    const run = await engine.run({ kind: 'test', goal: 'tidy up' });
    expect(run.ended).toMatchObject({ status: 'completed' });
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
    const { changes } = await engine.undo(run.id, 'ann');
    expect(changes.map(({ restored }) => restored)).toEqual([true, true, true, true, true]);
    expect(text('a.txt')).toBe('one');
    expect(existsSync(join(root, 'moved'))).toBe(false);
  });

  it('changes nothing when it is simulated, and reports what it would have changed', async () => {
    put('a.txt', 'one');
    const overlay = new OverlayFiles(new WorkspaceFiles(root));
    const { engine } = makeEngine(steps, builtInTools(), {
      artifacts,
      capabilities: { files: overlay, artifacts },
      policy: allow,
      simulate: true,
    });
    expect((await engine.run({ kind: 'test', goal: 'tidy up' })).ended).toMatchObject({
      status: 'completed',
    });
    expect(await overlay.changes()).toMatchObject([
      { path: 'a.txt', change: 'removed', bytes: 0, bytesBefore: 3 },
    ]);
    expect(text('a.txt')).toBe('one');
  });

  it('asks a person before it deletes', async () => {
    put('a.txt', 'one');
    const { engine } = makeEngine(scripted(callTool('files.delete', { path: 'a.txt' })), builtInTools(), {
      artifacts,
      capabilities: context.capabilities,
    });
    const run = await engine.run({ kind: 'test', goal: 'delete' });
    expect(run.waiting).toMatchObject({ for: 'approval' });
    expect(text('a.txt')).toBe('one');
  });
});
