import pc from 'picocolors';
import { expect, test } from 'vitest';
import { LiveSpeech } from './live-speech.ts';

const plain = pc.createColors(false);

test('words of several speakers are kept apart, each under a name', () => {
  const speech = new LiveSpeech(plain);
  speech.begin('arya');
  speech.hear('gendry', 'I ');
  speech.hear('gendry', 'think');
  expect(speech.text()).toBe('arya …\ngendry\nI think');
  expect(speech.speakers).toEqual(['arya', 'gendry']);
});

test('what was said before a step can be taken away, and only that', () => {
  const speech = new LiveSpeech(plain);
  speech.hear('arya', 'First I look.And ');
  expect(speech.take('arya', 'Something else')).toBe(false);
  expect(speech.take('arya', '')).toBe(false);
  expect(speech.take('arya', 'First I look.')).toBe(true);
  speech.hear('arya', 'now I see.');
  expect(speech.text()).toBe('arya\nAnd now I see.');
});

test('who has ended is not shown any more', () => {
  const speech = new LiveSpeech(plain);
  speech.begin('arya');
  speech.end('arya');
  expect(speech.text()).toBe('');
  expect(speech.take('arya', 'anything')).toBe(false);
  expect(speech.speakers).toEqual([]);
});

test('nothing that is said can move the cursor', () => {
  const speech = new LiveSpeech(plain);
  speech.hear('arya', '\u0007a\u001b[2Jb\u202ec');
  expect(speech.text()).toBe('arya\n\\u{7}a\\u{1b}[2Jb\\u{202e}c');
});
