import { describe, expect, it } from 'vitest';
import { chooseComplementary } from './choose-complementary.ts';
import { readQuery } from './read-query.ts';
import { ScoreSheet } from './score-sheet.ts';

describe('a question that asks for two things', () => {
  it('is recognised; one that asks for a list is not', () => {
    expect(readQuery('Where was she and what did she eat?').asksTwice).toBe(true);
    expect(readQuery('On what day and with whom does she practise?').asksTwice).toBe(true);
    expect(readQuery('What books has she read?').asksTwice).toBe(false);
  });

  it('gets a text about its other half before a third one about the same half', () => {
    const sheet = new ScoreSheet(4);
    for (const [place, score] of [0.6, 0.58, 0.55, 0.45].entries()) {
      sheet.add(place, 'keyword', score);
      sheet.setTerms(place, place < 3 ? ['lisbon', 'holiday'] : ['violin']);
    }
    expect(chooseComplementary(sheet, [0, 1, 2, 3])).toEqual([0, 3, 1, 2]);
  });
});
