// Owns: phrases about the age of files. Pure: the survey tells which times they mean.
import type { GoalText } from './goal-text.ts';

const UNIT = '(?:minutes?|hours?|days?|weeks?|months?|years?)';
const NUMBER = '(?:\\d+|an?|one)';
const WEEKDAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)';
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const DAY = '\\d{1,2}(?:st|nd|rd|th)?';
const YEAR = '(?:19|20)\\d\\d';
/** A moment that cannot be the name of a folder. */
const DATE = `(?:today(?:'s)?|yesterday(?:'s)?|this (?:week|month|year)|(?:the )?(?:last|previous) (?:week|month|year)|(?:the )?(?:last|past) ${NUMBER} ${UNIT}|(?:the )?past ${UNIT}|the last ${UNIT}|${NUMBER} ${UNIT} ago|(?:last |this )?${WEEKDAY}|${MONTH} ${DAY}(?:,? ${YEAR})?|${DAY} (?:of )?${MONTH}(?:,? ${YEAR})?|${MONTH}(?: ${YEAR})?|${YEAR}|§d)`;
const REL =
  "(?:(?:that|which|who) )?(?:(?:is|are|was|were|have|has|had|haven't|hasn't|i|i've|we|we've|you) )?(?:been )?";
const CHANGED = '(?:last )?(?:modified|changed|edited|updated|touched|written|saved)';
const CREATED = '(?:created|added|made|accessed|opened|taken|downloaded|shot)';

export interface AgePhrase {
  readonly phrase?: string;
  readonly problem?: string;
}

/** Takes a phrase about when files changed. Other times of files, such as their creation, are not known. */
export function takePeriod(text: GoalText): AgePhrase | undefined {
  const created = text.take(
    `${REL}(?<what>${CREATED})(?: (?:since|after|before|until|on|in|from|during|within|between|more than|less than|over))?(?: the)? ?(?<date>${DATE}(?: and ${DATE})?)`,
  );
  if (created) {
    const problem = `Oka knows when a file was modified last, not when it was ${created.get('what')}; ask for modified files instead`;
    return { problem };
  }
  const old =
    text.take(`${REL}(?<how>older|newer|younger) than (?<date>${NUMBER} ${UNIT})(?: old)?`) ??
    text.take(`${REL}(?<how>over|more than|less than|at least) (?<date>${NUMBER} ${UNIT}) (?:ago|old)`) ??
    text.take(`${REL}${CHANGED} (?<how>over|more than|less than) (?<date>${NUMBER} ${UNIT})(?: ago)?`);
  if (old) {
    const isNewer = /newer|younger|less/.test(old.get('how') ?? '');
    return { phrase: `${isNewer ? 'newer' : 'older'} than ${old.get('date')}` };
  }
  const olderThan = text.take(`${REL}(?<how>older|newer) than (?<date>${DATE})`);
  if (olderThan)
    return {
      phrase: `${olderThan.get('how') === 'newer' ? 'after' : 'before'} ${dateIn(olderThan.get('date'))}`,
    };
  return takeUnchanged(text) ?? takeChanged(text);
}

/** "not modified for 30 days", "untouched since May": the period is the time before. */
function takeUnchanged(text: GoalText): AgePhrase | undefined {
  const none = `(?:(?:(?:that|which) )?(?:i |we )?(?:(?:were|was|are|is|have|has) not|haven't|hasn't|weren't|not)(?: been)? ${CHANGED}|${REL}(?:unchanged|untouched|unmodified))`;
  const long = text.take(
    `${none} (?:in|for|within|over)(?: more than)? (?:the )?(?:(?:last|past) )?(?<date>${NUMBER} ${UNIT})`,
  );
  if (long) return { phrase: `older than ${long.get('date')}` };
  const rolling = text.take(`${none} (?:in|for|within) the (?:last|past) (?<date>${UNIT})`);
  if (rolling) return { phrase: `older than 1 ${rolling.get('date')}` };
  const since = text.take(`${none} (?:since|after|this|in) (?<date>${DATE})`);
  return since && { phrase: `before ${dateIn(since.get('date'))}` };
}

function takeChanged(text: GoalText): AgePhrase | undefined {
  const between = text.take(`${REL}(?:${CHANGED} |from )?between (?<from>${DATE}) and (?<until>${DATE})`);
  if (between)
    return { phrase: `between ${dateIn(between.get('from'))} and ${dateIn(between.get('until'))}` };
  const how = '(?<how>since|after|before|until|on|in|from|during|of|within)';
  const found =
    text.take(`${REL}${CHANGED} (?:${how} )?(?<date>${DATE})`) ??
    text.take(`(?<how>since|after|before|until|from|of|during|within) (?<date>${DATE})`) ??
    text.take(`in (?<date>(?:the )?(?:last|past) ${NUMBER} ${UNIT}|the (?:last|past) ${UNIT})`) ??
    text.take("(?<date>(?:today|yesterday)(?:'s)?|this (?:week|month|year)(?:'s)?|last (?:week|month)'s)") ??
    text.take(`${REL}(?:dated|dating from) (?<date>${DATE})`);
  if (!found) return undefined;
  const link = found.get('how') ?? '';
  return { phrase: `${link} ${dateIn(found.get('date'))}`.trim() };
}

function dateIn(text = ''): string {
  return text.toLowerCase().replace(/'s$/, '').replace(/ of /, ' ');
}
