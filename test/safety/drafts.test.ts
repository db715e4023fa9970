import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../src/engine/index.ts';
import { openApproval } from '../support/engine-kit.ts';
import { draftsKit } from './drafts-kit.ts';
import { printed, type programsKit, withoutSandbox } from './programs-kit.ts';

describe.skipIf(withoutSandbox)('a program on a draft', () => {
  it('runs without a question, changes the workspace, and is undone exactly', async () => {
    const { run, put, files, engine, workspace } = draftsKit();
    put('work/a.txt', 'old\n', 0o640);
    put('work/b/c.txt', 'gone\n');
    put('work/run.sh', '');
    const before = files();
    const done = await run(
      'echo new >> a.txt; chmod 600 a.txt; rm -r b; mkdir b; echo other > b/d; ln -s a.txt link; mkdir -p x/y; echo deep > x/y/z',
    );
    expect(statusOf(done)).toBe('completed');
    expect(files()).toMatchObject({
      'a.txt': 'file 600 old\nnew\n',
      'b/d': 'file 644 other\n',
      link: 'link a.txt',
      'x/y/z': 'file 644 deep\n',
    });
    expect(files()['b/c.txt']).toBeUndefined();
    const { changes } = (done.output as { output: { changes: unknown } }).output;
    expect(changes).toMatchObject({ created: 3, changed: 1, deleted: 1 });
    const report = await engine.undo(done.id, 'ann', { force: false });
    expect(report.changes).toMatchObject([{ restored: true }]);
    writeFileSync(join(workspace, 'run.sh'), '');
    expect(files()).toEqual(before);
  });

  it('that fails leaves what a plain run would leave', async () => {
    const { run, files } = draftsKit();
    const done = await run('echo half > half.txt; exit 3');
    expect((done.output as { output: { exitCode: number } }).output.exitCode).toBe(3);
    expect(files()['half.txt']).toBe('file 644 half\n');
  });

  it('never plants a repository, a device, a pipe, a link out of the workspace or a set-user-ID file', async () => {
    const { run, files } = draftsKit();
    const deep = Array.from({ length: 60 }, (_, i) => `d${i}`).join('/');
    const done = await run(
      [
        'mkdir -p sub/.git/hooks; echo "[core] fsmonitor = evil" > sub/.git/config; echo ref > sub/.git/HEAD',
        `mkdir -p ${deep}/.git; echo x > ${deep}/.git/config`,
        'mkdir -p bare/objects bare/refs; echo ref > bare/HEAD; echo x > bare/config',
        'mkdir -p closed/.GIT; echo x > closed/.GIT/config; chmod 000 closed',
        'mkfifo pipe; ln -s /etc/passwd out; ln -s ../../x up; ln -s run.sh fine; mkdir -p a/b; ln -s ../.. a/root; ln -s a/root/../x through; echo x > .mcp.json; echo x > Policy.md',
        'echo x > suid; chmod 4755 suid; mkdir .oka2; echo y > .oka2/x',
      ].join('\n'),
    );
    const left = files();
    expect(Object.keys(left).filter((path) => /\.git(\/|$)/i.test(path))).toEqual([]);
    expect(left['bare/HEAD']).toBeUndefined();
    for (const name of ['pipe', 'out', 'up', 'through', '.mcp.json', 'Policy.md'])
      expect(left[name]).toBeUndefined();
    expect(left['fine']).toBe('link run.sh');
    expect(left['suid']).toBe('file 755 x\n');
    expect(left['closed']).toBe('folder 0');
    const { notApplied } = (done.output as { output: { changes: { notApplied: string[] } } }).output.changes;
    expect(notApplied.join('\n')).toContain('pipe: ');
  });

  it('that follows a replaced link reaches nothing outside', async () => {
    const { run, put, files, around } = draftsKit();
    put('outside/secret', 'secret\n');
    execFileSync('ln', ['-s', join(around, 'outside'), join(around, 'work', 'l')]);
    await run('rm l; mkdir l; echo mine > l/secret');
    expect(readFileSync(join(around, 'outside', 'secret'), 'utf8')).toBe('secret\n');
    expect(files()['l/secret']).toBe('file 644 mine\n');
  });

  it('asks an untrusted run before anything is applied, and applies exactly what was shown', async () => {
    const { run, files, engine, workspace } = draftsKit({ untrusted: true });
    const waiting = await run('echo $RANDOM$$ > made.txt');
    expect(statusOf(waiting)).toBe('waiting');
    expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
    const approval = await openApproval(engine);
    expect(approval.known?.join('\n')).toContain('creates made.txt');
    await engine.decide(approval.id, { kind: 'approve' }, 'ann');
    const done = await engine.resume(waiting.id);
    expect(statusOf(done)).toBe('completed');
    expect(files()['made.txt']).toMatch(/^file 644 /);
  });

  it('applies nothing when a file that it changed was changed meanwhile', async () => {
    const { run, put, files, workspace } = draftsKit();
    put('work/a.txt', 'old\n');
    const [done] = await Promise.all([
      run('echo mine >> a.txt; while [ ! -e /tmp/never ] && [ $((i = i + 1)) -lt 200000 ]; do :; done'),
      (async () => {
        for (let i = 0; i < 50; i += 1) await new Promise(setImmediate);
        writeFileSync(join(workspace, 'a.txt'), 'person\n');
      })(),
    ]);
    const failure = (done.output as { failure?: { code: string } }).failure;
    if (failure === null || failure === undefined) expect(files()['a.txt']).toBe('file 644 person\nmine\n');
    else {
      expect(failure.code).toBe('process.draft_conflict');
      expect(files()['a.txt']).toBe('file 644 person\n');
    }
  });
});

describe.skipIf(withoutSandbox)('git on a draft', () => {
  const repository = (options: Parameters<typeof programsKit>[0] = {}) => {
    const kit = draftsKit(options);
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: kit.workspace, encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 'Ann');
    git('config', 'user.email', 'ann@example.org');
    kit.put('work/a.txt', 'one\n');
    git('add', 'a.txt');
    git('commit', '-q', '-m', 'first');
    return { ...kit, git };
  };

  it('only reads without a question', async () => {
    const { start, asks } = repository();
    expect(printed(await start({ argv: ['git', 'log', '--oneline'] }))).toContain('first');
    for (const argv of [
      ['git', 'status'],
      ['git', 'diff'],
      ['git', 'show'],
      ['git', 'branch', '-a'],
    ])
      expect(await asks({ argv })).toBe(false);
  });

  it('commits after one question, and the commit can be undone', async () => {
    const { start, approve, put, git, engine } = repository();
    put('work/a.txt', 'two\n');
    const waiting = await start({ argv: ['git', 'commit', '-a', '-m', 'second'] });
    expect(statusOf(waiting)).toBe('waiting');
    expect(git('log', '--oneline').trim().split('\n')).toHaveLength(1);
    const done = await approve();
    expect(statusOf(done)).toBe('completed');
    expect(git('log', '--oneline').trim().split('\n')).toHaveLength(2);
    expect(git('fsck')).toBe('');
    await engine.undo(done.id, 'ann', { force: false });
    expect(git('log', '--oneline').trim().split('\n')).toHaveLength(1);
    expect(git('diff', '--stat')).toContain('a.txt');
  });

  it('asks before a branch moves or is removed, and not before something is staged, stashed or added', async () => {
    const { start, asks, put, git, engine } = repository();
    put('work/a.txt', 'two\n');
    const staged = await start({ argv: ['git', 'add', 'a.txt'] });
    expect([statusOf(staged), git('diff', '--cached', '--stat')]).toEqual([
      'completed',
      expect.stringContaining('a.txt'),
    ]);
    await engine.undo(staged.id, 'ann', { force: false });
    expect(git('diff', '--cached', '--stat')).toBe('');
    for (const argv of [
      ['git', 'stash'],
      ['git', 'stash', 'pop'],
      ['git', 'branch', 'next'],
    ])
      expect(await asks({ argv })).toBe(false);
    expect([git('stash', 'list'), git('diff', '--stat')]).toEqual(['', expect.stringContaining('a.txt')]);
    git('branch', 'index', 'HEAD');
    for (const argv of [
      ['git', 'commit', '-a', '-m', 'second'],
      ['git', 'branch', '-D', 'next'],
      ['git', 'branch', '-D', 'index'],
      ['git', 'checkout', '-b', 'other'],
      ['git', 'gc'],
    ])
      expect(await asks({ argv })).toBe(true);
    expect(git('fsck', '--no-dangling')).toBe('');
  });

  it('leaves a hook of the repository alone when another program changes it', async () => {
    const { run, workspace } = repository();
    await run(
      'echo evil > .git/hooks/pre-commit; chmod 755 .git/hooks/pre-commit; echo x > .git/config; echo y > made',
    );
    expect(existsSync(join(workspace, '.git/hooks/pre-commit'))).toBe(false);
    expect(readFileSync(join(workspace, '.git/config'), 'utf8')).toContain('Ann');
    expect(existsSync(join(workspace, 'made'))).toBe(true);
  });
});
