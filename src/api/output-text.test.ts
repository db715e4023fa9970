import { expect, test } from 'vitest';
import { outputText } from './output-text.ts';

test('text is shown unchanged', () => {
  expect(outputText('# Beds\n\nthree of them\n')).toBe('# Beds\n\nthree of them');
});

test('rows are a table, and short members come first', () => {
  const matches = [
    { line: 2, path: 'notes/a.md', text: 'TODO water' },
    { line: 14, path: 'b.md', text: 'TODO weed  the beds' },
  ];
  expect(outputText({ matches, query: 'TODO', truncated: false, skipped: [] }).split('\n')).toEqual([
    'query  TODO',
    'matches',
    '  path        line  text',
    '  notes/a.md  2     TODO water',
    '  b.md        14    TODO weed the beds',
  ]);
});

test('an empty output says none', () => {
  expect(outputText({ matches: [], query: 'TODO', truncated: true })).toBe(
    'matches    none\nquery      TODO\ntruncated  true',
  );
});

test('a list is shown as lines at any depth', () => {
  expect(outputText(['a', 'b'])).toBe('- a\n- b');
  expect(outputText({ groups: [['a', 'b'], ['c']], wastedBytes: 3 })).toBe(
    'wasted bytes  3\ngroups\n  - - a\n    - b\n  - - c',
  );
});

test('a report is shown without the data for programs', () => {
  expect(outputText({ report: '# Links\n\nall fine\n', checks: ['tried'], leftOut: [], links: 3 })).toBe(
    '# Links\n\nall fine',
  );
  expect(outputText({ report: 'BRIEF.md', changed: true })).toBe('report   BRIEF.md\nchanged  true');
});

test('a written file is shown with its counts', () => {
  const output = {
    note: 'TODOS.md',
    bytes: 187,
    digest: 'ec6d',
    checks: ['held'],
    leftOut: ['b.bin'],
    todos: 3,
  };
  expect(outputText(output)).toBe('wrote TODOS.md, 187 bytes (todos 3)\nleft out: b.bin');
});

test('tasks are listed with their outputs', () => {
  const tasks = [
    { id: 'a', title: 'find beds', status: 'done', attempts: 1, output: { report: '# Beds\n', checks: [] } },
    { id: 'b', title: 'dig', status: 'failed', attempts: 2 },
  ];
  expect(outputText({ goal: 'g', plans: 1, result: {}, tasks, unmet: ['a bed is dug'] })).toBe(
    'done: find beds\n  # Beds\n\nfailed: dig\n\nnot met\n- a bed is dug',
  );
});
