import type { GoalRow } from './run-goals.ts';

/** Goals of one tool, goals with typos and number words, and goals that must not be misread. */
export const GOALS: readonly GoalRow[] = [
  ['read a.txt', { facts: { content: 'alpha\nbeta\ngamma\n' } }],
  ['find the ten largest files here', { facts: { large: { length: 10 } } }],
  ['are there any dupliacte files in photos?', { why: 'reading \\"dupliacte\\" as \\"duplicate\\"' }],
  ['wrte "hi" to hi.txt', { refused: true }],
  ['delete a.txt', { asked: 'a.txt', answers: ['yes', 'yes'], files: { 'a.txt': null }, undo: true }],
];
