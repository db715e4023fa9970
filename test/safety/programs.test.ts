import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { markFile } from '../../src/disk/index.ts';
import { statusOf } from '../../src/engine/index.ts';
import type { RecordedFile } from '../../src/tools/index.ts';
import { openApproval } from '../support/engine-kit.ts';
import { printed, programsKit } from './programs-kit.ts';

const SAYS = (text: string): string => `#!/bin/sh\necho ${text}\n`;
function replaceByLink(file: string): void {
  renameSync(file, `${file}.old`);
  symlinkSync(`${file}.old`, file);
}

const GIT_ROW = '| process.run and argv starts with git status | allow | reads only |';

describe('a program in the folder of a workspace', () => {
  it('is invisible in .oka/tools/bin unless Oka installed it, also to programs that search the PATH', async () => {
    const { put, processes, workspace } = programsKit();
    for (const name of ['git', 'oka-test-planted'])
      put(`work/.oka/tools/bin/${name}`, SAYS('planted'), 0o755);
    put('work/.oka/tools/node/bin/git', SAYS('planted'), 0o755);
    put('work/.oka/tools/python/bin/git', SAYS('planted'), 0o755);
    const run = (argv: string[]) => processes.run({ argv, timeoutMs: 60_000 }, new AbortController().signal);
    expect((await run(['git', '--version'])).stdout).toContain('git version');
    await expect(run(['oka-test-planted'])).rejects.toMatchObject({
      code: 'process.program_missing',
      message: expect.stringContaining('Oka did not install it, or it changed since'),
    });
    expect((await run(['env', 'git', '--version'])).stdout).toContain('git version');
    expect((await run(['printenv', 'PATH'])).stdout).not.toContain(workspace);
  });

  it('runs by its name once it is recorded, until it, its link or a neighbour changes', async () => {
    const { put, record, processes, workspace } = programsKit();
    const tools = join(workspace, '.oka', 'tools');
    const target = put('work/.oka/tools/node/packages/a/cli', SAYS('installed'), 0o755);
    mkdirSync(join(tools, 'bin'), { recursive: true });
    symlinkSync('../node/packages/a/cli', join(tools, 'bin', 'oka-test-tool'));
    record.write({ 'bin/oka-test-tool': markFile(tools, 'bin/oka-test-tool') as RecordedFile });
    const run = async (...argv: string[]): Promise<string> => {
      const request = { argv, timeoutMs: 60_000 };
      return (await processes.run(request, new AbortController().signal)).stdout;
    };
    const missing = { code: 'process.program_missing' };
    expect(await run('oka-test-tool')).toBe('installed\n');
    expect(await run('printenv', 'PATH')).toContain(join(tools, 'bin'));

    put('work/.oka/tools/bin/git', SAYS('planted'), 0o755);
    expect(await run('printenv', 'PATH')).not.toContain(join(tools, 'bin'));
    expect(await run('oka-test-tool')).toBe('installed\n');

    writeFileSync(target, SAYS('replaced!'));
    await expect(run('oka-test-tool')).rejects.toMatchObject(missing);
    writeFileSync(target, SAYS('installed'));
    expect(await run('oka-test-tool')).toBe('installed\n');
    const other = put('work/.oka/tools/node/packages/b/cli', SAYS('installed'), 0o755);
    rmSync(join(tools, 'bin', 'oka-test-tool'));
    symlinkSync(other, join(tools, 'bin', 'oka-test-tool'));
    await expect(run('oka-test-tool')).rejects.toMatchObject(missing);
  });

  it('is not found through relative PATH entries or those inside the workspace', async () => {
    const { put, processes, workspace } = programsKit();
    put('work/bin/oka-test-planted', SAYS('planted'), 0o755);
    vi.stubEnv('PATH', `bin:.:${join(workspace, 'bin')}:${process.env['PATH']}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const request = { argv: ['oka-test-planted'], timeoutMs: 60_000 };
    await expect(processes.run(request, new AbortController().signal)).rejects.toMatchObject({
      code: 'process.program_missing',
    });
  });
});

describe('a policy row that names a program', () => {
  it('covers neither a program of the folder nor one that is called by a path', async () => {
    const { put, start, asks } = programsKit({ rows: [GIT_ROW] });
    put('work/.oka/tools/bin/git', SAYS('planted'), 0o755);
    put('work/git', SAYS('planted'), 0o755);
    const run = await start({ argv: ['git', 'status'] });
    expect(statusOf(run)).not.toBe('waiting');
    expect(JSON.stringify(run.output)).not.toContain('planted');
    expect(await asks({ argv: ['./git', 'status'] })).toBe(true);
  });

  it('asks when a program that the user can write takes the place of the one that it covered', async () => {
    const { put, addToPath, start, asks, approve, engine } = programsKit({ rows: [GIT_ROW] });
    expect(await asks({ argv: ['git', 'status'] })).toBe(false);
    const planted = put('own/git', SAYS('one'), 0o755);
    addToPath(join(planted, '..'));
    await start({ argv: ['git', 'status'] });
    const approval = await openApproval(engine);
    expect(approval.why).toContain(`the program "git" is now ${planted}`);
    expect(approval.known?.[0]).toContain(`program ${planted} (sha256 `);
    await approve();
    // The approved program is the one that the row covers from now on, until it changes again.
    expect(await asks({ argv: ['git', 'status'] })).toBe(false);
    writeFileSync(planted, SAYS('two'));
    expect(await asks({ argv: ['git', 'status'] })).toBe(true);
  });

  it('asks when its program is a link into the workspace', async () => {
    const { put, around, workspace, addToPath, asks } = programsKit({
      rows: ['| process.run and argv starts with oka-test-mine | allow | mine |'],
    });
    put('work/tool.sh', SAYS('planted'), 0o755);
    mkdirSync(join(around, 'own'));
    symlinkSync(join(workspace, 'tool.sh'), join(around, 'own', 'oka-test-mine'));
    addToPath(join(around, 'own'));
    expect(await asks({ argv: ['oka-test-mine'] })).toBe(true);
  });
});

describe('an approved script', () => {
  const INPUT = { argv: ['node', 'build.js'] };

  it('is shown with its program, and runs as it was approved', async () => {
    const { put, start, approve, engine, workspace } = programsKit();
    put('work/build.js', "console.log('as approved')");
    await start(INPUT);
    const { known } = await openApproval(engine);
    expect(known?.[0]).toMatch(/^program \/.*node.* \(sha256 [0-9a-f]{12}…\)$/);
    expect(known?.[1]).toMatch(new RegExp(`^file ${join(workspace, 'build.js')} \\(sha256 `));
    expect(printed(await approve())).toBe('as approved\n');
  });

  it('asks again when it changed after the approval, and runs what was approved last', async () => {
    const { put, start, approve, engine } = programsKit();
    const script = put('work/build.js', "console.log('as approved')");
    await start(INPUT);
    const first = await openApproval(engine);
    // Same size, and a modification time in the past.
    const then = new Date(1_600_000_000_000);
    writeFileSync(script, "console.log('is hostile!')");
    utimesSync(script, then, then);
    const again = await approve();
    expect(statusOf(again)).toBe('waiting');
    const second = await openApproval(engine);
    expect(second).toMatchObject({
      why: `${script} changed after the call was approved`,
      rule: 'changed_program',
      arguments: expect.objectContaining(INPUT),
    });
    expect(second.id).not.toBe(first.id);
    expect(printed(await approve())).toBe('is hostile!\n');
    const report = await engine.replayDecisions(again.id);
    expect(report.differences).toEqual([]);
  });

  it.each([
    ['appears', () => undefined],
    ['disappears', (file: string) => rmSync(file)],
    ['becomes a link', replaceByLink],
  ])('asks again when a file that its arguments name %s', async (what, change) => {
    const { put, start, approve, around } = programsKit();
    put('work/build.js', '0');
    if (what !== 'appears') put('work/setup.cjs', '0');
    await start({ argv: ['node', '--require=./setup', 'build.js'] });
    if (what === 'appears') put('work/setup.cjs', 'process.exit(3)');
    change(join(around, 'work', 'setup.cjs'));
    expect(statusOf(await approve())).toBe('waiting');
  });

  it('asks again when it changes after the last check and before the program starts', async () => {
    let script = '';
    let swap = true;
    const { put, start, approve, engine } = programsKit({
      beforeStart: () => void (swap && writeFileSync(script, "console.log('is hostile!')")),
    });
    script = put('work/build.js', "console.log('as approved')");
    const { id } = await start(INPUT);
    expect(statusOf(await approve())).toBe('waiting');
    const events = (await engine.parts.events.read(`run/${id}`)).map(({ type }) => type);
    expect(events.slice(-3)).toEqual(['tool.intended', 'tool.withdrawn', 'approval.requested']);
    expect((await openApproval(engine)).why).toContain('build.js changed right before it was used');
    expect((await engine.replayDecisions(id)).differences).toEqual([]);
    swap = false;
    writeFileSync(script, "console.log('as approved')");
    expect(statusOf(await approve())).toBe('waiting');
    expect(printed(await approve())).toBe('as approved\n');
  });

  it('is bound to the new script when a person edits the arguments', async () => {
    const { put, start, approve } = programsKit();
    put('work/build.js', "console.log('requested')");
    const other = put('work/other.js', "console.log('edited')");
    const edit = { argv: ['node', 'other.js'] };
    await start(INPUT);
    expect(printed(await approve({ edit }))).toBe('edited\n');
    await start(INPUT);
    const changed = await approve({ edit }, () => writeFileSync(other, "console.log('hostile')"));
    expect(statusOf(changed)).toBe('waiting');
  });

  it('that an earlier version requested without a binding still runs', async () => {
    const old = programsKit({ unbound: true });
    old.put('work/build.js', "console.log('old')");
    const run = await old.start(INPUT);
    expect(run.waiting).not.toHaveProperty('binding');
    const { approve } = programsKit({ around: old.around, stores: old.engine.parts });
    expect(printed(await approve())).toBe('old\n');
  });
});
