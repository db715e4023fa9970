// What `oka do` prints: the answer on stdout, everything else on stderr.
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BRIEF, type Finished, Workspace } from './oka-process.ts';
import { configFor, type ModelReply, streamingModel } from './streaming-model.ts';
import { noTerminal, Terminal } from './terminal.ts';

const ANSWER = '# Beds\n\nThere are **three** beds.\n\n- peas\n- beans';

interface Goal {
  readonly args: readonly string[];
  readonly stdout: string | RegExp;
  readonly stderr: RegExp;
  readonly exitCode?: number;
  readonly turns?: readonly object[];
}

const GOALS: Readonly<Record<string, Goal>> = {
  procedure: {
    args: [BRIEF],
    stdout: /^wrote BRIEF\.md, \d+ bytes \(files 3, read 3, todos 1\)\n$/,
    stderr:
      /^ {2}listed \.\n {2}read 3 files\n {2}searched for TODO, FIXME \(1 match\)\n {2}wrote BRIEF\.md \+\d+\n {2}read BRIEF\.md\n {2}✓ done in .* · 1\d steps · undo: oka runs undo \S+\n$/,
  },
  'single tool': {
    args: ['read README.md'],
    stdout: '# Garden\n\nPlans for beds and paths.\n',
    stderr: /^ {2}read README\.md\n {2}✓ done in .* · 2 steps · run \S+\n$/,
  },
  model: {
    args: ['how many beds are there?'],
    turns: [
      { once: true, tool_calls: [{ tool: 'files.read', input: { path: 'README.md' } }] },
      { text: ANSWER },
    ],
    stdout: `${ANSWER}\n`,
    stderr: /^ {2}read README\.md\n {2}✓ done in [^\n]*\n$/,
  },
  'several tasks': {
    args: ['collect the TODOs into TODOS.md, then find duplicate files'],
    stdout:
      /^done: collect the TODOs into TODOS\.md\n {2}wrote TODOS\.md[\s\S]*\n\ndone: find duplicate files\n/,
    stderr: /^plan 1: 2 tasks\n[\s\S]* {2}✓ done in [^\n]*\n$/,
  },
  simulation: {
    args: [BRIEF, '--simulate'],
    stdout: /^effects {3}a real run would have these, in order\n {2}file {4}write BRIEF\.md {2}step \d+\n/,
    stderr:
      /^ {2}Simulation: nothing is changed\.\n[\s\S]*✓ simulated in .* · nothing was changed · run \S+\n$/,
  },
  'plan only': {
    args: ['collect the TODOs into TODOS.md, then find duplicate files', '--plan-only'],
    stdout: /^ {2}1 {2}collect-todos {2}[^\n]*\n {5}accepted when: [\s\S]*task completed\n$/,
    stderr: / {2}✓ planned · nothing was done · to do it, omit --plan-only\n$/,
  },
  'waiting for approval': {
    args: ['which files are there?'],
    turns: [{ tool_calls: [{ tool: 'process.run', input: { argv: ['ls', '-la'], network: true } }] }],
    exitCode: 4,
    stdout: '',
    stderr: /^\? Approve: run ls -la\n {2}Next: oka approvals [^\n]*\n$/,
  },
  failing: {
    args: ['read missing.md'],
    exitCode: 1,
    stdout: '',
    stderr:
      /^✗ "missing\.md" does not exist\.[^\n]*\n {2}why: oka runs explain \S+ · try again: oka runs resume \S+\n$/,
  },
  'not understood': { args: ['dance'], exitCode: 1, stdout: '', stderr: /^✗ [^\n]*(\n[^✗][^\n]*)*\n$/ },
};

function placeOf({ turns }: Goal): Workspace {
  if (turns === undefined) return Workspace.trusted();
  const place = Workspace.trusted();
  place.put('script.json', JSON.stringify({ turns }));
  const models = { actor: { provider: 'scripted', script: join(place.root, 'script.json') } };
  place.putAtHome('config.json', JSON.stringify({ models }));
  return place;
}

test.each(Object.entries(GOALS))('stdout has only the answer: %s', async (_, goal) => {
  const { exitCode, stdout, stderr } = await placeOf(goal).oka('do', ...goal.args);
  expect(exitCode).toBe(goal.exitCode ?? 0);
  if (typeof goal.stdout === 'string') expect(stdout).toBe(goal.stdout);
  else expect(stdout).toMatch(goal.stdout);
  expect(stderr).toMatch(goal.stderr);
});

test('--quiet drops progress and summary, but not the failure', async () => {
  const place = Workspace.trusted();
  expect(await place.oka('do', 'read README.md', '--quiet')).toMatchObject({ exitCode: 0, stderr: '' });
  const { stderr } = await place.oka('do', 'read missing.md', '--quiet');
  expect(stderr).toMatch(/^✗ "missing\.md" does not exist\.[^\n]*\n$/);
});

test('a changed file shows its first changed lines', async () => {
  const place = Workspace.trusted();
  await place.answer('do', BRIEF);
  place.put('README.md', '# Orchard\n\nPlans for trees.\n');
  const { stderr } = await place.oka('do', BRIEF);
  expect(stderr).toMatch(/ {2}wrote BRIEF\.md \+\d+ −\d+\n {6}− # Brief of Garden\n/);
});

describe('the goal from standard input', () => {
  // In a process of its own: a bare `oka` reads a goal only if standard input is a pipe.
  const fed = (place: Workspace, input: string, ...args: readonly string[]): Promise<Finished> => {
    if (args.length > 0) return place.okaWith({ input }, ...args);
    const started = place.startOpen();
    started.child.stdin?.end(input);
    return started.ended;
  };

  test.each([
    ['oka do -', ['do', '-']],
    ['oka', []],
  ] as const)('%s reads it', async (_, args) => {
    const { exitCode, stdout } = await fed(Workspace.trusted(), 'read README.md\n', ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '# Garden\n\nPlans for beds and paths.\n' });
  });

  test.each([
    ['oka do -', ['do', '-']],
    ['oka', []],
  ] as const)('%s rejects an empty goal with an example', async (_, args) => {
    const { exitCode, stdout, stderr } = await fed(Workspace.trusted(), ' \n', ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('echo "read README.md" | oka do -');
  });
});

async function modelPlace(reply: (reply: ModelReply) => unknown): Promise<Workspace> {
  const { url, close } = await streamingModel(reply);
  onTestFinished(close);
  const place = Workspace.trusted();
  place.putAtHome('config.json', JSON.stringify(configFor(url)));
  return place;
}

/** A terminal that approves a program, which then runs. */
async function runningProgram(script: string): Promise<{ place: Workspace; terminal: Terminal }> {
  const place = Workspace.trusted();
  place.put('slow.sh', script);
  // A draft would not have the file that ends the program.
  place.putAtHome('config.json', '{"sandbox":"off"}');
  const { data } = await place.answer('tools', 'call', 'process.run', '{"argv":["sh","slow.sh"]}');
  const terminal = new Terminal(place, ['approvals', 'approve', data.run.waitingFor?.approval ?? '']);
  return { place, terminal };
}

describe('on a terminal', () => {
  test('the answer streams as Markdown, once, with a spinner before it and the summary after it', async ({
    skip,
  }) => {
    if (noTerminal) return skip(noTerminal);
    let go: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    const place = await modelPlace(async (reply) => {
      await wait;
      reply.say(ANSWER);
      reply.end();
    });
    const terminal = new Terminal(place, ['do', 'how many beds are there?'], { env: { TEST_KEY: 'k' } });
    await terminal.sees(/waiting for gpt-5-mini…/);
    go();
    expect(await terminal.exitCode()).toBe(0);
    const screen = await terminal.sees(/done in/);
    expect(screen).toMatch(/Beds\n\nThere are three beds\.\n\n• peas\n• beans\n\n {2}✓ done in/);
    expect(screen.match(/three beds/g)).toHaveLength(1);
    expect(screen).not.toContain('waiting for');
  });

  test('a running program shows its last line', async ({ skip }) => {
    if (noTerminal) return skip(noTerminal);
    const { place, terminal } = await runningProgram(
      'echo building module 7; while [ ! -e go ]; do sleep 0.05; done',
    );
    await terminal.sees(/running sh slow\.sh….* building module 7/);
    place.put('go', '');
    expect(await terminal.exitCode()).toBe(0);
    expect(await terminal.sees(/ran sh slow\.sh \(/)).not.toContain('running sh');
  });

  test('Ctrl-C while the model answers keeps the text so far and prints the command that resumes', async ({
    skip,
  }) => {
    if (noTerminal) return skip(noTerminal);
    const place = await modelPlace((reply) => reply.say('First words of an answer.\n\nHalf a sent'));
    const terminal = new Terminal(place, ['do', 'how many beds are there?'], { env: { TEST_KEY: 'k' } });
    await terminal.sees(/First words of an answer\.[\s\S]*gpt-5-mini is answering…/);
    terminal.press('C-c');
    expect(await terminal.exitCode()).toBe(130);
    const screen = await terminal.sees(/oka runs resume \w+/);
    expect(screen).toMatch(/Half a sent\s+Stopped after step \d+\. Nothing is half-done/);
  });

  test('Ctrl-C while a program runs reports the program as interrupted', async ({ skip }) => {
    if (noTerminal) return skip(noTerminal);
    const { terminal } = await runningProgram('echo ready; sleep 600');
    await terminal.sees(/running sh slow\.sh….* ready/);
    terminal.press('C-c');
    expect(await terminal.exitCode()).toBe(130);
    const screen = stripVTControlCharacters(await terminal.sees(/oka runs resume/));
    expect(screen).toMatch(/Interrupted, may be half-done: sh slow\.sh\./);
    expect(screen).not.toContain('✗');
  });
});
