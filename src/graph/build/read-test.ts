import type { Json } from '../../kernel/index.ts';
import { isPronoun, isTemplate, isValue, type Token } from '../../language/index.ts';
import type { Operator } from '../types.ts';
import { listField, namedTemplate, numberField, type Output, textTemplate } from './outputs.ts';

/** A condition in words, as a test. */
export type ReadTest =
  | { readonly kind: 'failed' }
  | { readonly kind: 'agreed'; readonly negated: boolean }
  | {
      readonly kind: 'compare';
      readonly left: Json;
      readonly operator: Operator;
      readonly right?: Json;
      readonly negated: boolean;
    };

const COMPARISONS: readonly (readonly [Operator, RegExp])[] = [
  ['gte', /\bat least\b|\bor more\b|\bno (?:fewer|less|smaller) than\b/],
  ['lte', /\bat most\b|\bor (?:fewer|less)\b|\bno (?:more|greater) than\b/],
  ['gt', /\bmore than\b|\bgreater than\b|\bover\b|\babove\b|\bexceeds?\b/],
  ['lt', /\b(?:fewer|less|smaller) than\b|\bunder\b|\bbelow\b/],
  ['eq', /\bexactly\b|\bequals?\b|\bis\b|\bare\b/],
];
const TEXT_TESTS: readonly (readonly [Operator, RegExp])[] = [
  ['starts_with', /\b(?:starts?|begins?) with\b/],
  ['ends_with', /\bends? with\b/],
  ['matches', /\bmatch(?:es)?\b/],
  ['contains', /\bcontains?\b|\bincludes?\b|\bmentions?\b|\bhas\b|\bin it\b/],
  ['eq', /\bequals?\b|\bis\b|\bsays\b/],
];
const FAILED = /\b(?:fails?|failed|goes wrong|went wrong|(?:is|was|there is) an error)\b/;
const AGREED = /^i (?:do not |don't )?(?:agree|approve|confirm|say yes|accept)\b/;
const NOTHING = /\b(?:nothing|none|is empty|are empty|no \w+)\b/;
const SOMETHING =
  /\b(?:something|anything|any \w+|(?:is|are) not empty|isn't empty|finds? (?:it|one|some)|there (?:is|are) (?:an? |some )?\w+)\b/;
const NOT = /\b(?:not|doesn't|don't|isn't|aren't|never)\b/;

/** Words that make a condition with a value ambiguous. */
const AMOUNTS = /\b(?:nothing|none|something|anything|any|no(?! (?:more|greater|fewer|less|smaller) than))\b/;

const KNOWN: ReadonlySet<string> = new Set(
  [
    'the a an its there is are was were be does do did of than with at in i or file page',
    'more less fewer greater smaller over above under below exceed exceeds least most exactly equal equals',
    'contain contains include includes mention mentions has have start starts begin begins end ends match matches say says',
    'fail fails failed goes went wrong error agree approve confirm accept yes',
    "nothing none no something anything any some one empty find finds found not doesn't don't isn't aren't never",
  ].flatMap((line) => line.split(' ')),
);

/** A condition and the outputs that it can be about. */
interface Said {
  /** The words, in lower case, without the values. */
  readonly text: string;
  readonly words: readonly string[];
  readonly negated: boolean;
  /** A template in the condition. */
  readonly template: string | undefined;
  readonly outputs: readonly Output[];
}

/** Reads a condition over the outputs of earlier steps; undefined when it is not certain. */
export function readTest(test: readonly Token[], outputs: readonly Output[]): ReadTest | undefined {
  const words = test.filter(({ kind }) => kind === 'word').map((token) => token.text.toLowerCase());
  const text = words.join(' ');
  const values = test.filter(isValue);
  const [value, more] = values.filter((one) => !isTemplate(one));
  const template = values.find(isTemplate)?.text;
  const negated = NOT.test(text);
  if (more || !isUnderstood(words, outputs)) return undefined;
  if (values.length === 0 && AGREED.test(text)) return { kind: 'agreed', negated };
  if (values.length === 0 && FAILED.test(text)) return negated ? undefined : { kind: 'failed' };
  if (outputs.length === 0 && template === undefined) return undefined;
  const said: Said = { text, words, negated, template, outputs };
  if (!value) return amountTest(said);
  return value.kind === 'number' ? numberTest(said, Number(value.text)) : textTest(said, value.text);
}

/** An unknown word could change the meaning. */
function isUnderstood(words: readonly string[], outputs: readonly Output[]): boolean {
  if (/\band\b|\bor\b(?! (?:more|less|fewer)\b)/.test(words.join(' '))) return false;
  return words.every(
    (word) => KNOWN.has(word) || isPronoun(word) || namedTemplate(word, outputs, true) !== undefined,
  );
}

/** "there are more than 3 matches": the number that the words name, or the length of the list that they name. */
function numberTest({ text, words, negated, template, outputs }: Said, right: number): ReadTest | undefined {
  const operator = COMPARISONS.find(([, pattern]) => pattern.test(text))?.[0];
  const last = outputs.at(-1);
  const left = template ?? (last && countTemplate(last, words));
  if (operator === undefined || left === undefined || AMOUNTS.test(text)) return undefined;
  return { kind: 'compare', left, operator, right, negated };
}

function countTemplate(output: Output, words: readonly string[]): string | undefined {
  const number = numberField(output, words);
  if (number !== undefined) return `{{${output.nodeId}.${number}}}`;
  const list = listField(output, words);
  return list === undefined ? undefined : `{{${output.nodeId}.${list}.length}}`;
}

/** "it contains "x"": the field that the words name, or the text of the previous step. */
function textTest({ text, words, negated, template, outputs }: Said, right: string): ReadTest | undefined {
  const operator = TEXT_TESTS.find(([, pattern]) => pattern.test(text))?.[0];
  const last = outputs.at(-1);
  const named = words
    .filter((word) => !isPronoun(word))
    .map((word) => namedTemplate(word, outputs, true))
    .find((found) => found !== undefined);
  const left = template ?? named ?? (last && textTemplate(last));
  if (operator === undefined || left === undefined || AMOUNTS.test(text)) return undefined;
  return { kind: 'compare', left, operator, right, negated };
}

/** "it finds something", "there are no matches", "it is empty". */
function amountTest({ text, words, negated, template, outputs }: Said): ReadTest | undefined {
  const nothing = NOTHING.test(text);
  if (!nothing && !SOMETHING.test(text)) return undefined;
  const last = outputs.at(-1);
  const left = template ?? (last && wholeTemplate(last, words));
  if (left === undefined) return undefined;
  // "not" belongs to "not empty"; with "anything" it inverts the test.
  const turned = negated && /\banything\b|\bany\b/.test(text);
  return { kind: 'compare', left, operator: 'empty', negated: nothing === turned };
}

/** The list or the text in an output, or the whole output. */
function wholeTemplate(output: Output, words: readonly string[]): string {
  const list = listField(output, words);
  return list === undefined ? textTemplate(output).trim() : `{{${output.nodeId}.${list}}}`;
}
