import type { Json } from '../kernel/index.ts';
import { isRefusedKey, jsonPath } from './json-value.ts';
import type { FieldPath } from './node-type.ts';
import type { Diagnostic } from './types.ts';

const MAX_DEPTH = 500;
const BYTE_ORDER_MARK = '\uFEFF';

const PROBLEMS = {
  syntax: { code: 'graph.not_json', suggestion: 'Correct the text there.' },
  duplicate_key: { code: 'graph.duplicate_key', suggestion: 'Keep one of them.' },
  too_deep: { code: 'graph.too_deep', suggestion: 'Write it with fewer levels.' },
  refused_key: { code: 'graph.refused_key', suggestion: 'Choose another key.' },
} as const;

/** A fault in a JSON text. */
interface JsonProblem {
  readonly kind: keyof typeof PROBLEMS;
  readonly offset: number;
  readonly path: FieldPath;
  readonly message: string;
}

/** A definition as written, or the reasons why the text is not one. */
export interface ParsedGraphText {
  readonly definition?: Json;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses the text of a graph file. Reports faults with line and column, and refuses keys that `JSON.parse` accepts. */
export function parseGraphText(text: string): ParsedGraphText {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const problems = scanJson(body);
  if (problems.length === 0) return { definition: JSON.parse(body) as Json, diagnostics: [] };
  return { diagnostics: problems.map((problem) => toDiagnostic(problem, body)) };
}

function toDiagnostic({ kind, offset, path, message }: JsonProblem, text: string): Diagnostic {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return {
    ...PROBLEMS[kind],
    path: kind === 'syntax' || kind === 'too_deep' ? '$' : jsonPath(path),
    message: `line ${line}, column ${column}: ${message}.`,
    severity: 'error',
    line,
    column,
  };
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LAST_CONTROL = 0x1f;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![A-Za-z0-9_.+-])/y;
const SPACE = /[ \t\n\r]*/y;

/** An open object or list. */
type Open = { readonly keys: Set<string>; key: string } | { readonly keys: undefined; key: number };

/**
 * Scans a text as JSON, without recursion, and reports what `JSON.parse` accepts: duplicate keys, and keys that could
 * reach a prototype. Stops at the first syntax error.
 */
export function scanJson(text: string): JsonProblem[] {
  const problems: JsonProblem[] = [];
  const open: Open[] = [];
  let at = skip(SPACE, text, 0);
  const report = (kind: JsonProblem['kind'], offset: number, message: string): void => {
    problems.push({ kind, offset, path: open.map(({ key }) => key), message });
  };
  const fail = (offset: number, wanted: string): JsonProblem[] => {
    report('syntax', offset, `expected ${wanted}, found ${found(text, offset)}`);
    return problems;
  };

  for (let wanted: 'value' | 'first' | 'after' = 'value'; ; ) {
    const inner = open.at(-1);
    if (wanted === 'after') {
      if (inner === undefined) return at === text.length ? problems : fail(at, 'the end');
      const close = inner.keys === undefined ? ']' : '}';
      const mark = text[at];
      if (mark !== ',' && mark !== close) return fail(at, `"," or "${close}"`);
      at = skip(SPACE, text, at + 1);
      if (mark === close) {
        open.pop();
        continue;
      }
      if (inner.keys === undefined) inner.key += 1;
    } else if (wanted === 'first' && text[at] === (inner?.keys === undefined ? ']' : '}')) {
      open.pop();
      at = skip(SPACE, text, at + 1);
      wanted = 'after';
      continue;
    }
    if (inner?.keys !== undefined) {
      const end = endOfString(text, at);
      if (end === at) return fail(at, 'a key in double quotes');
      inner.key = JSON.parse(text.slice(at, end)) as string;
      if (inner.keys.has(inner.key)) report('duplicate_key', at, `duplicate key "${inner.key}"`);
      if (isRefusedKey(inner.key))
        report('refused_key', at, `the key "${inner.key}" could reach a prototype`);
      inner.keys.add(inner.key);
      at = skip(SPACE, text, end);
      if (text[at] !== ':') return fail(at, '":"');
      at = skip(SPACE, text, at + 1);
    }
    if (text[at] === '{' || text[at] === '[') {
      if (open.length > MAX_DEPTH) {
        report('too_deep', at, `nested deeper than ${MAX_DEPTH} levels`);
        return problems;
      }
      open.push(text[at] === '{' ? { keys: new Set(), key: '' } : { keys: undefined, key: 0 });
      at = skip(SPACE, text, at + 1);
      wanted = 'first';
      continue;
    }
    const end = text[at] === '"' ? endOfString(text, at) : skip(SCALAR, text, at);
    if (end === at) return fail(at, 'a value');
    at = skip(SPACE, text, end);
    wanted = 'after';
  }
}

/** The end of the string that begins at `at`; `at` itself when none begins there, or it is not closed. */
function endOfString(text: string, at: number): number {
  if (text[at] !== '"') return at;
  for (let next = at + 1; next < text.length; ) {
    const mark = text[next];
    if (mark === '"') return next + 1;
    if (text.charCodeAt(next) <= LAST_CONTROL) return at;
    const after = mark === '\\' ? skip(ESCAPE, text, next) : next + 1;
    if (after === next) return at;
    next = after;
  }
  return at;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function found(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the text';
  return JSON.stringify(String.fromCodePoint(text.codePointAt(offset) as number).toWellFormed());
}
