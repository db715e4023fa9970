// Goals that were read wrongly or refused when strangers tried them.
import type { GoalRow } from './run-goals.ts';

export const GOALS: readonly GoalRow[] = [
  ['what is in docs', { report: ['docs/guide.md', '2 items'], not: 'notes' }],
  ["what's in this folder?", { report: ['README.md', 'docs/'], not: 'docs/guide.md' }],
  ['list everything in docs', { report: '2 items' }],
  ['who committed to this repo', { git: true }],
  ['what did I do in git this week', { git: true }],
  [
    'what is the average price in sales.csv?',
    { refused: 'Did you mean data/sales.csv?', code: 'files.not_found' },
  ],
  ['how many words are in nothing.md?', { refused: 'does not exist', code: 'files.not_found' }],
  ['make me a todo list', { refused: true }],
  ['how many different products are there in people.txt?', { refused: true }],
  [
    'rename photos/IMG_0001.jpg to beach.jpg',
    { files: { 'photos/IMG_0001.jpg': null, 'photos/beach.jpg': true }, undo: true },
  ],
  ['rename all .txt files in a to .md', { given: { 'a/one.txt': '1' }, asked: 'Shall 1 file be renamed?' }],
  ['how many files are in a', { given: { 'a/one.txt': '1' }, report: 'There is 1 file' }],
];
