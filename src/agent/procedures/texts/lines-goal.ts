import type { GoalPhrase } from '../goal-phrase.ts';

/** What a goal wants of the lines of a text. */
export type LinesTask =
  | { readonly do: 'first' | 'last'; readonly amount: number }
  | { readonly do: 'range'; readonly from: number; readonly to: number }
  | { readonly do: 'sort'; readonly descending: boolean }
  | { readonly do: 'reverse' }
  /** `unique` keeps one of equal lines, `repeated` shows the lines that occur again, `filled` removes blank lines. */
  | { readonly do: 'unique' | 'repeated' | 'filled' }
  | { readonly do: 'with' | 'without'; readonly text: string };

const SHOW =
  '(?:(?:show|print|display|read|give|get|see|view|list|what are|what is|write|save|put|copy|extract|keep|find|take)(?: me)? )?(?:(?:the|all|only|just|every) )*';
const REMOVE = '(?:remove|delete|drop|strip|clean out|get rid of|eliminate|filter out)';
const DUPLICATE = '(?:duplicate|duplicated|repeated|double|repeating)';
const ENDS = new RegExp(
  `^${SHOW}(?<end>first|last|top|bottom|final) (?:(?:@n(?<n>\\d+) lines?)|line|few lines|lines)$`,
  'i',
);
const RANGE = new RegExp(
  `^${SHOW}lines? @n(?<from>\\d+)(?: ?(?:to|-|through|until|and|–) ?@n(?<to>\\d+))?$`,
  'i',
);
const TAIL = /^(?<end>tail|head)(?: -n)?(?: @n(?<n>\d+))?(?: lines)?$/i;
const SORTED =
  /^(?:show |list |write )?(?:sort|sorted|order|ordered)(?: (?:the|all))*(?: lines)(?: (?:alphabetically|by name|ascending|in alphabetical order))?(?<desc> (?:descending|in reverse|in descending order|reversed|z to a|in reverse order))?$|^(?<alpha>sort)(?: the)?(?: lines)? alphabetically$/i;
const REVERSED = /^reverse(?: the)?(?: order of(?: the)?)? lines$/i;
const BLANK = new RegExp(
  `^${REMOVE} (?:(?:the|all|any) )*(?:blank|empty) lines$|^${SHOW}(?:non-empty|non-blank) lines$`,
  'i',
);
const UNIQUE = new RegExp(
  `^${REMOVE} (?:(?:the|all|any) )*${DUPLICATE} lines$|^${SHOW}(?:unique|distinct|different) lines$|^(?:deduplicate|dedupe)(?: the)? lines$`,
  'i',
);
const REPEATED = new RegExp(
  `^(?:(?:are there|which|any|has it|count|how many) )?${SHOW}(?:any )?${DUPLICATE} lines(?: are there)?$|^(?:which|what) lines (?:occur|appear|repeat)(?: (?:twice|again|more than once|several times|repeatedly))?$`,
  'i',
);
const WITH = new RegExp(
  `^${SHOW}lines (?<not>not |without |that do not )?(?:with|containing|that contain|which contain|contain|that have|mentioning|including|that mention)? ?(?:the (?:word|text) )?(?<text>@q\\d+|@w\\d+|[^\\s@]+)$`,
  'i',
);
const WITHOUT = new RegExp(
  `^${REMOVE} (?:(?:the|all|any) )*lines (?:with|containing|that contain|that have|mentioning) (?:the (?:word|text) )?(?<text>@q\\d+|[^\\s@]+)$`,
  'i',
);
const DEFAULT_LINES = 10;

/** Reads what a goal wants of lines, and whether it changes the file itself. */
export function readLinesTask({
  line,
  plain,
}: GoalPhrase): { task: LinesTask; inPlace: boolean } | undefined {
  const numberAt = (mark: string | undefined): number =>
    mark === undefined ? DEFAULT_LINES : Number(plain(`@n${mark}`));
  const isRemoval = new RegExp(`^${REMOVE}\\b|^(?:deduplicate|dedupe)`, 'i').test(line);
  const ends = (ENDS.exec(line) ?? TAIL.exec(line))?.groups;
  if (ends) {
    const amount = / line$/i.test(line) ? 1 : numberAt(ends['n']);
    if (!Number.isInteger(amount) || amount < 1) return undefined;
    return {
      task: { do: /last|bottom|final|tail/i.test(ends['end'] ?? '') ? 'last' : 'first', amount },
      inPlace: false,
    };
  }
  const range = RANGE.exec(line)?.groups;
  if (range) {
    const from = numberAt(range['from']);
    const to = range['to'] === undefined ? from : numberAt(range['to']);
    return from >= 1 && to >= from ? { task: { do: 'range', from, to }, inPlace: false } : undefined;
  }
  const sorted = SORTED.exec(line);
  if (sorted)
    return { task: { do: 'sort', descending: sorted.groups?.['desc'] !== undefined }, inPlace: false };
  if (REVERSED.test(line)) return { task: { do: 'reverse' }, inPlace: false };
  if (BLANK.test(line)) return { task: { do: 'filled' }, inPlace: isRemoval };
  if (UNIQUE.test(line)) return { task: { do: 'unique' }, inPlace: isRemoval };
  if (REPEATED.test(line)) return { task: { do: 'repeated' }, inPlace: false };
  const without = WITHOUT.exec(line)?.groups;
  if (without) return { task: { do: 'without', text: plain(without['text'] ?? '') }, inPlace: true };
  const found = WITH.exec(line)?.groups;
  if (found && /(?:with|contain|mention|includ|have|without|not)/i.test(line))
    return {
      task: { do: found['not'] === undefined ? 'with' : 'without', text: plain(found['text'] ?? '') },
      inPlace: false,
    };
  return undefined;
}
