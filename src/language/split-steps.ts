import { isValue, readTokens, textOf, wordOf } from './read-goal.ts';
import { isJoint, splitTokens, withoutLeading } from './split-goal.ts';
import type { Token } from './types.ts';
import { isPolite, LEADING, SEQUENCE } from './vocabulary.ts';

type IsVerb = (word: string) => boolean;

/** A step of an intent. Texts are as written. */
export type Step =
  | { readonly kind: 'action'; readonly tokens: readonly Token[]; readonly text: string }
  | {
      readonly kind: 'condition';
      readonly test: readonly Token[];
      readonly text: string;
      /** True for "unless". */
      readonly negated: boolean;
      readonly then: readonly Step[];
      otherwise: readonly Step[];
    }
  | { readonly kind: 'guarded'; readonly text: string; readonly steps: readonly Step[] };

const OPENERS: ReadonlySet<string> = new Set(['if', 'when', 'unless']);
const OTHERWISE: ReadonlySet<string> = new Set(['otherwise', 'else']);
const ASK =
  /^(?:ask|check with|confirm with) (?:me|us|a person|someone)(?: for (?:approval|permission|confirmation))?/;
const ASK_FIRST = new RegExp(`${ASK.source}(?: first| before(?: that| you do)?| beforehand)?$`);
const GUARDED_AT_END =
  /(?:,? (?:with|after|upon) my (?:approval|permission|consent)| after asking me| (?:once|after|when) i (?:approve|agree|confirm|say yes))$/;

/** Splits an intent into steps. `isVerb` says whether a word can begin a step, because "and" may be inside a step. */
export function splitSteps(intent: string, isVerb: IsVerb): Step[] {
  const steps: Step[] = [];
  for (const sentence of splitTokens(readTokens(intent), ({ kind }) => kind === 'stop'))
    readSentence(sentence, isVerb, steps);
  return steps;
}

/** Adds the steps of one sentence; "otherwise" belongs to the last condition. */
function readSentence(sentence: readonly Token[], isVerb: IsVerb, steps: Step[]): void {
  const tokens = withoutLeading(sentence);
  const [first] = tokens;
  if (!first || tokens.every((token) => isPolite(wordOf(token)))) return;
  const word = wordOf(first);
  if (OTHERWISE.has(word)) readOtherwise(tokens.slice(1), isVerb, steps);
  else if (OPENERS.has(word)) readCondition(tokens, isVerb, steps);
  else if (ASK.test(lowerText(tokens))) readAsking(tokens, isVerb, steps);
  else readClause(tokens, isVerb, steps);
}

function readOtherwise(rest: readonly Token[], isVerb: IsVerb, steps: Step[]): void {
  const last = steps.at(-1);
  const inner: Step[] = [];
  readSentence(rest, isVerb, inner);
  if (last?.kind === 'condition') last.otherwise = [...last.otherwise, ...inner];
  else steps.push({ ...conditionOf([], inner), text: 'otherwise' });
}

/** "if TEST, STEPS, otherwise STEPS": the test ends at a comma or "then", the steps at "otherwise". */
function readCondition(tokens: readonly Token[], isVerb: IsVerb, steps: Step[]): void {
  const body = tokens.slice(1);
  const found = body.findIndex((token) => token.kind === 'comma' || wordOf(token) === 'then');
  const verb = body.findIndex((token, i) => i > 1 && token.kind === 'word' && isVerb(token.text));
  const end = found >= 0 ? found : verb >= 0 ? verb : body.length;
  const rest = body.slice(end);
  const other = rest.findIndex((token) => OTHERWISE.has(wordOf(token)));
  const then: Step[] = [];
  readSentence(other < 0 ? rest : rest.slice(0, other), isVerb, then);
  steps.push(conditionOf(tokens.slice(0, end + 1), then));
  if (other >= 0) readOtherwise(rest.slice(other + 1), isVerb, steps);
}

/** "ask me before STEPS" guards the rest of the sentence; "ask me first" after a step guards that step. */
function readAsking(tokens: readonly Token[], isVerb: IsVerb, steps: Step[]): void {
  const end = endOfClause(tokens, isVerb);
  const clause = tokens.slice(0, end);
  const before = clause.findIndex((token) => wordOf(token) === 'before');
  const rest = before >= 0 && before < clause.length - 1 ? tokens.slice(before + 1) : tokens.slice(end);
  const first = ASK_FIRST.test(lowerText(clause));
  if (!first && before < 0) {
    readClause(tokens, isVerb, steps);
    return;
  }
  const inner: Step[] = [];
  const previous = steps.at(-1);
  if (first && withoutLeading(rest).length === 0 && previous) inner.push(...steps.splice(-1));
  else readSentence(wordOf(rest[0]) === 'you' ? rest.slice(1) : rest, isVerb, inner);
  steps.push({ kind: 'guarded', text: textOf(clause), steps: inner });
}

function readClause(tokens: readonly Token[], isVerb: IsVerb, steps: Step[]): void {
  const end = endOfClause(tokens, isVerb);
  const clause = tokens.slice(0, end);
  const opener = clause.findIndex(
    (token, i) => i > 0 && OPENERS.has(wordOf(token)) && wordOf(token) !== 'when',
  );
  const action = opener < 0 ? clause : clause.slice(0, opener);
  const actions = listedActions(action).map(guardedAtEnd);
  if (opener < 0) steps.push(...actions);
  else steps.push(conditionOf(clause.slice(opener), actions));
  readSentence(tokens.slice(end), isVerb, steps);
}

/** The end of a clause: "then" or "afterwards", "and" before a verb, or a comma that does not continue a list of values. */
function endOfClause(tokens: readonly Token[], isVerb: IsVerb): number {
  const end = tokens.findIndex((token, i) => {
    if (i === 0) return false;
    const next = tokens
      .slice(i + 1)
      .find(({ kind, text }) => kind !== 'comma' && text.toLowerCase() !== 'and');
    const continues = next !== undefined && isValue(next);
    const word = wordOf(token);
    if (token.kind === 'comma') return !continues;
    if (word === 'and' || word === 'but')
      return (
        next !== undefined &&
        next.kind === 'word' &&
        (isVerb(next.text) || LEADING.has(wordOf(next)) || OPENERS.has(wordOf(next)))
      );
    return SEQUENCE.has(word) || OTHERWISE.has(word);
  });
  return end < 0 ? tokens.length : end;
}

/** "read a.md, b.md and c.md" is three actions with the same beginning. */
function listedActions(tokens: readonly Token[]): Step[] {
  const first = tokens.findIndex(isValue);
  const joints = tokens.flatMap((token, i) => {
    const next = tokens[i + 1];
    const follows =
      next !== undefined && (isValue(next) || (token.kind === 'comma' && wordOf(next) === 'and'));
    return isJoint(token) && follows && i > first ? [i] : [];
  });
  if (first < 0 || joints.length === 0) return [actionOf(tokens)];
  const values = tokens.slice(first).filter((token) => !isJoint(token));
  const list = values.every(isValue);
  return list ? values.map((value) => actionOf([...tokens.slice(0, first), value])) : [actionOf(tokens)];
}

/** A condition from its first word, such as "if" or "unless", to the end of its test. */
function conditionOf(tokens: readonly Token[], then: readonly Step[]): Step {
  const negated = wordOf(tokens[0]) === 'unless';
  return { kind: 'condition', test: tokens.slice(1), text: textOf(tokens), negated, then, otherwise: [] };
}

function actionOf(tokens: readonly Token[]): Step {
  return { kind: 'action', tokens, text: textOf(tokens) };
}

function guardedAtEnd(step: Step): Step {
  if (step.kind !== 'action') return step;
  const said = GUARDED_AT_END.exec(lowerText(step.tokens))?.[0];
  if (said === undefined) return step;
  const words = said.trim().split(' ').length;
  return { kind: 'guarded', text: said.trim(), steps: [actionOf(step.tokens.slice(0, -words))] };
}

function lowerText(tokens: readonly Token[]): string {
  return textOf(tokens).toLowerCase();
}
