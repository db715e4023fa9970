import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ContextStatusAnswer, NodeContextAnswer, WrittenFrameAnswer } from '../../src/api/index.ts';
import { toRefusal, Workspace } from '../cli/oka-process.ts';

const FILES = { 'src/a.txt': 'alpha', 'src/b.txt': 'beta', 'note.md': 'What alpha is. It is first.\n' };

const made = (): Workspace => Workspace.trusted({ files: FILES });
const status = async (workspace: Workspace): Promise<ContextStatusAnswer> =>
  (await workspace.answer<ContextStatusAnswer>('context', 'status')).data;

/** Scans, says something, synthesizes; answers with the ids. */
async function work(workspace: Workspace): Promise<readonly string[]> {
  await workspace.answer('context', 'scan');
  const put = await workspace.answer<WrittenFrameAnswer>(
    'context',
    'put-frame',
    'src/a.txt',
    workspace.at('note.md'),
  );
  const branch = await workspace.answer<WrittenFrameAnswer>(
    'context',
    'synthesize',
    'src',
    '--policy',
    'summarization',
  );
  return [put.data.frame.id, branch.data.frame.id];
}

describe('the context commands', () => {
  it('are reproducible: the same commands in another folder give the same ids', async () => {
    const [one, other] = [made(), made()];
    expect(await work(one)).toEqual(await work(other));
    expect((await status(one)).root).toBe((await status(other)).root);
  });

  it('can be run again and leave the same state', async () => {
    const workspace = made();
    const ids = await work(workspace);
    const [before, events] = [await status(workspace), await workspace.verified()];
    expect(await work(workspace)).toEqual(ids);
    expect(await status(workspace)).toEqual(before);
    expect(await workspace.verified()).toBe(events);
  });

  it('change no other workspace', async () => {
    const [one, other] = [made(), made()];
    await work(other);
    const before = [await status(other), await other.verified()];
    await work(one);
    await one.answer('context', 'put-frame', 'src/b.txt', one.at('note.md'));
    expect([await status(other), await other.verified()]).toEqual(before);
    expect(await status(one)).toMatchObject({ frames: 3 });
  });

  it('report the problem and the next step', async () => {
    const workspace = made();
    const unscanned = await workspace.refusal('context', 'get-node', 'src');
    expect(unscanned).toMatchObject({ exitCode: 3, error: { code: 'context.not_scanned' } });
    expect(unscanned.error.message).toContain('oka context scan');
    await workspace.answer('context', 'scan');
    const refusals = [
      [['get-node', 'scr'], 'context.node_unknown', 'Did you mean "src"?'],
      [['put-frame', 'src', workspace.at('note.md'), '--agent', 'nobody'], 'agent.unknown', 'oka agent list'],
      [['synthesize', 'src/a.txt'], 'context.not_a_directory', 'put-frame'],
      [['compose', 'src', '--order', 'recent'], 'context.ordering_unknown', 'recency'],
      [['put-frame', 'src', 'nowhere.md'], 'cli.usage', 'Give a file'],
      [['get-node', 'src', '--view', 'ordr=type'], 'cli.usage', 'order'],
    ] as const;
    for (const [command, code, hint] of refusals) {
      const { error } = await workspace.refusal('context', ...command);
      expect(error).toMatchObject({ code, message: expect.stringContaining(hint) });
    }
  });

  it('verify who writes: a reader of the workspace is refused with exit code 4', async () => {
    const workspace = made();
    workspace.put('.oka/agents/rita.md', '---\nname: rita\ncontextRole: reader\n---\nReads.\n');
    workspace.put('.oka/agents/walt.md', '---\nname: walt\ncontextRole: writer\n---\nWrites.\n');
    await workspace.answer('context', 'scan');
    const put = ['context', 'put-frame', 'src/a.txt', workspace.at('note.md'), '--agent'];
    expect(await workspace.refusal(...put, 'rita')).toMatchObject({
      exitCode: 4,
      error: { code: 'context.not_allowed' },
    });
    const { data } = await workspace.answer<WrittenFrameAnswer>(...put, 'walt');
    expect(data.frame).toMatchObject({ agent: 'walt', type: 'note', path: 'src/a.txt' });
    const seen = await workspace.answer<NodeContextAnswer>(
      'context',
      'get-node',
      'src/a.txt',
      '--agent',
      'rita',
    );
    expect(seen.data).toMatchObject({
      frameCount: 1,
      frames: [{ agent: 'walt', content: FILES['note.md'] }],
    });
  });

  it('validate names each fault and exits with 7', async () => {
    const workspace = made();
    await workspace.answer('context', 'scan');
    workspace.put('long.md', 'many words '.repeat(3_000));
    const put = ['context', 'put-frame', 'src/a.txt', workspace.at('long.md')];
    const { data } = await workspace.answer<WrittenFrameAnswer>(...put);
    expect(await workspace.answer('context', 'validate')).toMatchObject({ exitCode: 0, data: { ok: true } });
    for (const path of readdirSync(workspace.at('.oka/objects'), { recursive: true, encoding: 'utf8' }))
      if (path.length > 60) writeFileSync(join(workspace.at('.oka/objects'), path), 'swapped');
    const { exitCode, data: found } = await workspace.answer<{ ok: boolean; faults: { where: string }[] }>(
      'context',
      'validate',
    );
    expect(exitCode).toBe(7);
    expect(found.ok).toBe(false);
    expect(found.faults.map(({ where }) => where)).toContain(`frame ${data.frame.id} (src/a.txt, note)`);
    expect(await workspace.answer('context', 'get-node', 'src/a.txt')).toMatchObject({
      exitCode: 7,
      data: { frames: [{ id: data.frame.id, unreadable: expect.stringContaining('damaged') }] },
    });
  });

  it('work in batches: each line gets an answer, and a failing line stops no other', async () => {
    const workspace = made();
    await workspace.answer('context', 'scan');
    const lines = [
      { op: 'put-frame', node: 'src/a.txt', content: 'one' },
      { op: 'put-frame', node: 'nowhere', content: 'two' },
      { op: 'put-fram', node: 'src' },
      { op: 'put-frame', node: 'src', content: 3 },
      { op: 'synthesize', node: 'src' },
      { op: 'regenerate', node: '.', recursive: true, dryRun: true },
      { op: 'get-head', node: 'src' },
    ];
    workspace.put('batch.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot json\n`);
    const { stdout, exitCode } = await workspace.oka('context', 'batch', workspace.at('batch.jsonl'));
    expect(exitCode).toBe(1);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { ok: boolean; error?: { code: string } });
    expect(answers.map(({ ok, error }) => error?.code ?? ok)).toEqual([
      true,
      'context.node_unknown',
      'cli.usage',
      'context.invalid',
      true,
      true,
      true,
      'cli.invalid_json',
    ]);
  });

  it('are rejected in an untrusted workspace, and reading writes nothing there', async () => {
    const workspace = Workspace.trusted({ files: FILES });
    const stranger = new Workspace({ root: workspace.root, files: {} });
    const refused = await stranger.oka('context', 'scan', '--json');
    expect(toRefusal(refused).error.code).toBe('config.not_trusted');
    await workspace.answer('context', 'scan');
    rmSync(workspace.at('.oka/run'), { recursive: true });
    expect((await stranger.answer('context', 'status')).data).toMatchObject({ root: null, files: 0 });
    expect(existsSync(workspace.at('.oka/run'))).toBe(false);
  });
});
