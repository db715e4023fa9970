import type { Decision, Evidence, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import type { Goal } from '../../language/index.ts';
import { plainLine } from '../describe-text.ts';
import { answerTo, ask, call, callFor, callsOf, fail, failWith } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { code, more } from './markdown-text.ts';
import { placeToChange, readTask, type Vocabulary } from './read-task.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import { commandIn, guessCommand, splitCommand } from './test-command.ts';
import { readTestOutput, stripAnsi } from './test-output.ts';

interface TestParameters extends ReportParameters {
  readonly folder: string;
  /** As written in the goal; without one it is derived from the folder. */
  readonly command?: string | undefined;
}

const TIMEOUT_SECONDS = 1_800;
const MAX_FAILURES = 200;
const LAST_LINES = 20;
/** Files that say how a project is tested. */
const KEY_FILES = ['package.json', 'Makefile'];
const QUESTION = 'Which command runs the tests? Give it as you would type it, such as: npm test';
const VOCABULARY: Vocabulary = {
  needs: ['test tests testsuite'],
  also: `run execute start summarise summarize failure fail failing failed pass passing suite unit command
    error with using use via broken break work green red wrong problem all why explain reason`,
};
const RUNNING = ['run', 'running', 'execute', 'test', 'start', 'rerun', 'check'];
/** Questions about these outcomes need a test run. */
const OUTCOMES = ['pass', 'passing', 'fail', 'failing', 'green', 'red'];

export const runTests: Procedure = reportProcedure<TestParameters>({
  name: 'run-tests',
  description: 'Runs a test command and summarises it: how many tests passed, and which failed.',
  example: 'run the tests and summarise the failures',
  triggers: ['run tests', 'execute tests', 'test project', 'run test suite'],
  vocabulary: VOCABULARY,
  tools: ['process.run', 'files.list', 'files.read'],
  understand,
  look,
  effect: runCommand,
  report: reportTests,
});

function understand(goal: Goal): { said: string; parameters: TestParameters } | undefined {
  if (goal.parts.length < 2) return undefined;
  const quoted = goal.parts.find(
    ({ kind, after }) => kind === 'quoted' && after !== 'to' && after !== 'into' && after !== 'in',
  );
  const command = quoted?.text ?? commandIn(goal.text);
  const spoken = new Set(quoted ? [quoted] : []);
  const commandWords = quoted ? [] : (command ?? '').split(' ');
  const parts = goal.parts.filter((part) => !spoken.has(part) && !commandWords.includes(part.text));
  const mention = { kind: 'word', text: 'tests' } as const;
  const words = goal.parts.map(({ text }) => text.toLowerCase());
  const asked = [...RUNNING, ...OUTCOMES].some((word) => words.includes(word));
  if (!asked && commandIn(goal.text) === undefined) return undefined;
  // A command of its own says that tests are meant, unless it is any other program.
  const isTest = command !== undefined && (commandIn(command) !== undefined || /\btests?\b/i.test(command));
  const task = readTask({ ...goal, parts: isTest ? [...parts, mention] : parts }, VOCABULARY);
  const folder = task && placeToChange(task);
  if (!task || folder === undefined || task.rest.length > 0) return undefined;
  const wanted = RUNNING.includes(goal.verb ?? '') || task.has(`run execute ${OUTCOMES.join(' ')}`);
  if (command === undefined && !wanted) return undefined;
  return { said: task.said, parameters: { folder, command, note: task.note } };
}

function look(input: PlanInput, parameters: TestParameters): Decision | undefined {
  const { folder, command } = parameters;
  if (command === undefined) {
    const listing = callFor(input, 'files.list', folder);
    if (listing === undefined)
      return call(
        'files.list',
        { path: folder, depth: 1, limit: 500 },
        `the list of ${folder} shows how it is tested`,
      );
    if (listing.failure) return failWith(listing);
    const present = topNames(input, folder);
    const unread = KEY_FILES.filter((name) => present.includes(name))
      .map((name) => pathIn(folder, name))
      .find((path) => callFor(input, 'files.read', path) === undefined);
    if (unread !== undefined)
      return call('files.read', { path: unread, max_bytes: 60_000 }, `${unread} may say how it is tested`);
    if (guessed(input, folder) === undefined && answerTo(input, QUESTION) === undefined)
      return ask(QUESTION, `nothing in ${folder} says how it is tested`);
  }
  if (argvOf(input, parameters) !== undefined) return undefined;
  const line = command ?? answerTo(input, QUESTION) ?? '';
  const reason = `"${plainLine(line, 200)}" cannot be run without a shell; give one program with its arguments, or name a script file.`;
  return fail('agent.answer_not_usable', reason, 'the command needs a shell, or says nothing');
}

function argvOf(input: PlanInput, { folder, command }: TestParameters): readonly string[] | undefined {
  if (command !== undefined) return splitCommand(command);
  return guessed(input, folder) ?? splitCommand(answerTo(input, QUESTION) ?? '');
}

function guessed(input: PlanInput, folder: string): readonly string[] | undefined {
  const [manifest, makefile] = KEY_FILES.map((name) => {
    const { content } = asObject(callFor(input, 'files.read', pathIn(folder, name))?.output);
    return typeof content === 'string' ? content : undefined;
  });
  return guessCommand(topNames(input, folder), manifest, makefile);
}

function topNames(input: PlanInput, folder: string): string[] {
  const { entries } = asObject(callFor(input, 'files.list', folder)?.output);
  const paths = Array.isArray(entries) ? entries.map((entry) => String(asObject(entry)['path'])) : [];
  return paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
}

function pathIn(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

function runCommand(input: PlanInput, parameters: TestParameters): Decision | undefined {
  const made = testRun(input);
  if (made?.failure) return failWith(made);
  if (made !== undefined) return undefined;
  const argv = argvOf(input, parameters) ?? [];
  const where = parameters.folder === '.' ? {} : { cwd: parameters.folder };
  const request = { argv: [...argv], ...where, timeout_seconds: TIMEOUT_SECONDS };
  return call('process.run', request, `${argv.join(' ')} runs the tests that the goal asks for`);
}

function testRun(input: PlanInput): Evidence | undefined {
  return callsOf(input, 'process.run').at(-1);
}

function reportTests(input: PlanInput, parameters: TestParameters): Report {
  const made = testRun(input);
  const { exitCode, stdout = '', stderr = '', truncated, signal } = asObject(made?.output);
  const printed = `${String(stdout)}\n${String(stderr)}`;
  const { format, failures, ...counted } = readTestOutput(printed);
  const argv = asObject(made?.input)['argv'];
  const command = Array.isArray(argv) ? argv.join(' ') : '';
  const succeeded = exitCode === 0;
  const ended =
    typeof exitCode === 'number' ? `ended with code ${exitCode}` : `was ended by ${String(signal)}`;
  const unclear = !succeeded && failures.length === 0;
  return {
    title: `Tests of ${parameters.folder === '.' ? 'this folder' : parameters.folder}`,
    answer: `${code(command)} ${ended}${countText(format, counted)}.`,
    sections: [
      {
        title: 'Failing tests',
        lines: [
          ...failures.slice(0, MAX_FAILURES).map((name) => `- ${code(name)}`),
          ...more(failures.length - MAX_FAILURES, 'test'),
        ],
      },
      { title: 'Last lines of the output', lines: succeeded ? [] : lastLines(printed) },
    ],
    facts: {
      command,
      succeeded,
      exitCode: exitCode ?? null,
      format,
      ...counted,
      failures: failures.slice(0, 50).map((name) => plainLine(name, 200)),
    },
    leftOut: [
      ...(truncated === true ? ['the middle of the output, which was too long to keep'] : []),
      ...(unclear ? ['the names of failing tests: the output does not tell them in a known format'] : []),
      ...(succeeded && failures.length > 0
        ? ['why the command ended well although its output names failing tests']
        : []),
      ...(succeeded && format === 'unknown' ? ['the counts: the output is in no known format'] : []),
    ],
    checks: [{ check: 'the command was run to its end', holds: made?.output !== undefined }],
  };
}

function countText(format: string, counted: { passed?: number; failed?: number; skipped?: number }): string {
  if (format === 'unknown') return '';
  const numbers = Object.entries(counted).map(([name, amount]) => `${amount} ${name}`);
  return numbers.length === 0 ? ` (${format})` : `: ${numbers.join(', ')} (${format})`;
}

function lastLines(text: string): string[] {
  const lines = stripAnsi(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [
    '```text',
    ...lines.slice(-LAST_LINES).map((line) => plainLine(line.replaceAll('```', "'''"), 200)),
    '```',
  ];
}
