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
    ['please summarise docs', { folder: 'docs', target: 'BRIEF.md' }],
    ['Could you give me an overview of src?', { folder: 'src', target: 'BRIEF.md' }],
    ['brief this project', { folder: '.', target: 'BRIEF.md' }],
    ['make a summary of "my docs" into out.md', { folder: 'my docs', target: 'out.md' }],
    ['draft an overview of ./src to notes/', { folder: 'src', target: 'notes/BRIEF.md' }],
  ],
  'collect-todos': [
    ['collect all TODOs in src into TODOS.md', { folder: 'src', note: 'TODOS.md' }],
    ['Please list the open TODOs', { folder: '.' }],
    ['could you gather TODOs and FIXMEs of this project into a note?', { folder: '.', note: 'TODOS.md' }],
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
      'Could you look for “straße” here and put what you find into a note?',
      { query: 'straße', folder: '.', note: 'MATCHES.md' },
    ],
  ],
  'find-large-files': [
    ['find large files', { folder: '.', most: 20, above: 0 }],
    ['please show me the 10 largest files in src', { folder: 'src', most: 10, above: 0 }],
    ['which files are bigger than 5 MB?', { folder: '.', most: 500, above: 5_000_000 }],
    ['list files over 1.5KiB in the docs folder', { folder: 'docs', most: 500, above: 1_536 }],
    ['what takes the most space in this folder?', { folder: '.', most: 20, above: 0 }],
    [
      'in "my stuff", find the biggest files and write them to big.md',
      { folder: 'my stuff', most: 20, above: 0, note: 'big.md' },
    ],
    [
      'find files over 1 MB in media and list them in big.md',
      { folder: 'media', most: 500, above: 1_000_000, note: 'big.md' },
    ],
    ['list large files in output', { folder: '.', most: 20, above: 0, perhaps: 'output' }],
    ['could you find the top 5 largest files here, thanks', { folder: '.', most: 5, above: 0 }],
  ],
  'find-duplicates': [
    ['find duplicate files', { folder: '.' }],
    ['please list the duplicates in photos/', { folder: 'photos' }],
    ['are there any identical files in src?', { folder: 'src' }],
    ['which files have the same content?', { folder: '.' }],
    ['look for copies of files under "old stuff"', { folder: 'old stuff' }],
    ['Could you write a report of duplicate files in src to dup.md', { folder: 'src', note: 'dup.md' }],
    ['show me files that are there twice', { folder: '.' }],
    ['find files with the same content under copies', { folder: '.', perhaps: 'copies' }],
    ['make a list of duplicates in the whole project', { folder: '.' }],
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
    ['show the differences between the folders report and summary', { one: 'report', other: 'summary' }],
  ],
  'summarise-data': [
    ['summarise data.csv', { file: 'data.csv' }],
    ['please describe "my data.json"', { file: 'my data.json' }],
    ['summarize the file sales/2024.csv into summary.md', { file: 'sales/2024.csv', note: 'summary.md' }],
    ['what columns does people.tsv have?', { file: 'people.tsv' }],
    ['give me an overview of the data in events.jsonl', { file: 'events.jsonl' }],
    ['show the structure of config.json', { file: 'config.json' }],
    ['Could you profile data.csv and write it to a note?', { file: 'data.csv', note: 'DATA-SUMMARY.md' }],
  ],
  'rename-files': [
    ['rename *.txt to *.md in docs', { folder: 'docs', from: '*.txt', to: '*.md' }],
    [
      'please rename all "IMG_*.jpg" files to "holiday *.jpg"',
      { folder: '.', from: 'IMG_*.jpg', to: 'holiday *.jpg' },
    ],
    ['in photos/, rename a*.png as b*.png', { folder: 'photos', from: 'a*.png', to: 'b*.png' }],
    ['rename *.txt to *.md in notes', { folder: 'notes', from: '*.txt', to: '*.md' }],
    ['rename all .txt files to .md', { folder: '.', from: '*.txt', to: '*.md' }],
    ['could you rename every file *.jpeg to *.jpg?', { folder: '.', from: '*.jpeg', to: '*.jpg' }],
    [
      'rename the files `draft-*` in "my texts" to `final-*`',
      { folder: 'my texts', from: 'draft-*', to: 'final-*' },
    ],
    [
      'I want to rename files from old_*.ts to new_*.ts under src',
      { folder: 'src', from: 'old_*.ts', to: 'new_*.ts' },
    ],
  ],
};

describe('goals that call for a procedure', () => {
  const cases = Object.entries(GOALS).flatMap(([name, goals]) =>
    goals.map(([goal, parameters]) => [goal, name, parameters] as const),
  );
  it.each(cases)('%s', (goal, name, parameters) => {
    expect(understood(goal)).toEqual([name, parameters]);
  });

  it('are the examples of the procedures too', () => {
    for (const { name, example } of BUILT_IN_PROCEDURES) expect(understood(example)?.[0]).toBe(name);
  });

  it('are tried in at least six ways for each procedure', () => {
    expect(Object.keys(GOALS).sort()).toEqual(BUILT_IN_PROCEDURES.map(({ name }) => name).sort());
    expect(Math.min(...Object.values(GOALS).map((goals) => goals.length))).toBeGreaterThanOrEqual(6);
  });
});

describe('goals that call for no procedure', () => {
  it.each([
    'read README.md',
    'find TODO in src',
    'search for "TODO" in src',
    'search for todo: in the folder src',
    'delete duplicate files in src',
    'delete the large files',
    'remove all TODOs from src',
    'do not run the tests',
    "don't collect the TODOs",
    'fix the broken links in docs',
    'fix the failing tests',
    'write tests for src/main.ts',
    'find a large house',
    'compare the prices of tea and coffee',
    'compare a.md with b.md',
    'copy a.txt to b.txt',
    'summarise README.md',
    'summarise data.csv to data.csv',
    'find a good recipe and save it to recipe.md',
    'add a link to README.md',
    'list the files in src',
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
    '',
  ])('%s', (goal) => {
    expect(understood(goal)).toBeUndefined();
  });
});
