import type { GoalRow } from './run-goals.ts';

/** Goals that Oka cannot do without a model. None of them may complete, and none may change a file. */
const REFUSED: readonly string[] = [
  'move the photos somewhere nice',
  'read the news',
  'write a poem about spring to poem.md',
  'search the web for cats',
  'open the door',
  'show me the weather in Bern',
  'list my emails',
  'count the stars',
  'rename everything nicely',
  'save me',
  'get milk',
  'run away',
  'translate a.txt to German',
  'fix the bug in main.ts',
  'create an app',
  'look at me',
  'tell Anna that the pump works',
  'send a mail to bob',
  'wait for the bus',
  'forget everything',
  'call mum',
  'start the car',
  'print money',
  'put the cat out',
  'store the potatoes',
  'view the mountains',
  'download the internet',
  'load the dishwasher',
  'display the stars in the sky',
  'show a.txt without the first line',
  'read a.txt twice',
  'read a.txt and translate it',
  'delete a.txt if it is empty',
  'delete everything',
  'delete a.txt tomorrow',
  'list src every day',
  'remove the wrong words from notes.txt',
  'write the date into a.txt',
  'add a link to README.md',
  'add tests to src/main.ts',
  'create index.html with a nice homepage',
  'create main.py with a fibonacci function',
  'write down that I like tea',
  'do not read a.txt',
  "don't delete a.txt",
  'paint the house',
  'make me a sandwich',
  'improve a.txt',
  'explain src/main.ts',
  'answer the question in notes.txt',
  'search for pump but not in notes',
  'collect the TODOs into a note',
  'write tests for src/tide.ts',
  'read a.txt aloud to me slowly',
  'show me something interesting',
  'wrte "hi" to hi.txt',
];

/** Goals with a reading that a person must confirm. */
const ASKED: readonly GoalRow[] = [
  ['add milk to notes.txt', { asked: 'Shall Oka add the line "milk" to notes.txt?' }],
  ['add milk to notes.txt please', { asked: 'the line "milk" to notes.txt' }],
  ['append hello world to new.txt', { asked: 'add the line "hello world"' }],
  ['write hello world to hello.txt', { asked: 'write the text "hello world" into hello.txt' }],
  [
    'write hello world to hi.txt',
    { asked: 'hello world', answers: ['yes'], files: { 'hi.txt': /^hello world$/ }, undo: true },
  ],
  [
    'write good morning to hi.txt',
    { asked: 'good morning', answers: ['no'], refused: 'nothing was written', code: 'agent.not_confirmed' },
  ],
  ['create a.txt with the text hi', { asked: 'a.txt already exists' }],
  [
    'create a.txt with the text hi there',
    { asked: 'replaced?', answers: ['no'], refused: true, code: 'agent.not_confirmed' },
  ],
  ['create a.txt', { refused: 'already exists', code: 'agent.not_confirmed' }],
  ['edit a.txt', { asked: 'files.edit needs "old"' }],
  ['search', { asked: 'files.search needs "query"' }],
];

/** Goals of one step. */
const DONE: readonly GoalRow[] = [
  ['read a.txt', { facts: { content: 'alpha\nbeta\ngamma\n' } }],
  ['Could you please show me the file a.txt?', { facts: { path: 'a.txt' } }],
  ['search for pump in notes', { facts: { query: 'pump', matches: [{ path: 'notes/monday.md' }] } }],
  ['search notes for pump', { facts: { query: 'pump', matches: [{ path: 'notes/monday.md' }] } }],
  ['search for "low water"', { facts: { matches: [{ path: 'logs/2026/march.log', line: 1 }] } }],
  ['search for ten in notes', { facts: { query: 'ten' } }],
  ['find "pump" in docs', { facts: { matches: [{ path: 'docs/guide.md' }, { path: 'docs/setup.md' }] } }],
  ['find the ten largest files here', { report: ['logs/old.log', 'photos/summer/beach.png'] }],
  ['are there any dupliacte files in photos?', { why: 'reading \\"dupliacte\\" as \\"duplicate\\"' }],
  ["write 'hi' into hello.txt", { files: { 'hello.txt': /^hi$/ }, undo: true }],
  ['create hello.txt with the text hi', { files: { 'hello.txt': /^hi$/ }, undo: true }],
  ['make a file hello.txt that says hi', { files: { 'hello.txt': /^hi$/ }, undo: true }],
  ['create hello.txt with the text buy milk and eggs', { files: { 'hello.txt': /^buy milk and eggs$/ } }],
  ['create an empty file new.txt', { files: { 'new.txt': /^$/ }, undo: true }],
  ["append 'x' to notes.txt", { files: { 'notes.txt': /TODO order paint\nx\n$/ }, undo: true }],
  ['add the line x y to notes.txt', { files: { 'notes.txt': /paint\nx y\n$/ }, undo: true }],
  ['append "first" to new.txt', { files: { 'new.txt': /^first\n$/ }, undo: true }],
  [
    'create hello.txt with the text hi and read a.txt',
    { files: { 'hello.txt': /^hi$/ }, report: ['alpha', '`hi`'] },
  ],
  [
    'create hello.txt with the text hi and then delete a.txt',
    { asked: 'a.txt', files: { 'hello.txt': /^hi$/ } },
  ],
  ['delete a.txt', { asked: 'a.txt', answers: ['yes'], files: { 'a.txt': null }, undo: true }],
  ['rename a.txt to c.txt', { files: { 'a.txt': null, 'c.txt': 'alpha' }, undo: true }],
];

/** Questions about Oka itself. */
const ABILITIES: readonly GoalRow[] = [
  'what can you do?',
  'help',
  'What do you understand?',
  'show me examples',
  'please list your abilities',
].map((goal) => [goal, { report: ['# What Oka can do', 'find duplicate photos', 'oka model add'] }]);

const REASONS: readonly GoalRow[] = [
  ['read a.txt nicely', { refused: 'understood without the word "nicely"' }],
  ['find duplicate files quietly', { refused: 'understood without the word "quietly"' }],
  ['show the weather in Bern now', { refused: 'not what to do here with: "weather"' }],
  ['juggle the links', { refused: 'check the links of the Markdown files' }],
  ['dance', { refused: /^The goal "dance" was not understood\. Everything it can do: .*oka model add$/ }],
];

export const GOALS: readonly GoalRow[] = [
  ...REFUSED.map((goal): GoalRow => [goal, { refused: true }]),
  ...ASKED,
  ...DONE,
  ...ABILITIES,
  ...REASONS,
];
