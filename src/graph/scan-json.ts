import type { FieldPath } from './node-type.ts';
import { isRefusedKey } from './plain-json.ts';

/** A place in a text where something is wrong with its JSON. */
export interface JsonProblem {
  readonly kind: 'syntax' | 'duplicate_key' | 'refused_key';
  readonly offset: number;
  /** Where in the value. */
  readonly path: FieldPath;
  readonly message: string;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LAST_CONTROL = 0x1f;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![A-Za-z0-9_.+-])/y;
const SPACE = /[ \t\n\r]*/y;

/** An object or a list that is being read. */
type Open = { readonly keys: Set<string>; key: string } | { readonly keys: undefined; key: number };

/**
 * Reads a text as JSON, without recursion, and says what `JSON.parse` would not: the same key twice, and keys that could
 * reach a prototype. Stops at the first place that is not JSON.
 */
export function scanJson(text: string): JsonProblem[] {
  const problems: JsonProblem[] = [];
  const open: Open[] = [];
  let at = skip(SPACE, text, 0);
  const report = (kind: JsonProblem['kind'], offset: number, message: string): void => {
    problems.push({ kind, offset, path: open.map(({ key }) => key), message });
  };
  const fail = (offset: number, wanted: string): JsonProblem[] => {
    report('syntax', offset, `${wanted} was expected, and ${found(text, offset)} stands here`);
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
      if (inner.keys.has(inner.key)) report('duplicate_key', at, `the key "${inner.key}" stands twice`);
      if (isRefusedKey(inner.key))
        report('refused_key', at, `the key "${inner.key}" could reach a prototype`);
      inner.keys.add(inner.key);
      at = skip(SPACE, text, end);
      if (text[at] !== ':') return fail(at, '":"');
      at = skip(SPACE, text, at + 1);
    }
    if (text[at] === '{' || text[at] === '[') {
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

/** Where the string that begins at `at` ends; `at` itself when none begins there, or it is not closed. */
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
