import type { RunSummary } from '../../engine/index.ts';

const STOP_WORDS = new Set(
  `a about after all also an and any are as at be before below but by can could do does for from get give have how i if in
  into is it its just let make me my need of on one or our out please she should so some than that the their them then there
  these they this those to up us use want was we were what when where which who why will with would you your`.split(
    /\s+/,
  ),
);
const WORDS = 2;
const MAX_LENGTH = 40;
const OTHER = 'other';

/** The topic of a run as a file name part: its automation, or the first words of its goal. */
export function topicOf({ goal, subject }: Pick<RunSummary, 'goal' | 'subject'>): string {
  if (subject !== undefined) return slugOf(subject);
  const [first = ''] = goal.slice(0, 1_000).split(/[.!?;]\s|\n/u);
  const plain = first.replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`|\S*[/\\.@:]\S+/gu, ' ');
  const words = plain.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  return slugOf(
    words
      .filter((word) => !STOP_WORDS.has(word))
      .slice(0, WORDS)
      .join(' '),
  );
}

function slugOf(text: string): string {
  const slug = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? OTHER : slug;
}
