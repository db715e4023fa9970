import type { GoalRow } from './run-goals.ts';

const todos = (number: number): GoalRow[1] => ({ facts: { todos: number } });
const brief = (folder: string): GoalRow[1] => ({ facts: { folder }, report: '# Brief of ' });
const compared = (one: string, other: string, same: boolean): GoalRow[1] => ({ facts: { one, other, same } });
const REFUSED: GoalRow[1] = { refused: true };

const TODOS: readonly GoalRow[] = [
  ['list the TODOs', todos(6)],
  ['how many todos are there in src?', todos(3)],
  ['count the TODOs per file', { facts: { byFile: { 'docs/setup.md': 1, 'src/main.ts': 1 } } }],
  ['show me every FIXME', { facts: { todos: 6 } }],
  ['are there any TODOs left in docs?', todos(1)],
  ['collect all TODOs into TODOS.md', { files: { 'TODOS.md': 'TODO: say how' }, undo: true }],
  ['list my todos', { facts: { todos: 6 }, given: { 'brain/TODOS.md': '# TODOs\n\n- TODO old\n' } }],
  ['do all the TODOs in src', REFUSED],
];

const BRIEFS: readonly GoalRow[] = [
  ['summarise this folder', { ...brief('.'), given: { 'BRIEF.md': 'by hand' } }],
  ['what is this folder about?', { ...brief('.'), report: 'Tools for the harbour office.' }],
  ['brief me on src', brief('src')],
  ['describe this project', brief('.')],
  ['give me a short overview of docs', brief('docs')],
  ['tell me about the notes folder', brief('notes')],
  ['write a brief of this folder to BRIEF.md', { files: { 'BRIEF.md': '# Brief of Harbour' }, undo: true }],
  ['what is life about?', REFUSED],
  ['describe your feelings to me', { refused: true, code: 'files.not_found' }],
];

const COMPARISONS: readonly GoalRow[] = [
  ['compare a.txt and b.txt', { ...compared('a.txt', 'b.txt', false), report: '+delta' }],
  ['diff a.txt old/a.txt', compared('a.txt', 'old/a.txt', true)],
  ['what is different between a.txt and b.txt?', compared('a.txt', 'b.txt', false)],
  ['are photos/IMG_0001.jpg and photos/IMG_0003.jpg the same?', { facts: { same: true } }],
  ['is photos/IMG_0001.jpg identical to photos/IMG_0002.jpg?', { facts: { same: false } }],
  ['compare the folders old and notes', compared('old', 'notes', false)],
  ['how does old differ from archive?', compared('old', 'archive', false)],
  ['compare a.txt with b.txt and delete the longer one', REFUSED],
  ['compare a.txt and missing.txt', { refused: 'missing.txt', code: 'files.not_found' }],
  ['compare a.txt with docs', REFUSED],
];

const MEMORY: readonly GoalRow[] = [
  ['remember that my editor is vim', { facts: { text: 'my editor is vim', outcome: 'added' } }],
  ['please remember: the office is in Bern.', { facts: { text: 'the office is in Bern' } }],
  ["don't forget that the pump needs oil", { facts: { text: 'the pump needs oil' } }],
  ['keep in mind that Anna likes tea', { facts: { text: 'Anna likes tea' } }],
  ['what is my passport number?', { facts: { known: false }, report: 'Nothing is remembered' }],
  ['what do you remember about zebras', { facts: { known: false } }],
  ['do you remember anything about the moon?', { facts: { known: false } }],
  ['forget that my boat is green', { refused: 'nothing was erased', code: 'agent.not_validated' }],
  ['remember what I said', REFUSED],
  ['remember the milk', REFUSED],
  ['remember me', { asked: 'text' }],
  ['forget everything', REFUSED],
  ['do you know how to swim?', REFUSED],
  ['what is the capital of France?', REFUSED],
];

const TIMES: readonly GoalRow[] = [
  ['what day is it?', { report: /Today is \w+day, \d{4}-/ }],
  ['what time is it', { report: /It is \d\d:\d\d on / }],
  ["what's the date today?", { report: 'Today is ' }],
  ['which day of the week is 2026-12-24?', { facts: { meant: '2026-12-24' }, report: 'Thursday' }],
  ['how many days until 24 December?', { report: /\d+ days? until \w+, \d{4}-12-24/ }],
  ['how many days until Christmas', { report: /-12-25/ }],
  ['how many days until the harvest?', { refused: 'not a date' }],
  ['what time is it in Tokyo?', REFUSED],
];

const REMINDERS: readonly GoalRow[] = [
  ['remind me tomorrow at 9 to call Bob', { facts: { text: 'call Bob', running: false }, report: 'oka up' }],
  ['remind me to call Bob tomorrow at 9:30', { facts: { text: 'call Bob' }, report: / 09:30 / }],
  ['remind me every Monday at 8 to water the plants', { facts: { cron: '0 8 * * 1' } }],
  ['remind me in 20 minutes to stretch', { facts: { text: 'stretch' } }],
  ['set a reminder for tomorrow at noon to eat', { facts: { text: 'eat' } }],
  ['please remind us on weekdays at 8 to stand up', { facts: { cron: '0 8 * * 1-5' } }],
  ['remind me about the tide every day at 7am', { facts: { text: 'the tide', cron: '0 7 * * *' } }],
  ['remind me to take the bins out every thursday evening', { facts: { cron: '0 18 * * 4' } }],
  ['remind me to buy paint', { asked: 'When?', answers: ['tomorrow at 10'], facts: { text: 'buy paint' } }],
  ['remind me when the tests fail to look at them', REFUSED],
  ['remind me yesterday at 9 to call Bob', { refused: true }],
  ['cancel the reminder about unicorns', { refused: 'nothing was cancelled', code: 'agent.not_validated' }],
  ['list my reminders', { report: 'reminder' }],
  ['what reminders do I have?', { report: 'reminder' }],
  ['every day at 7 delete old.log', REFUSED],
];

// git works on a draft, so it asks nothing as long as it changes nothing.
const YES = { git: true } as const;
const NO_GIT = { facts: { git: false } } as const;
const GIT: readonly GoalRow[] = [
  ['git status', { ...YES, facts: { branch: 'main', changed: 1 }, report: 'src/main.ts' }],
  ['what did I change?', { ...YES, facts: { changed: 1 } }],
  ['are there any uncommitted changes?', { ...YES, facts: { changed: 1 } }],
  ['summarise the git history', { ...YES, facts: { commits: 2, authors: { Ann: 1, Bo: 1 } } }],
  ['show the last 1 commits', { ...YES, facts: { commits: 1 }, report: 'Notes and data' }],
  ['git log', { ...YES, facts: { commits: 2 }, report: 'First tools' }],
  ['what changed in git since yesterday?', { ...YES, facts: { commits: 2 } }],
  ['how many commits were made today?', { ...YES, facts: { commits: 2 } }],
  ['who wrote most of this?', { ...YES, facts: { commits: 2 }, report: 'Ann' }],
  ['list the contributors', { ...YES, report: 'Bo' }],
  ['which branch am I on?', { ...YES, facts: { current: 'main' } }],
  ['list the branches', { ...YES, facts: { branches: ['main'] } }],
  ['git status', { ...NO_GIT, report: 'not a git repository' }],
  ['who are the authors?', NO_GIT],
  ['commits since the big storm', { refused: 'not a period', git: true }],
  ['commit my changes', { refused: true, git: true }],
  ['delete the branch main', { refused: true, git: true }],
  ['git push', { refused: true, git: true }],
  ['who wrote Hamlet?', REFUSED],
];

const CHANGES: readonly GoalRow[] = [
  [
    'what changed since yesterday?',
    { facts: { basis: 'file times' }, report: 'notes.txt', not: 'old/a.txt' },
  ],
  ['what changed in the last 5 days?', { report: 'docs/setup.md', not: 'logs/old.log' }],
  ['what has changed in docs since last month?', { facts: { folder: 'docs', changed: 2 } }],
  ["what's new today?", { report: 'a.txt' }],
  ['what changed between you and me?', REFUSED],
  ['what changed since the flood?', { refused: 'not a period' }],
];

const RUNNING = {} as const;
const NODE_TESTS = {
  'package.json': '{"scripts":{"test":"node --test"}}',
} as const;
const TESTS: readonly GoalRow[] = [
  ['do the tests pass?', { ...RUNNING, given: NODE_TESTS }],
  ['run the tests and tell me what fails', { ...RUNNING, given: NODE_TESTS }],
  ['why do the tests fail', { ...RUNNING, given: NODE_TESTS }],
  ['which tests are failing?', { ...RUNNING, given: NODE_TESTS }],
  ['run the test suite', { ...RUNNING, given: NODE_TESTS }],
  ['run make test', RUNNING],
  ['run the tests', { given: { Makefile: 'test:\n\techo ok\n' } }],
  ['run the tests', { asked: 'Which command' }],
  ['write tests for src', REFUSED],
];

const LINKS: readonly GoalRow[] = [
  ['check the links', { report: 'not fetched', given: { 'web.md': '[x](https://example.org/x)\n' } }],
  ['are there any broken links in README.md?', { facts: { broken: [{ from: 'README.md' }] } }],
  ['find dead links', { facts: { webTried: 0 } }],
  ['do all the links work?', { report: 'docs/missing.md' }],
  ['which links are broken?', { report: 'docs/missing.md' }],
  ['fix the broken links', REFUSED],
];

/** TODOs, briefs, comparisons, git, changes, tests, links, memory, reminders and the clock. */
export const GOALS: readonly GoalRow[] = [
  ...TODOS,
  ...BRIEFS,
  ...COMPARISONS,
  ...MEMORY,
  ...TIMES,
  ...REMINDERS,
  ...GIT,
  ...CHANGES,
  ...TESTS,
  ...LINKS,
];
