import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RunState, statusOf } from '../../src/engine/index.ts';
import { asObject, type Json } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { snapshot } from './drafts-kit.ts';
import { programLine, scriptOf, somePath } from './program-lines.ts';
import { withoutSandbox } from './programs-kit.ts';
import { deciding, type Step, simulatedSnapshot, stepsKit } from './simulated-kit.ts';

const shell = (text: string): readonly Step[] => [
  ['files.write', { path: 'run.sh', content: text }],
  ['process.run', { argv: ['sh', 'run.sh'] }],
];

const step: fc.Arbitrary<readonly Step[]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(programLine, { minLength: 1, maxLength: 6 }).map((lines) => shell(scriptOf(lines))),
  },
  { weight: 1, arbitrary: somePath.map((path): Step[] => [['files.write', { path, content: 'written\n' }]]) },
  { weight: 1, arbitrary: somePath.map((path): Step[] => [['files.delete', { path }]]) },
  {
    weight: 1,
    arbitrary: fc.tuple(somePath, somePath).map(([from, to]): Step[] => [['files.move', { from, to }]]),
  },
);

/** What each step came to, without what differs between two runs. */
function outcomes(run: RunState): readonly Json[] {
  return (run.output as unknown as readonly { output?: Json; failure?: { code: string } }[]).map(
    ({ output, failure }) => {
      const { exitCode = null, stdout = null, changes = null } = asObject(output);
      return failure?.code ?? [exitCode, stdout, changes];
    },
  );
}

function workspaceWith(lines: readonly string[]): string {
  const workspace = join(tempFolder(), 'work');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'run.sh'), scriptOf(lines));
  execFileSync('sh', ['run.sh'], { cwd: workspace, stdio: 'ignore' });
  return workspace;
}

const draftsIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

describe.skipIf(withoutSandbox)('a simulation of random programs', () => {
  it.each(['usual', 'copy'] as const)(
    'foretells what a real run prints and leaves, and changes nothing, with drafts: %s',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(programLine, { maxLength: 8 }),
          fc.array(step, { minLength: 1, maxLength: 4 }),
          async (before, steps) => {
            const workspace = workspaceWith(before);
            const copy = join(tempFolder(), 'work');
            execFileSync('cp', ['-a', workspace, copy]);
            const start = snapshot(workspace);
            const { run, overlay, drafts } = stepsKit(workspace, { simulate: true, drafts: kind });
            const simulated = await run(...steps.flat());
            const real = await stepsKit(copy).run(...steps.flat());
            expect([statusOf(simulated), statusOf(real)]).toEqual(['completed', 'completed']);
            expect(outcomes(simulated)).toEqual(outcomes(real));
            expect(await simulatedSnapshot(overlay, workspace)).toEqual(snapshot(copy));
            expect(snapshot(workspace)).toEqual(start);
            expect(draftsIn(drafts)).toEqual([]);
          },
        ),
        { numRuns: Number(process.env['OKA_CASES'] ?? 8), endOnFailure: false },
      );
    },
  );
});

const program = (...argv: readonly string[]): Step => ['process.run', { argv }];

describe.skipIf(withoutSandbox)('programs in a simulation', () => {
  const simulation = (options: Parameters<typeof stepsKit>[1] = {}, lines: readonly string[] = []) => {
    const workspace = workspaceWith(lines);
    const before = snapshot(workspace);
    const kit = stepsKit(workspace, { simulate: true, ...options });
    const run = async (...steps: readonly Step[]): Promise<RunState> => {
      const done = await kit.run(...steps);
      expect(statusOf(done)).toBe('completed');
      expect(snapshot(workspace)).toEqual(before);
      return done;
    };
    return { ...kit, run, workspace };
  };
  const changes = async ({ overlay }: Pick<ReturnType<typeof stepsKit>, 'overlay'>) =>
    (await overlay.changes()).map(({ path, change, diff }) => [path, change, diff]);

  it('see what earlier steps and programs did, and only their own changes are theirs', async () => {
    const kit = simulation({}, ['echo old > old.txt', 'rm run.sh']);
    const done = await kit.run(
      ['files.write', { path: 'made/a.txt', content: 'one\n' }],
      ['files.write', { path: 'made/run.sh', content: 'cat a.txt ../old.txt; echo two > b.txt\n' }],
      ['process.run', { argv: ['sh', 'run.sh'], cwd: 'made' }],
      program('cat', 'made/b.txt'),
      program('rm', 'made/a.txt', 'old.txt'),
      program('ls', 'made'),
    );
    expect(outcomes(done).slice(2)).toEqual([
      [0, 'one\nold\n', { created: 1, changed: 0, deleted: 0, paths: ['made/b.txt'] }],
      [0, 'two\n', null],
      [0, '', { created: 0, changed: 0, deleted: 2, paths: ['made/a.txt', 'old.txt'] }],
      [0, 'b.txt\nrun.sh\n', null],
    ]);
    expect(await changes(kit)).toMatchObject([
      ['made/b.txt', 'created', expect.stringContaining('+two')],
      ['made/run.sh', 'created', expect.any(String)],
      ['old.txt', 'removed', expect.stringContaining('-old')],
    ]);
  });

  it.each(['usual', 'copy'] as const)(
    'do not see what earlier steps removed, with drafts: %s',
    async (drafts) => {
      const kit = simulation({ drafts }, [
        'mkdir closed d; touch -- ./-x closed/a closed/b d/a',
        'chmod 500 closed',
        'rm run.sh',
      ]);
      const done = await kit.run(
        ...(['-x', 'closed/a', 'd/a'].map((path) => ['files.delete', { path }]) as Step[]),
        program('rmdir', 'd'),
        program('ls', '-R'),
      );
      expect(outcomes(done).at(-1)).toEqual([0, '.:\nclosed\n\n./closed:\nb\n', null]);
    },
  );

  it('may be files that only the simulation has', async () => {
    const kit = simulation();
    const done = await kit.run(
      ['files.write', { path: 'tool', content: '#!/bin/sh\nbasename "$0"; ln -s tool link\n' }],
      program('./tool'),
      program('chmod', '+x', 'tool'),
      program('./tool'),
      program('./link'),
      program('mv', 'tool', 'moved'),
      program('./tool'),
    );
    expect(outcomes(done).slice(1)).toEqual([
      'process.not_executable',
      [0, '', { created: 0, changed: 1, deleted: 0, paths: ['tool'] }],
      [0, 'tool\n', { created: 1, changed: 0, deleted: 0, paths: ['link'] }],
      [1, 'link\n', null],
      [0, '', { created: 1, changed: 0, deleted: 1, paths: ['moved', 'tool'] }],
      'process.program_missing',
    ]);
  });

  it('report modes, links, folders and binary files', async () => {
    const kit = simulation({}, ['echo x > script', 'mkdir gone', 'rm run.sh']);
    await kit.run(
      ...[program('chmod', '700', 'script'), program('ln', '-s', 'script', 'link'), program('rmdir', 'gone')],
      ...[program('mkdir', 'new'), program('truncate', '-s', '10', 'zeros')],
    );
    expect(await changes(kit)).toEqual([
      ['gone', 'removed', undefined],
      ['link', 'created', expect.stringContaining('+link to script')],
      ['new', 'created', undefined],
      ['script', 'changed', 'old mode 644\nnew mode 700\n'],
      ['zeros', 'created', undefined],
    ]);
  });

  it('that make or remove very many files are one change of the report', async () => {
    const kit = simulation({}, [
      'mkdir -p old/x',
      'for i in $(seq 120); do echo $i > old/x/$i; done',
      'rm run.sh',
    ]);
    await kit.run(program('cp', '-r', 'old', 'new'), program('rm', '-r', 'old'));
    expect(await changes(kit)).toEqual([
      ['new', 'created', undefined],
      ['old', 'removed', undefined],
    ]);
  });

  it.each([
    [{ network: true }, 'sh run.sh (reaches all of the network)'],
    [{ network: { hosts: ['example.org'] } }, 'sh run.sh (reaches the hosts example.org)'],
    [{ secrets: { KEY: 'name' } }, 'sh run.sh'],
  ])('do not run with %j', async (more, what) => {
    const kit = simulation({}, ['echo x > made']);
    const done = await kit.run(['process.run', { argv: ['sh', 'run.sh'], ...more }]);
    expect(done.output).toMatchObject([{ output: { simulated: true } }]);
    expect(await kit.listed()).toMatchObject([{ kind: 'program', what, withheld: true }]);
  });

  it('do not run without a sandbox', async () => {
    const kit = simulation({ sandbox: 'off' });
    await kit.run(program('touch', 'made'));
    expect(await kit.listed()).toMatchObject([{ what: 'touch made', withheld: true }]);
    expect(await kit.overlay.changes()).toEqual([]);
  });

  it('run where the policy asks, and the simulation says so; where it denies they do not', async () => {
    const asked = simulation({ policy: deciding('ask') });
    await asked.run(program('touch', 'made'));
    expect(await asked.listed()).toMatchObject([{ what: 'touch made', asks: 'row' }]);
    expect(await changes(asked)).toMatchObject([['made', 'created', expect.any(String)]]);
    const denied = simulation({ policy: deciding('deny') });
    await denied.run(program('touch', 'made'));
    expect(await denied.listed()).toMatchObject([{ what: 'touch made', outcome: 'refused' }]);
    expect([await changes(denied), draftsIn(denied.drafts)]).toEqual([[], []]);
  });

  it('of an untrusted run are applied to the simulation, which says that a real run asks', async () => {
    const kit = simulation({ untrusted: true });
    await kit.run(program('touch', 'made'), program('ls', 'made'));
    expect(await kit.listed()).toEqual([
      expect.objectContaining({ what: 'touch made', asks: 'apply_changes' }),
      expect.not.objectContaining({ asks: expect.anything(), withheld: true }),
    ]);
  });

  it.each(['usual', 'copy'] as const)(
    'commit to a repository that stays as it is, with drafts: %s',
    async (drafts) => {
      const kit = simulation({ drafts }, [
        'git init -q -b main; git config user.name Ann; git config user.email ann@example.org',
        'echo one > a.txt; git add .; git commit -q -m first',
      ]);
      const done = await kit.run(
        ['files.write', { path: 'a.txt', content: 'two\n' }],
        program('git', 'commit', '-q', '-a', '-m', 'second'),
        program('git', 'log', '--format=%s'),
        program('git', 'status', '--short'),
      );
      expect(outcomes(done).slice(2)).toEqual([
        [0, 'second\nfirst\n', null],
        [0, '', null],
      ]);
      expect((await kit.listed())[1]).toMatchObject({ asks: 'apply_changes' });
      expect(await changes(kit)).toEqual([
        ['.git', 'changed', undefined],
        ['a.txt', 'changed', expect.stringContaining('+two')],
      ]);
    },
  );
});

describe.skipIf(withoutSandbox)('oka tools call --simulate', () => {
  const opened = async (script: string, policy?: string) => {
    const workspace = workspaceWith(['git init -q', 'mkdir closed; chmod 500 closed', 'echo one > a.txt']);
    writeFileSync(join(workspace, 'run.sh'), script);
    const home = tempFolder();
    if (policy !== undefined)
      writeFileSync(join(home, 'POLICY.md'), `| match | decision | why |\n|---|---|---|\n${policy}\n`);
    const oka = new Oka({ workspace, home });
    onTestFinished(() => oka.close());
    await oka.init({ trust: true });
    const before = snapshot(workspace);
    const { events } = await oka.ledger.verify({ full: true });
    const input = { argv: ['sh', 'run.sh'] };
    const answer = await oka.tools.call({ tool: 'process.run', input, simulate: true, patienceMs: 0 });
    expect(snapshot(workspace)).toEqual(before);
    // The record of the simulation.
    expect((await oka.ledger.verify({ full: true })).events).toBe(events + 1);
    expect(
      readdirSync(join(home, 'drafts')).flatMap((name) => readdirSync(join(home, 'drafts', name))),
    ).toEqual([]);
    return { oka, answer };
  };

  it('runs the program and shows its diff, and neither the workspace nor its repository changes', async () => {
    const { answer } = await opened('echo two >> a.txt; git add a.txt; echo said; exit 3');
    expect(answer.run).toMatchObject({ status: 'completed', simulated: true });
    expect(answer.output).toMatchObject({
      ...{ exitCode: 3, stdout: 'said\n', sandbox: 'bubblewrap' },
      changes: { changed: 1, paths: ['a.txt'], notApplied: expect.any(Array) },
    });
    expect(answer.wouldChange).toMatchObject([
      { path: 'a.txt', diff: expect.stringContaining(' one\n+two\n') },
    ]);
    expect(answer.effects).toEqual([
      expect.not.objectContaining({ withheld: true, asks: expect.anything() }),
    ]);
  });

  it('installs nothing for a program', async () => {
    const { answer } = await opened(
      'echo "sh: 1: prettier: not found" >&2; exit 127',
      '| environment.install | allow | mine |',
    );
    expect(answer.wouldFail).toMatchObject([
      {
        what: 'sh run.sh',
        why: expect.stringContaining('A real run would install the node package prettier'),
      },
    ]);
    expect(answer.wouldChange).toEqual([]);
  });
});
