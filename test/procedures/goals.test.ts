import { describe, expect, it } from 'vitest';
import { matchProcedure } from '../../src/agent/deterministic-planner.ts';
import { BUILT_IN_PROCEDURES } from '../../src/agent/procedures/built-in-procedures.ts';
import { readGoal } from '../../src/language/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { TABLE_AND_TEXT_GOALS } from './table-and-text-goals.ts';

/** The procedure that a goal calls for and what it reads from it. */
function understood(goal: string): readonly [string, object] | undefined {
  const matched = matchProcedure(readGoal(goal), BUILT_IN_PROCEDURES, builtInTools());
  return matched && [matched.procedure.name, matched.parameters];
}

const GOALS: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
  ...TABLE_AND_TEXT_GOALS,
  'brief-folder': [
    ['write a brief of this folder to BRIEF.md', { folder: '.', target: 'BRIEF.md' }],
    ['please summarise docs', { folder: 'docs' }],
    ['Could you give me an overview of src?', { folder: 'src' }],
    ['brief this project', { folder: '.' }],
    ['summarise this folder', { folder: '.' }],
    ['brief me on src', { folder: 'src' }],
    ['what is this folder about?', { folder: '.' }],
    ["what's this project about", { folder: '.' }],
    ['what does this repo do?', { folder: '.' }],
    ['describe this project', { folder: '.' }],
    ['tell me about the docs folder', { folder: 'docs' }],
    ['what is in the src/lib folder about?', { folder: 'src/lib' }],
    ['make a summary of "my docs" into out.md', { folder: 'my docs', target: 'out.md' }],
    ['draft an overview of ./src to notes/', { folder: 'src', target: 'notes/BRIEF.md' }],
  ],
  'collect-todos': [
    ['collect all TODOs in src into TODOS.md', { folder: 'src', note: 'TODOS.md' }],
    ['Please list the open TODOs', { folder: '.' }],
    ['find the TODOs/FIXMEs in lib', { folder: 'lib' }],
    ['scan src for TODO comments', { folder: 'src' }],
    ['in "my code", find all todos', { folder: 'my code' }],
    ['what TODOs are there in the src folder?', { folder: 'src' }],
    ['write todo.md with all TODOs in src', { folder: 'src', note: 'todo.md' }],
    ['show me every FIXME comment', { folder: '.' }],
    ['collect the fixmes into a note called "my fixmes.md"', { folder: '.', note: 'my fixmes.md' }],
    ['collect all TODOs in notes', { folder: '.', perhaps: 'notes' }],
    ['search my notes for todos', { folder: '.', perhaps: 'notes' }],
    ['list the TODOs of the project', { folder: '.' }],
    ['how many todos are in report?', { folder: '.', perhaps: 'report' }],
    ['make a list of todos of lists', { folder: '.', perhaps: 'lists' }],
    ['collect the TODOs in src and report them', { folder: 'src' }],
    ['find all TODO comments in the code folder', { folder: '.', perhaps: 'code' }],
  ],
  'collect-matches': [
    [
      'search for "old api" in src and collect the matches into out.md',
      { query: 'old api', folder: 'src', note: 'out.md' },
    ],
    ['collect every mention of Acme into acme.md', { query: 'Acme', folder: '.', note: 'acme.md' }],
    [
      'please find all lines containing deprecated in docs and write them to notes/old.md',
      { query: 'deprecated', folder: 'docs', note: 'notes/old.md' },
    ],
    [
      'grep for \'foo bar\' and save the hits to "my hits.md"',
      { query: 'foo bar', folder: '.', note: 'my hits.md' },
    ],
    [
      'search for base url under src, into matches.md',
      { query: 'base url', folder: 'src', note: 'matches.md' },
    ],
    ['write the lines with "x=1" to x.md', { query: 'x=1', folder: '.', note: 'x.md' }],
    [
      'find all lines mentioning Anton in notes and write them to anton.md',
      { query: 'Anton', folder: '.', perhaps: 'notes', note: 'anton.md' },
    ],
    [
      'Could you look for “straße” here and put what you find into a note called found.md?',
      { query: 'straße', folder: '.', note: 'found.md' },
    ],
  ],
  'find-large-files': [
    ['find large files', { selection: { places: [], most: 20 } }],
    ['please show me the 10 largest files in src', { selection: { places: ['src'], most: 10 } }],
    ['which files are bigger than 5 MB?', { selection: { above: 5_000_000 } }],
    ['list files over 1.5KiB in the docs folder', { selection: { places: ['docs'], above: 1_536 } }],
    ['what takes the most space in this folder?', { selection: { places: [], most: 20 } }],
    [
      'in "my stuff", find the biggest files and write them to big.md',
      { selection: { places: ['my stuff'] }, note: 'big.md' },
    ],
    [
      'find files over 1 MB in media and list them in big.md',
      { selection: { places: ['media'], above: 1_000_000 }, note: 'big.md' },
    ],
    ['could you find the top 5 largest files here, thanks', { selection: { most: 5 } }],
  ],
  'find-duplicates': [
    ['find duplicate files', { selection: { places: [] } }],
    ['please list the duplicates in photos/', { selection: { places: ['photos'] } }],
    ['are there any identical files in src?', { selection: { places: ['src'] } }],
    ['which files have the same content?', { selection: { places: [] } }],
    ['look for copies of files under "old stuff"', { selection: { places: ['old stuff'] } }],
    [
      'Could you write a report of duplicate files in src to dup.md',
      { selection: { places: ['src'] }, note: 'dup.md' },
    ],
    ['show me files that are there twice', { selection: { places: [] } }],
    ['make a list of duplicates in the whole project', { selection: { places: [] } }],
  ],
  'run-tests': [
    ['run the tests', { folder: '.' }],
    ['please run the tests and summarise the failures', { folder: '.' }],
    ['run `node --test` and tell me which tests fail', { folder: '.', command: 'node --test' }],
    ['run npm test', { folder: '.', command: 'npm test' }],
    ['execute the test suite in packages/core', { folder: 'packages/core' }],
    ['could you test this project?', { folder: '.' }],
    [
      'run "pytest -q" and write the failing tests to failures.md',
      { folder: '.', command: 'pytest -q', note: 'failures.md' },
    ],
    ['run the unit tests with cargo test', { folder: '.', command: 'cargo test' }],
    ['do all tests pass? please run them', { folder: '.' }],
    ['are the tests passing?', { folder: '.' }],
    ['run the test suite in test', { folder: 'test' }],
  ],
  'check-links': [
    ['check the links of the Markdown files in docs', { place: 'docs', web: false }],
    ['find broken links', { place: '.', web: false }],
    ['please verify all links in README.md', { place: 'README.md', web: false }],
    ['are there dead links in the docs?', { place: 'docs', web: false }],
    ['check links in "my docs", including web links', { place: 'my docs', web: true }],
    [
      'in guide/, check that the links work and write a report to links.md',
      { place: 'guide', web: false, note: 'links.md' },
    ],
    ['validate internal and external links', { place: '.', web: true }],
    ['are all links in guide/ ok?', { place: 'guide', web: false }],
    ['check links in notes', { place: '.', web: false, perhaps: 'notes' }],
  ],
  'compare-folders': [
    ['compare the folders src and backup', { one: 'src', other: 'backup' }],
    ['compare ./a with ./b', { one: 'a', other: 'b' }],
    ['please diff old/ and new/ into diff.md', { one: 'old', other: 'new', note: 'diff.md' }],
    ['what is different between "my a" and "my b"? these are folders', { one: 'my a', other: 'my b' }],
    ['show the differences between folder x and folder y', { one: 'x', other: 'y' }],
    ['could you compare dist/ to build/?', { one: 'dist', other: 'build' }],
    ['how does src/old differ from src/new?', { one: 'src/old', other: 'src/new' }],
    ['compare notes and backup', { one: 'notes', other: 'backup' }],
    ['diff src with backup', { one: 'src', other: 'backup' }],
    ['compare the folders a and b', { one: 'a', other: 'b' }],
    ['compare a.txt and b.txt', { one: 'a.txt', other: 'b.txt' }],
    ['compare a.md with b.md', { one: 'a.md', other: 'b.md' }],
    ['diff a b', { one: 'a', other: 'b' }],
    ['what is different between x.json and y.json', { one: 'x.json', other: 'y.json' }],
    ["what's the difference between x.json and y.json?", { one: 'x.json', other: 'y.json' }],
    ['are a.bin and b.bin the same?', { one: 'a.bin', other: 'b.bin' }],
    ['is a.bin identical to b.bin?', { one: 'a.bin', other: 'b.bin' }],
    ['do a.txt and b.txt differ?', { one: 'a.txt', other: 'b.txt' }],
    ['please check whether a.txt and "b c.txt" are identical', { one: 'a.txt', other: 'b c.txt' }],
    ['diff a.txt b.txt into out.md', { one: 'a.txt', other: 'b.txt', note: 'out.md' }],
    ['show the differences between the folders report and summary', { one: 'report', other: 'summary' }],
  ],
  'remember-fact': [
    ['remember that my editor is vim', { text: 'my editor is vim' }],
    ['Please remember: the office is in Bern.', { text: 'the office is in Bern' }],
    ['remember my dog is called Rex', { text: 'my dog is called Rex' }],
    ['keep in mind that Anna likes tea', { text: 'Anna likes tea' }],
    ["don't forget that the pump needs oil", { text: 'the pump needs oil' }],
    ['note that "tea and cake" costs 5', { text: '"tea and cake" costs 5' }],
  ],
  'recall-facts': [
    ['what is my editor?', { about: 'what is my editor' }],
    ['what do you remember about vim', { about: 'vim' }],
    ['do you remember my editor?', { about: 'my editor' }],
    ['where do I live?', { about: 'where do I live' }],
    ['list what you remember', {}],
    ['what do you know about me?', {}],
  ],
  'forget-fact': [
    ['forget that my editor is vim', { text: 'my editor is vim' }],
    ['please forget about vim', { text: 'vim' }],
    ['forget the fact that tea is hot', { text: 'tea is hot' }],
    ['forget "my editor is vim"', { text: 'my editor is vim' }],
    ['delete the fact that Anna likes tea', { text: 'Anna likes tea' }],
    ['can you forget my address', { text: 'my address' }],
  ],
  'tell-time': [
    ['what day is it', { asked: 'day' }],
    ['what time is it?', { asked: 'time' }],
    ["what's the date today?", { asked: 'day' }],
    ['how many days until 24 December', { asked: 'days until', words: '24 December' }],
    ['how long until Christmas?', { asked: 'days until', words: 'Christmas' }],
    ['which day is 2030-01-31?', { asked: 'weekday', words: '2030-01-31' }],
  ],
  'set-reminder': [
    ['remind me tomorrow at 9 to call Bob', { text: 'call Bob', words: 'tomorrow at 9' }],
    ['remind me to call Bob tomorrow at 9', { text: 'call Bob', words: 'tomorrow at 9' }],
    [
      'remind me every Monday at 8 to water the plants',
      { text: 'water the plants', words: 'every Monday at 8' },
    ],
    ['remind me in 20 minutes to stretch', { text: 'stretch', words: 'in 20 minutes' }],
    ['set a reminder for Friday at 10 about the tide', { text: 'the tide', words: 'Friday at 10' }],
    ['remember to buy milk on Saturday at 9', { text: 'buy milk', words: 'on Saturday at 9' }],
    ['remind me to buy paint', { text: 'buy paint' }],
  ],
  'list-reminders': [
    ['list my reminders', {}],
    ['what reminders do I have?', {}],
    ['show all reminders', {}],
    ['which reminders are set?', {}],
    ['do I have any reminders?', {}],
    ['what are my reminders', {}],
  ],
  'cancel-reminder': [
    ['cancel the reminder about Bob', { about: 'Bob' }],
    ['delete my reminder to call Bob', { about: 'call Bob' }],
    ['please remove the reminder for the plants', { about: 'the plants' }],
    ['stop the plant reminder', { about: 'plant' }],
    ['cancel all reminders', {}],
    ['cancel all my reminders', {}],
  ],
  'git-history': [
    ['git status', { about: 'status' }],
    ['what did I change?', { about: 'status' }],
    ['summarise the git history', { about: 'history' }],
    ['show the last 5 commits', { about: 'history', limit: 5 }],
    ['what changed in git since yesterday', { about: 'history', period: 'since yesterday' }],
    ['who wrote most of this?', { about: 'authors' }],
    ['which branch am I on?', { about: 'branches' }],
  ],
  'what-changed': [
    ['what changed since Monday?', { folder: '.', period: 'since Monday' }],
    ['what has changed since 2026-01-31', { folder: '.', period: 'since 2026-01-31' }],
    ['what changed in docs since yesterday?', { folder: 'docs', period: 'since yesterday' }],
    ['what changed in the last 3 days', { folder: '.', period: 'in the last 3 days' }],
    ["what's new today?", { folder: '.', period: 'today' }],
    ['what did I change this week?', { folder: '.', period: 'this week' }],
  ],
  'summarise-data': [
    ['summarise data.csv', { file: 'data.csv' }],
    ['please describe "my data.json"', { file: 'my data.json' }],
    ['summarize the file sales/2024.csv into summary.md', { file: 'sales/2024.csv', note: 'summary.md' }],
    ['what columns does people.tsv have?', { file: 'people.tsv' }],
    ['give me an overview of the data in events.jsonl', { file: 'events.jsonl' }],
    ['show the structure of config.json', { file: 'config.json' }],
  ],
  'write-text': [
    ['create hello.txt with the text hi', { file: 'hello.txt', text: 'hi', how: 'create', certain: true }],
    ['make a file hello.txt that says hi', { file: 'hello.txt', text: 'hi', how: 'create', certain: true }],
    [
      'Please create a file called "my notes.md" with the content "a, b".',
      { file: 'my notes.md', text: 'a, b', how: 'create', certain: true },
    ],
    ["append 'x' to notes.txt", { file: 'notes.txt', text: 'x', how: 'append', certain: true }],
    ['add the line a b to notes.txt', { file: 'notes.txt', text: 'a b', how: 'append', certain: true }],
    ['add milk to notes.txt', { file: 'notes.txt', text: 'milk', how: 'append', certain: false }],
    ['write hello world to a.txt', { file: 'a.txt', text: 'hello world', how: 'replace', certain: false }],
    ['create an empty file x.md', { file: 'x.md', text: '', how: 'create', certain: true }],
  ],
  'rename-files': [
    [
      'rename *.txt to *.md in docs',
      { selection: { places: ['docs'] }, rule: { from: '*.txt', to: '*.md' } },
    ],
    [
      'please rename all "IMG_*.jpg" files to "holiday *.jpg"',
      { selection: { places: [] }, rule: { from: 'IMG_*.jpg', to: 'holiday *.jpg' } },
    ],
    [
      'in photos/, rename a*.png as b*.png',
      { selection: { places: ['photos'] }, rule: { from: 'a*.png', to: 'b*.png' } },
    ],
    [
      'rename *.txt to *.md in notes',
      { selection: { places: ['notes'] }, rule: { from: '*.txt', to: '*.md' } },
    ],
    ['rename all .txt files to .md', { selection: { places: [] }, rule: { from: '*.txt', to: '*.md' } }],
    [
      'could you rename every file *.jpeg to *.jpg?',
      { selection: { places: [] }, rule: { from: '*.jpeg', to: '*.jpg' } },
    ],
    [
      'rename the files `draft-*` in "my texts" to `final-*`',
      { selection: { places: ['my texts'] }, rule: { from: 'draft-*', to: 'final-*' } },
    ],
    [
      'I want to rename files from old_*.ts to new_*.ts under src',
      { selection: { places: ['src'] }, rule: { from: 'old_*.ts', to: 'new_*.ts' } },
    ],
  ],
  'find-files': [
    ['list all files', {}],
    ['find photos in photos', {}],
    ['which folders are empty?', {}],
    ['show the 5 newest files', {}],
    ['find files called x', {}],
    ['list pdfs modified since Monday', {}],
  ],
  'count-files': [
    ['how many files are in src', {}],
    ['count the photos', {}],
    ['how many folders are here?', {}],
    ['count markdown files in docs', {}],
    ['number of pdfs in docs', {}],
    ['how many empty files are there', {}],
  ],
  'delete-duplicates': [
    ['delete duplicate files in src', {}],
    ['remove duplicates', {}],
    ['please remove the duplicate photos', {}],
    ['get rid of duplicates in photos', {}],
    ['erase duplicate files', {}],
    ['delete identical files', {}],
  ],
  'disk-usage': [
    ['show disk usage', {}],
    ['how much space does photos take?', {}],
    ['how big is the docs folder?', {}],
    ['show the folder sizes', {}],
    ['what are the biggest folders?', {}],
    ['disk usage by folder', {}],
  ],
  'count-lines': [
    ['count the lines of code', {}],
    ['how many lines of code are in src?', {}],
    ['lines of code by language', {}],
    ['how many lines are in a.txt', {}],
    ['count lines in src', {}],
    ['show lines of code per language', {}],
  ],
  'copy-files': [
    ['copy a.txt to b.txt', {}],
    ['copy all photos to backup', {}],
    ['copy the folder docs to old', {}],
    ['copy notes/ into archive', {}],
    ['copy *.md to md', {}],
    ['please copy a.txt and b.txt into c', {}],
  ],
  'move-files': [
    ['move all .log files into logs', {}],
    ['move a.txt to docs/', {}],
    ['move the photos in x to y', {}],
    ['move *.md to md', {}],
    ['put all pdfs into documents', {}],
    ['move a.txt and b.txt to c', {}],
  ],
  'delete-files': [
    ['delete all .log files', {}],
    ['remove empty folders', {}],
    ['delete *.tmp', {}],
    ['delete files older than 90 days in logs', {}],
    ['delete a.txt and b.txt', {}],
    ['delete the folder build', {}],
  ],
  'make-folders': [
    ['create a folder called x', {}],
    ['make the folders a, b and c/d', {}],
    ['mkdir x', {}],
    ['create folder notes/2026', {}],
    ['add a folder x in docs', {}],
    ['make a new folder named "my stuff"', {}],
  ],
  'organise-files': [
    ['organise downloads by type', {}],
    ['organize my downloads by type', {}],
    ['sort the photos by month', {}],
    ['sort files in x into folders by type', {}],
    ['arrange photos by year', {}],
    ['tidy up downloads by extension', {}],
  ],
  'archive-files': [
    ['zip the folder docs', {}],
    ['zip docs into docs.zip', {}],
    ['compress all photos into photos.zip', {}],
    ['create a zip of src', {}],
    ['archive the notes folder', {}],
    ['pack a.txt and b.txt into c.tar.gz', {}],
  ],
  'unpack-archive': [
    ['unzip a.zip', {}],
    ['extract a.tar.gz into out', {}],
    ['unpack a.zip here', {}],
    ['untar a.tgz', {}],
    ['unzip a.zip to b', {}],
    ['extract the files from a.zip', {}],
  ],
  'merge-files': [
    ['merge all .txt files in notes into all.txt', {}],
    ['combine a.txt and b.txt into c.txt', {}],
    ['join *.md into all.md', {}],
    ['concatenate a.log and b.log into c.log', {}],
    ['merge all csv files in data into all.csv', {}],
    ['merge all markdown files into book.md', {}],
  ],
};

describe('goals that match a procedure', () => {
  const cases = Object.entries(GOALS).flatMap(([name, goals]) =>
    goals.map(([goal, parameters]) => [goal, name, parameters] as const),
  );
  it.each(cases)('%s', (goal, name, parameters) => {
    expect(understood(goal)).toMatchObject([name, parameters]);
  });

  it('include the examples of the procedures', () => {
    for (const { name, example } of BUILT_IN_PROCEDURES) expect(understood(example)?.[0]).toBe(name);
  });

  it('cover at least six phrasings for each procedure', () => {
    expect(Object.keys(GOALS).sort()).toEqual(BUILT_IN_PROCEDURES.map(({ name }) => name).sort());
    expect(Math.min(...Object.values(GOALS).map((goals) => goals.length))).toBeGreaterThanOrEqual(6);
  });
});

describe('goals that match no procedure', () => {
  it.each([
    'read README.md',
    'find TODO in src',
    'search for "TODO" in src',
    'search for todo: in the folder src',
    'delete the large files',
    'remove all TODOs from src',
    'do not run the tests',
    "don't collect the TODOs",
    'fix the broken links in docs',
    'fix the failing tests',
    'write tests for src/main.ts',
    'find a large house',
    'compare the prices of tea and coffee',
    'are cats and dogs the same?',
    'is tea and coffee the same as water and wine?',
    'compare a.txt and b.txt and delete the older one',
    'summarise README.md',
    'summarise data.csv to data.csv',
    'find a good recipe and save it to recipe.md',
    'add a link to README.md',
    'write "TODO" to notes.txt',
    'do my todos',
    'find large files and delete them',
    'run the tests and then deploy to production',
    'make me a sandwich',
    'rename a.txt to b.txt',
    'rename .bashrc to .zshrc',
    'collect the TODOs in docs and notes',
    'rename *.txt to one.md',
    'rename *.txt to ../*.md',
    'delete *.txt and rename *.md to *.txt',
    'test',
    'gather the TODOs of this project into a note',
    'collect the TODOs into a file',
    'list the duplicates into reports/',
    '',
  ])('%s', (goal) => {
    expect(understood(goal)).toBeUndefined();
  });
});
