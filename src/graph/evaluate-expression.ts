import jsonata from 'jsonata';
import { type Json, type JsonObject, memoize, OkaError } from '../kernel/index.ts';
import type { GraphErrorCode } from './errors.ts';
import { boundFunctions, countWork, isFunction } from './expression-guard.ts';
import { findPatternProblem, LinearRegex } from './patterns.ts';

const MAX_EXPRESSION_LENGTH = 20_000;
const MAX_CACHED = 500;
/** Evaluations in progress at the same time within one expression; grouping evaluates its groups concurrently. */
const MAX_STACK = 50_000;
const MAX_SEQUENCE = 100_000;
/** The order-by operator of jsonata copies its list for each comparison. */
const MAX_ORDERED = 10_000;
const MAX_RESULT_DEPTH = 200;

/** Functions with a different result in each run, or that bypass the guard. */
const REFUSED: Readonly<Record<string, string>> = {
  eval: 'write the expression itself',
  random: 'get randomness from a tool, whose answer is recorded',
  shuffle: 'get randomness from a tool, whose answer is recorded',
  now: 'pass the time in with the input',
  millis: 'pass the time in with the input',
};

interface ParsedExpression {
  readonly expression: jsonata.Expression;
  /** The names of the variables that it reads, such as `nodes`. */
  readonly variables: ReadonlySet<string>;
  /** The nodes that it names as `$nodes.name`. */
  readonly nodes: readonly string[];
  /** Why it would fail in every run. */
  readonly problem: ExpressionProblem | undefined;
}

interface ExpressionProblem {
  readonly message: string;
  readonly suggestion?: string;
}

/**
 * Evaluates a JSONata expression over plain JSON and returns plain JSON: nothing becomes null, a sequence becomes a list.
 * The same expression over the same values always gives the same result. Work, depth and size are bounded; patterns run
 * in linear time. `bindings` are the variables, without their dollar sign.
 */
export async function evaluateExpression(
  expression: string,
  input: Json,
  bindings: JsonObject = {},
): Promise<Json> {
  try {
    const parsed = parseExpression(expression);
    const used = Object.entries(bindings).filter(([name]) => parsed.variables.has(name));
    const result: unknown = await parsed.expression.evaluate(
      structuredClone(input),
      structuredClone(Object.fromEntries(used)),
    );
    return toPlainJson(result, 0);
  } catch (error) {
    const { position, code } = readThrown(error);
    throw new OkaError<GraphErrorCode>(
      'graph.expression_failed',
      `the expression failed: ${describeThrown(error)}; correct the expression or its input.`,
      {
        data: {
          expression,
          ...(position === undefined ? {} : { position }),
          ...(code === undefined ? {} : { jsonata: code }),
        },
        cause: error,
      },
    );
  }
}

/** The problem of an expression that is known before it runs; undefined when there is none. */
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

/** Throws what jsonata throws, or an Error. */
const parseExpression = memoize(MAX_CACHED, (text): ParsedExpression => {
  if (text.length > MAX_EXPRESSION_LENGTH)
    throw new Error(`it is longer than ${MAX_EXPRESSION_LENGTH} characters`);
  const survey = surveyTree(jsonata(text).ast());
  const expression = jsonata(text, {
    RegexEngine: LinearRegex as unknown as RegExpConstructor,
    stack: MAX_STACK,
    sequence: survey.orders ? MAX_ORDERED : MAX_SEQUENCE,
  });
  countWork(expression);
  boundFunctions(expression);
  for (const [name, instead] of Object.entries(REFUSED)) {
    expression.registerFunction(name, () => {
      throw new Error(`$${name} is not available; ${instead}`);
    });
  }
  return { expression, variables: survey.variables, nodes: survey.nodes, problem: findRefused(survey) };
});

function toPlainJson(value: unknown, depth: number): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`its result contains ${value}, which is not JSON`);
    return value;
  }
  if (typeof value !== 'object' || isFunction(value)) throw new Error('its result contains a function');
  if (depth > MAX_RESULT_DEPTH)
    throw new Error(`its result is nested deeper than ${MAX_RESULT_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((item) => toPlainJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === '__proto__') throw new Error('its result contains the key "__proto__"');
      return [key.toWellFormed(), toPlainJson(member, depth + 1)];
    }),
  );
}

function describeThrown(error: unknown): string {
  const { message, position } = readThrown(error);
  return position === undefined ? message : `${message} (at character ${position})`;
}

/** jsonata throws plain objects with a message, a position and a code. */
function readThrown(error: unknown): { message: string; position?: number; code?: string } {
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
  /** Names that the expression defines itself. */
  readonly bound: Set<string>;
  readonly patterns: RegExp[];
  /** Whether the expression uses the order-by operator. */
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
      visitPart(part as Tree, survey);
      waiting.push(...Object.values(part));
    }
  }
  return survey;
}

function visitPart(part: Tree, survey: Survey): void {
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
