import { canonicalJson, type Json, type JsonObject, OkaError, renderTemplate } from '../../kernel/index.ts';
import { stem } from '../../retrieval/index.ts';
import type { GoalPiece, ReadGoalPieces } from './ports.ts';
import type { GoalKind, GoalSlot } from './types.ts';

const MAX_GOAL_LENGTH = 1_000;
/** Words without meaning for the goal. Never one that inverts it, such as "not". */
const FILLERS: ReadonlySet<string> = new Set('a an the please kindly just now'.split(' '));

/** Prepositions: the word after one of them is a path, even if it does not look like one. */
const PREPOSITIONS: ReadonlySet<string> = new Set('in inside within under from into to'.split(' '));
/** Words after a preposition that are not paths. */
const NOT_PATHS: ReadonlySet<string> = new Set(
  'a an the this that these those my our it its all any each every file files folder directory path'.split(
    ' ',
  ),
);

/** Whether a word of a goal has no meaning for search. */
export function isFiller(word: string): boolean {
  const plain = word.toLowerCase();
  return FILLERS.has(plain) || NOT_PATHS.has(plain) || PREPOSITIONS.has(plain);
}

/** The kind of a goal: the stems of its words, and its values as slots. Undefined for goals that cannot repeat. */
export function kindOfGoal(goal: string, read: ReadGoalPieces): GoalKind | undefined {
  if (goal.length > MAX_GOAL_LENGTH) return undefined;
  const pieces = read(goal)
    .map(asPath)
    .filter(({ kind, text }) => kind !== 'word' || !FILLERS.has(text.toLowerCase()));
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

function asPath(piece: GoalPiece): GoalPiece {
  const { kind, text, after = '' } = piece;
  const isPath = kind === 'word' && PREPOSITIONS.has(after) && !NOT_PATHS.has(text.toLowerCase());
  return isPath ? { kind: 'path', text } : piece;
}

/** The values of a goal by slot, for templates. */
export function slotValues({ slots }: GoalKind): JsonObject {
  return Object.fromEntries(
    slots.map(({ name, kind, value }) => [name, kind === 'number' ? Number(value) : value]),
  );
}

/** Equal for goals of one kind with equal values. */
export function valuesKey(kind: GoalKind): string {
  return `${kind.key}\n${canonicalJson(slotValues(kind))}`;
}

/** Normalises a value, so that `./docs/` and `docs` are equal. */
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

/** Fills a template with the values of a goal; undefined if a slot or a key cannot be filled. */
export function fillTemplate(template: Json, values: JsonObject): Json | undefined {
  try {
    return renderTemplate(template, values);
  } catch (error) {
    if (error instanceof OkaError) return undefined;
    throw error;
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
