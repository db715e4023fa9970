import pc from 'picocolors';
import { expect, test } from 'vitest';
import { LiveAnswers } from './live-answers.ts';

const colors = pc.createColors(false);

/** Answers on a terminal of 40 columns, at a time that the test sets. */
function answers() {
  const clock = { now: 0 };
  const made = new LiveAnswers(
    () => ({ width: 40, colors }),
    () => clock.now,
  );
  return { made, clock };
}

test('shows what each agent does and for how long', () => {
  const { made, clock } = answers();
  made.setActivity('arya', 'waiting for gpt-5-mini');
  clock.now = 3_000;
  made.setActivity('arya', 'waiting for gpt-5-mini');
  made.setActivity('gendry', 'running npm test');
  made.setDetail('gendry', '12 passed');
  expect(made.text()).toBe(
    '⠋ arya is waiting for gpt-5-mini… 3 s\n⠋ gendry is running npm test…   12 passed',
  );
  expect(made.agents).toEqual(['arya', 'gendry']);
});

test('returns complete blocks once, rendered, and shows the unfinished block as it is', () => {
  const { made } = answers();
  made.append('arya', 'The **north** bed.\n\nThe `south');
  expect(made.takeBlocks('arya')).toBe('The north bed.');
  expect(made.takeBlocks('arya')).toBeUndefined();
  expect(made.text({ unnamed: 'arya' })).toBe('The `south\n⠋ arya is answering…');
});

test('returns only the part of a stored answer that is not printed yet', () => {
  const { made } = answers();
  made.append('arya', 'One.\n\nTwo');
  made.takeBlocks('arya');
  expect(made.finish('arya', 'One.\n\nTwo.')).toBe('Two.');
  made.append('arya', 'One.\n\nTwo');
  made.takeBlocks('arya');
  expect(made.finish('arya', 'Something else.')).toBe('Something else.');
  expect(made.agents).toEqual([]);
});

test('prints blocks of the first agent only, so that two answers are not mixed', () => {
  const { made } = answers();
  made.append('arya', 'One.');
  made.append('gendry', 'Other.\n\n');
  expect(made.takeBlocks('gendry')).toBeUndefined();
  expect(made.text()).toContain('gendry\nOther.');
});

test('takes the text before a step out of the answer', () => {
  const { made } = answers();
  made.append('arya', 'First I look.And ');
  expect(made.takeBefore('arya', 'Something else')).toBe(false);
  expect(made.takeBefore('arya', '')).toBe(false);
  expect(made.takeBefore('arya', 'First I look.')).toBe('First I look.');
  made.append('arya', 'now I see.');
  expect(made.text({ unnamed: 'arya' })).toContain('And now I see.\n');
});

test('returns all text of an interrupted answer and ignores the rest of its stream', () => {
  const { made } = answers();
  made.append('arya', 'Half a sen');
  expect(made.interrupt('arya')).toBe('Half a sen');
  made.append('arya', 'tence.');
  expect(made.text()).toBe('⠋ arya is stopping…');
});

test('escapes control characters', () => {
  const { made } = answers();
  made.append('arya', '\u0007a\u001b[2Jb\u202ec');
  expect(made.text()).toContain('\\u{7}a\\u{1b}[2Jb\\u{202e}c');
});
