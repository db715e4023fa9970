import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../src/adapters/files/index.ts';
import { MemoryArtifactStore, type RunId, type Tool, type ToolContext } from '../src/engine/index.ts';
import { digestOf, type Json, systemClock } from '../src/kernel/index.ts';
import { builtInTools } from '../src/tools/index.ts';
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
  it('gives text with its size and digest, cut between characters', async () => {
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

  it('keeps a byte order mark, so that what is written back is the same', async () => {
    put('bom.txt', '\ufeffx');
    expect(await call('files.read', { path: 'bom.txt' })).toMatchObject({ content: '\ufeffx' });
  });

  it('refuses what is not text', async () => {
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
  it('lists the workspace one level deep unless told otherwise', async () => {
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
      truncated: false,
    });
  });

  it('takes the query literally', async () => {
    put('c.txt', 'a.*b (x\n');
    expect(await call('files.search', { query: '.*b (' })).toMatchObject({ matches: [{ path: 'c.txt' }] });
    expect(await call('files.search', { query: 'n.edle' })).toMatchObject({ matches: [] });
  });

  it('searches a folder, a single file, or what a glob names', async () => {
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

  it('cuts long lines around the match and skips files that are too large', async () => {
    put('long.txt', `${'x'.repeat(1_000)} target ${'😀'.repeat(500)}`);
    put('large.txt', 'target\n'.repeat(400_000));
    const found = (await call('files.search', { query: 'target' })) as {
      matches: { text: string }[];
      skipped: number;
    };
    expect(found.matches).toHaveLength(1);
    expect(found.matches[0]?.text).toMatch(/^…x+ target .*…$/u);
    expect(found.matches[0]?.text.length).toBeLessThan(210);
    expect(found.skipped).toBe(2);
  });

  it('stops when it is told to', async () => {
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

  it('writes, and emits what it wrote under its path', async () => {
    expect(await call('files.write', input)).toEqual({
      path: 'new/deep/a.md',
      bytes: 5,
      digest: digestOf('fresh'),
    });
    expect(text('new/deep/a.md')).toBe('fresh');
    expect(emitted).toEqual(['new/deep/a.md']);
  });

  it('gives the same answer and leaves the file alone when it already stands as wanted', async () => {
    const first = await call('files.write', input);
    const before = statSync(join(root, input.path), { bigint: true });
    expect(await call('files.write', input)).toEqual(first);
    const after = statSync(join(root, input.path), { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  it('is undone by removing what it created, with the folders it made', async () => {
    const preimage = await capture();
    expect(preimage).toEqual({ path: 'new/deep/a.md', existed: false, folders: ['new/deep', 'new'] });
    await call('files.write', input);
    expect(await undo(preimage)).toBe('removed new/deep/a.md, which the run had created');
    expect(existsSync(join(root, 'new'))).toBe(false);
    expect(await undo(preimage)).toBe('new/deep/a.md already stands as it was before the run');
  });

  it('leaves folders that hold something else', async () => {
    const preimage = await capture();
    await call('files.write', input);
    put('new/other.txt', 'x');
    await undo(preimage);
    expect(existsSync(join(root, 'new/deep'))).toBe(false);
    expect(text('new/other.txt')).toBe('x');
  });

  it('is undone to the very bytes and permissions that stood there, which no run lists as its own', async () => {
    const given = { path: 'a.bin', content: 'text' };
    put('a.bin', Uint8Array.of(0, 255));
    chmodSync(join(root, 'a.bin'), 0o600);
    const preimage = await capture(given);
    await call('files.write', given);
    expect(emitted).toEqual(['a.bin']);
    expect(await undo(preimage, given)).toBe('restored a.bin');
    expect([...readFileSync(join(root, 'a.bin'))]).toEqual([0, 255]);
    expect(statSync(join(root, 'a.bin')).mode & 0o777).toBe(0o600);
    expect(await undo(preimage, given)).toContain('already stands');
  });

  it('refuses to undo what somebody has changed or removed since, unless forced', async () => {
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

  it('says when what stood there before is no longer kept', async () => {
    const given = { path: 'a.txt', content: 'new' };
    put('a.txt', 'before');
    const preimage = await capture(given);
    await call('files.write', given);
    await artifacts.delete(digestOf('before'));
    await expect(undo(preimage, given)).rejects.toMatchObject({ code: 'engine.artifact_missing' });
    expect(text('a.txt')).toBe('new');
  });

  it('refuses a place it may not write before anything is recorded', async () => {
    for (const path of ['.git/config', '../x', 'POLICY.md']) {
      await expect(capture({ path, content: '' })).rejects.toMatchObject({ name: 'OkaError' });
    }
  });
});
