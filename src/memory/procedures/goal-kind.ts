import { canonicalJson, type JsonObject } from '../../kernel/index.ts';
import { stem } from '../../retrieval/index.ts';
import type { GoalPiece, ReadGoalPieces } from './ports.ts';
import type { GoalKind, GoalSlot } from './types.ts';

const LONGEST_GOAL = 1_000;
/** Words that say nothing about what is wanted. Never one that turns a goal round, such as "not". */
const IDLE: ReadonlySet<string> = new Set('a an the please kindly just now'.split(' '));

/** What stands before a place: the word after it names one, although it does not look like a path. */
const BEFORE_PLACES: ReadonlySet<string> = new Set('in inside within under from into to'.split(' '));
/** Words that may stand there without naming a place. */
const NOT_PLACES: ReadonlySet<string> = new Set(
  'a an the this that these those my our it its all any each every file files folder directory path'.split(
    ' ',
  ),
);

/** Whether a word of a goal says nothing about what is wanted. */
export function isIdle(word: string): boolean {
  const plain = word.toLowerCase();
  return IDLE.has(plain) || NOT_PLACES.has(plain) || BEFORE_PLACES.has(plain);
}

/** The kind of a goal: its words by their stems, its values as slots. Undefined where a goal says nothing that repeats. */
export function kindOfGoal(goal: string, read: ReadGoalPieces): GoalKind | undefined {
  if (goal.length > LONGEST_GOAL) return undefined;
  const pieces = read(goal)
    .map(asPlace)
    .filter(({ kind, text }) => kind !== 'word' || !IDLE.has(text.toLowerCase()));
  if (!pieces.some(({ kind }) => kind === 'word')) return undefined;
  const counts: Record<string, number> = {};
  const slots: GoalSlot[] = [];
  const words = pieces.map((piece) => {
    if (piece.kind === 'word')
      return { key: stem(piece.text.toLowerCase()), shown: piece.text.toLowerCase() };
    const place = (counts[piece.kind] ?? 0) + 1;
    counts[piece.kind] = place;
    const name = `${piece.kind}${place}`;
    slots.push({ name, kind: piece.kind, value: tidy(piece) });
    return { key: `<${name}>`, shown: `{{${name}}}` };
  });
  return {
    key: words.map(({ key }) => key).join(' '),
    phrase: words.map(({ shown }) => shown).join(' '),
    slots,
  };
}

function asPlace(piece: GoalPiece): GoalPiece {
  const { kind, text, after = '' } = piece;
  const isPlace = kind === 'word' && BEFORE_PLACES.has(after) && !NOT_PLACES.has(text.toLowerCase());
  return isPlace ? { kind: 'path', text } : piece;
}

/** The values of a goal, as places in a template take them. */
export function slotValues({ slots }: GoalKind): JsonObject {
  return Object.fromEntries(
    slots.map(({ name, kind, value }) => [name, kind === 'number' ? Number(value) : value]),
  );
}

/** Equal for goals of one kind that give the same values. */
export function valuesKey(kind: GoalKind): string {
  return `${kind.key}\n${canonicalJson(slotValues(kind))}`;
}

/** The same value written in one way, so that `./docs/` and `docs` are not two. */
function tidy({ kind, text }: GoalPiece): string {
  if (kind === 'number') return String(Number(text));
  return kind === 'path' ? tidyPath(text) : text;
}

export function tidyPath(path: string): string {
  const plain = path
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/(?<=^|\/)\.\//g, '')
    .replace(/(.)\/(?:\.)?$/, '$1');
  return plain === '' ? '.' : plain;
}
