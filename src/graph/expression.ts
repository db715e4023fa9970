import jsonata from 'jsonata';
import { boundFunctions, countWork } from './expression-guard.ts';
import { LinearRegex } from './linear-regex.ts';
import { findPatternProblem } from './patterns.ts';

const LONGEST_EXPRESSION = 20_000;
const MOST_KEPT = 500;
/** Evaluations under way at the same time within one expression; grouping evaluates its groups side by side. */
const DEEPEST = 50_000;
const LONGEST_SEQUENCE = 100_000;
/** The order-by operator of jsonata copies its list for each comparison. */
const LONGEST_ORDERED = 10_000;

/** Functions whose answer would change from run to run, or that would get round the guard. */
const REFUSED: Readonly<Record<string, string>> = {
  eval: 'write the expression itself',
  random: 'take chance from a tool, whose answer is recorded',
  shuffle: 'take chance from a tool, whose answer is recorded',
  now: 'pass the time in with the input',
  millis: 'pass the time in with the input',
};

/** A parsed expression that can be evaluated any number of times. */
export interface ParsedExpression {
  readonly expression: jsonata.Expression;
  /** The names of the variables that it reads, such as `nodes`. */
  readonly variables: ReadonlySet<string>;
  /** The nodes that it names as `$nodes.name`. */
  readonly nodes: readonly string[];
  /** Why it would fail in every run. */
  readonly problem: ExpressionProblem | undefined;
}

/** Why an expression cannot be used. */
export interface ExpressionProblem {
  readonly message: string;
  readonly suggestion?: string;
}

const parsed = new Map<string, ParsedExpression>();

/** Parses an expression; throws what jsonata throws, or an Error, when it is none. */
export function parseExpression(text: string): ParsedExpression {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (text.length > LONGEST_EXPRESSION) throw new Error(`it is longer than ${LONGEST_EXPRESSION} characters`);
  const survey = surveyTree(jsonata(text).ast());
  const expression = jsonata(text, {
    RegexEngine: LinearRegex as unknown as RegExpConstructor,
    stack: DEEPEST,
    sequence: survey.orders ? LONGEST_ORDERED : LONGEST_SEQUENCE,
  });
  countWork(expression);
  boundFunctions(expression);
  for (const [name, instead] of Object.entries(REFUSED)) {
    expression.registerFunction(name, () => {
      throw new Error(`$${name} is not available; ${instead}`);
    });
  }
  if (parsed.size >= MOST_KEPT) parsed.clear();
  const { variables, nodes } = survey;
  const made = { expression, variables, nodes, problem: findRefused(survey) };
  parsed.set(text, made);
  return made;
}

/** What is wrong with an expression before it runs; undefined when nothing is. */
export function findExpressionProblem(text: string): ExpressionProblem | undefined {
  try {
    return parseExpression(text).problem;
  } catch (error) {
    return { message: `this is not JSONata: ${describeThrown(error)}.` };
  }
}

/** The nodes that an expression names as `$nodes.name`; none when it cannot be parsed. */
export function nodesNamedIn(text: string): readonly string[] {
  try {
    return parseExpression(text).nodes;
  } catch {
    return [];
  }
}

/** What jsonata says of an error, with the place in the expression. */
export function describeThrown(error: unknown): string {
  const { message, position } = placeOf(error);
  return position === undefined ? message : `${message} (at character ${position})`;
}

/** The sentence and the place of something thrown by jsonata, which throws plain objects. */
export function placeOf(error: unknown): { message: string; position?: number; code?: string } {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const message = typeof thrown['message'] === 'string' ? thrown['message'] : String(error);
  return {
    message: message.replace(/\.$/, ''),
    ...(typeof thrown['position'] === 'number' ? { position: thrown['position'] } : {}),
    ...(typeof thrown['code'] === 'string' ? { code: thrown['code'] } : {}),
  };
}

interface Survey {
  readonly variables: Set<string>;
  readonly nodes: string[];
  /** Names that the expression gives a meaning itself. */
  readonly bound: Set<string>;
  readonly patterns: RegExp[];
  /** Whether the order-by operator is used. */
  orders: boolean;
}

type Tree = Record<string, unknown>;

function surveyTree(root: unknown): Survey {
  const survey: Survey = { variables: new Set(), nodes: [], bound: new Set(), patterns: [], orders: false };
  const waiting: unknown[] = [root];
  for (let part = waiting.pop(); part !== undefined || waiting.length > 0; part = waiting.pop()) {
    if (part === null || typeof part !== 'object') continue;
    if (part instanceof RegExp) survey.patterns.push(part);
    else if (Array.isArray(part)) waiting.push(...part);
    else {
      lookAt(part as Tree, survey);
      waiting.push(...Object.values(part));
    }
  }
  return survey;
}

function lookAt(part: Tree, survey: Survey): void {
  if (part['type'] === 'sort') survey.orders = true;
  if (part['type'] === 'variable') survey.variables.add(String(part['value']));
  if (part['type'] === 'bind') survey.bound.add(String((part['lhs'] as Tree | undefined)?.['value']));
  if (part['type'] === 'lambda')
    for (const one of (part['arguments'] as Tree[] | undefined) ?? []) survey.bound.add(String(one['value']));
  if (part['type'] === 'path') {
    const [first, second] = (part['steps'] as Tree[] | undefined) ?? [];
    if (first?.['type'] === 'variable' && first['value'] === 'nodes' && second?.['type'] === 'name')
      survey.nodes.push(String(second['value']));
  }
}

function findRefused(survey: Survey): ExpressionProblem | undefined {
  for (const [name, instead] of Object.entries(REFUSED)) {
    if (survey.variables.has(name) && !survey.bound.has(name))
      return { message: `$${name} is not available in an expression.`, suggestion: `Instead, ${instead}.` };
  }
  for (const pattern of survey.patterns) {
    const problem = findPatternProblem(pattern);
    if (problem !== undefined) {
      return {
        message: `the pattern ${pattern.source} cannot be used: ${problem}.`,
        suggestion: 'Use RE2 syntax: no look-around and no back references.',
      };
    }
  }
  return undefined;
}
