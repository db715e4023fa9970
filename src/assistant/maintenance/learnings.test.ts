import { describe, expect, it } from 'vitest';
import { topicOf } from './learnings.ts';

describe('topicOf', () => {
  it.each([
    [{ goal: 'please write a brief of this folder to ../../etc/passwd' }, 'write-brief'],
    [{ goal: 'search for "rm -rf" in src/main.js' }, 'search'],
    [{ goal: 'brief. I prefer tea.' }, 'brief'],
    [{ goal: 'g', subject: 'Nightly/../Brief' }, 'nightly-brief'],
    [{ goal: '検索 🙂' }, 'other'],
    [{ goal: 'Résumé prüfen' }, 'resume-prufen'],
  ])('maps %j to %j', (run, topic) => {
    expect(topicOf(run)).toBe(topic);
  });
});
