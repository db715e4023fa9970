import { expect, test } from 'vitest';
import { Workspace } from './oka-process.ts';

const NO_RUN = '01m7ek5pcyyrdkb6sn7c5m53xn';

test('an unknown run or approval exits with 3', async () => {
  const workspace = Workspace.trusted();
  const unknownRun = [
    ['runs', 'show', NO_RUN],
    ['runs', 'explain', NO_RUN],
    ['runs', 'replay', NO_RUN],
    ['runs', 'replay', NO_RUN, '--as', 'full'],
    ['runs', 'pause', NO_RUN],
    ['runs', 'resume', NO_RUN],
    ['runs', 'resume', NO_RUN, '--repin', '--add-budget', 'steps=1'],
    ['runs', 'signal', NO_RUN, 'go'],
    ['runs', 'fork', NO_RUN, '--step', '1'],
    ['runs', 'cancel', NO_RUN],
    ['runs', 'undo', NO_RUN],
    ['runs', 'correct', NO_RUN, 'text'],
    ['runs', 'show', '../../etc/passwd'],
    ['runs', 'show', ''],
    ['ledger', 'tail', '--run', NO_RUN],
  ];
  for (const args of unknownRun) {
    const { exitCode, error } = await workspace.refusal(...args);
    expect({ args, exitCode, code: error.code }).toEqual({ args, exitCode: 3, code: 'engine.unknown_run' });
    expect(error.message).toContain('oka runs list');
  }
  for (const verb of ['show', 'approve', 'deny']) {
    const { exitCode, error } = await workspace.refusal('approvals', verb, NO_RUN);
    expect({ verb, exitCode, code: error.code }).toEqual({
      verb,
      exitCode: 3,
      code: 'engine.unknown_approval',
    });
  }
  await workspace.verified();
});

test('arguments that are not JSON exit with 3 and name the problem', async () => {
  const workspace = Workspace.trusted();
  const malformed = [
    ['runs', 'signal', NO_RUN, 'go', '{"a":'],
    ['runs', 'fork', NO_RUN, '--step', '1', '--vars', 'a=1'],
    ['runs', 'fork', NO_RUN, '--step', '1', '--vars', 'null'],
    ['approvals', 'approve', NO_RUN, '--edit', "{'a':1}"],
  ];
  for (const args of malformed) {
    const { exitCode, error } = await workspace.refusal(...args);
    expect({ args, exitCode, code: error.code }).toEqual({ args, exitCode: 3, code: 'cli.invalid_json' });
    expect(error.message).toMatch(/JSON/);
  }
});

test.each([
  [['doo', 'x'], /unknown command 'doo'\. Did you mean do\? See: oka --help\./],
  [['run', 'list'], /unknown command 'run'\. Did you mean runs\?/],
  [['runs', 'lst'], /unknown command 'lst' of oka runs\. Did you mean list\? See: oka runs --help\./],
  [['chat', 'sned'], /unknown command 'sned' of oka chat\. Did you mean send\? See: oka chat --help\./],
  [['graph', 'schedule', 'ad'], /Did you mean add\? See: oka graph schedule --help\./],
  [['send'], /unknown command 'send'\. Did you mean oka chat send\?/],
  [['help', 'chta'], /unknown command 'chta'\. Did you mean chat\?/],
  [['chta', '--help'], /unknown command 'chta'\. Did you mean chat\?/],
  [['do', 'x', '--simulat'], /unknown option '--simulat'.+Did you mean --simulate\?/],
  [['runs', 'list', '--jsn'], /unknown option '--jsn'.+Did you mean --json\?/],
  [['do'], /missing required argument 'goal': Goal in plain words.*\. See: oka do --help\./],
  [
    ['do', 'two', 'goals'],
    /too many arguments: oka do takes 1, but 2 were given\. Quote arguments with spaces/,
  ],
  [['runs', 'show'], /missing required argument 'run'/],
  [['runs', 'fork', NO_RUN], /required option '--step <n>' not specified/],
  [['runs', 'list', '--limit', 'many'], /'--limit <n>' argument 'many' is invalid/],
  [['runs', 'list', '--limit', '-1'], /'--limit <n>' argument '-1' is invalid/],
  [['runs', 'list', '--status', 'gone'], /Allowed choices are pending, running/],
  [['runs', 'fork', NO_RUN, '--step', '1.5'], /'--step <n>' argument '1\.5' is invalid/],
  [['runs', 'replay', NO_RUN, '--as', 'song'], /Allowed choices are narrative, decision, full/],
  [['ledger', 'gc', '--bodies-days', 'all'], /'--bodies-days <n>' argument 'all' is invalid/],
  [['ledger', 'tail', '--last', ''], /'--last <n>' argument '' is invalid/],
  [['do', 'x', '--budget', 'steps'], /Invalid --budget "steps": expected name=amount/],
  [['do', 'x', '--budget', 'steps=many'], /Invalid --budget "steps=many": expected name=amount/],
  [[], /missing command/],
  [['runs'], /missing command, one of: list, show, .+ See: oka runs --help\./],
])('oka %j is a usage error', async (args, sentence) => {
  const workspace = new Workspace({ files: {} });
  const { exitCode, error } = await workspace.refusal(...args);
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 2, code: 'cli.usage' });
  expect(error.message).toMatch(sentence);
  expect(workspace.has('.oka')).toBe(false);
});

test.each([[[]], [['chat', 'sned']]])('oka %j reports it in one line on stderr', async (args) => {
  const { exitCode, stdout, stderr } = await new Workspace({ files: {} }).oka(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^✗ [^\n]+ (See: oka [^\n]+\.|\| oka do -) \(cli\.usage\)\n$/);
});

test('an unknown budget is reported with the known ones', async () => {
  const workspace = Workspace.trusted();
  for (const budget of ['beds=3', 'steps=-1']) {
    const { exitCode, error } = await workspace.refusal('do', 'x', '--budget', budget);
    expect({ budget, exitCode, code: error.code }).toEqual({
      budget,
      exitCode: 3,
      code: 'engine.invalid_budget',
    });
    expect(error.message).toContain('steps');
  }
});

test('-C accepts only an existing folder', async () => {
  const workspace = new Workspace();
  const wrong: [string, string[], RegExp][] = [
    ...[['runs', 'list'], ['do', 'x'], ['init', '--trust'], ['ledger', 'verify'], ['doctor']].map(
      (args): [string, string[], RegExp] => [workspace.at('missing'), args, /does not exist/],
    ),
    [workspace.at('README.md'), ['runs', 'list'], /is not a folder/],
    [workspace.at('README.md'), ['init'], /is not a folder/],
    [workspace.at('README.md/below'), ['init'], /README\.md\/below/],
    ['', ['runs', 'list'], /^.+$/],
  ];
  for (const [folder, args, sentence] of wrong) {
    const { exitCode, error } = await workspace.refusal('-C', folder, ...args);
    expect({ folder, args, exitCode, code: error.code }).toEqual({
      folder,
      args,
      exitCode: 3,
      code: folder === '' ? 'config.no_workspace' : 'config.no_folder',
    });
    expect(error.message).toMatch(sentence);
  }
  expect(workspace.has('.oka')).toBe(false);
});

test('a folder without .oka is not a workspace, and reading does not create one', async () => {
  const workspace = new Workspace();
  for (const args of [
    ['runs', 'list'],
    ['approvals', 'list'],
    ['ledger', 'verify'],
    ['ledger', 'rebuild'],
  ]) {
    const { exitCode, error } = await workspace.refusal(...args);
    expect({ args, exitCode, code: error.code }).toEqual({ args, exitCode: 3, code: 'config.no_workspace' });
    expect(error.message).toContain('oka init --trust');
  }
  expect(workspace.has('.oka')).toBe(false);
});

test('global options are accepted anywhere on the line', async () => {
  const workspace = Workspace.trusted();
  const elsewhere = new Workspace();
  const places = [
    ['--json', '-C', workspace.root, 'runs', 'list'],
    ['runs', '--json', 'list', '-C', workspace.root],
    ['runs', 'list', '-C', workspace.root, '--json'],
  ];
  for (const args of places) {
    const { stdout, exitCode } = await elsewhere.oka(...args);
    expect({ args, exitCode, stdout }).toEqual({
      args,
      exitCode: 0,
      stdout: '{"version":1,"ok":true,"data":{"runs":[]}}\n',
    });
  }
});
