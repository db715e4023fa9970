import pc from 'picocolors';
import { expect, test } from 'vitest';
import { LiveAnswers } from './live-answers.ts';

const plain = pc.createColors(false);

test('shows the text of each agent under its name', () => {
  const speech = new LiveAnswers(plain);
  speech.begin('arya');
  speech.append('gendry', 'I ');
  speech.append('gendry', 'think');
  expect(speech.text()).toBe('arya …\ngendry\nI think');
  expect(speech.agents).toEqual(['arya', 'gendry']);
});

test('removes only the text before a step', () => {
  const speech = new LiveAnswers(plain);
  speech.append('arya', 'First I look.And ');
  expect(speech.take('arya', 'Something else')).toBe(false);
  expect(speech.take('arya', '')).toBe(false);
  expect(speech.take('arya', 'First I look.')).toBe(true);
  speech.append('arya', 'now I see.');
  expect(speech.text()).toBe('arya\nAnd now I see.');
});

test('removes an agent whose turn ended', () => {
  const speech = new LiveAnswers(plain);
  speech.begin('arya');
  speech.end('arya');
  expect(speech.text()).toBe('');
  expect(speech.take('arya', 'anything')).toBe(false);
  expect(speech.agents).toEqual([]);
});

test('escapes control characters', () => {
  const speech = new LiveAnswers(plain);
  speech.append('arya', '\u0007a\u001b[2Jb\u202ec');
  expect(speech.text()).toBe('arya\n\\u{7}a\\u{1b}[2Jb\\u{202e}c');
});
