import { type Json, parseJson } from '../../../kernel/index.ts';
import { stem } from '../../../retrieval/index.ts';

/** A value in a JSON document, with the keys that lead to it. */
export interface FoundValue {
  readonly path: string;
  readonly value: Json;
}

const MAX_LEVELS = 20;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Indents JSON without changing a single value, so that 1.0 stays 1.0. */
export function indentJson(text: string): string {
  const tokens = text.replace(/^\ufeff/, '').match(TOKEN) ?? [];
  let depth = 0;
  let out = '';
  for (const [i, token] of tokens.entries()) {
    const [before, next] = [tokens[i - 1], tokens[i + 1]];
    const line = `\n${'  '.repeat(depth)}`;
    if (token === '{' || token === '[') {
      const isEmpty = next === '}' || next === ']';
      if (!isEmpty) depth += 1;
      out += isEmpty ? token : `${token}\n${'  '.repeat(depth)}`;
    } else if (token === '}' || token === ']') {
      const isEmpty = before === '{' || before === '[';
      if (!isEmpty) depth -= 1;
      out += isEmpty ? token : `\n${'  '.repeat(depth)}${token}`;
    } else if (token === ',') out += `,${line}`;
    else out += token === ':' ? ': ' : token;
  }
  return `${out}\n`;
}

/** Where and why a text is not JSON; undefined when it is. */
export function problemInJson(text: string): string | undefined {
  const plain = text.replace(/^\ufeff/, '');
  try {
    parseJson(plain);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    const position = /position (\d+)/.exec(message)?.[1];
    if (position === undefined) return message;
    const before = plain.slice(0, Number(position)).split('\n');
    return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${message.replace(/ (?:in JSON )?at position.*$/, '')}`;
  }
}

/** The values that a phrase names: a path such as scripts.test, a key at the top, else a key anywhere. */
export function findValues(root: Json, phrase: string): FoundValue[] {
  const steps = phrase.split(/\.|\s*>\s*/).filter((step) => step !== '');
  const direct = stepInto(root, [phrase]) ?? stepInto(root, steps);
  if (direct !== undefined) return [direct];
  const wanted = spaced(phrase);
  for (const form of [(text: string): string => text, stem]) {
    const found: FoundValue[] = [];
    walk(root, '', 0, (key, path, value) => {
      if (form(spaced(key)) === form(wanted)) found.push({ path, value });
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** Follows keys in any case. */
function stepInto(root: Json, steps: readonly string[]): FoundValue | undefined {
  let value: Json = root;
  const names: string[] = [];
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    const keys: string[] = Object.keys(value);
    const key: string | undefined =
      keys.find((one) => one === step) ?? keys.find((one) => spaced(one) === spaced(step));
    if (key === undefined) return undefined;
    names.push(key);
    value = (value as Readonly<Record<string, Json>>)[key] as Json;
  }
  return { path: names.join('.'), value };
}

function walk(
  value: Json,
  path: string,
  level: number,
  visit: (key: string, path: string, value: Json) => void,
): void {
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (!Array.isArray(value)) visit(key, here, inner as Json);
    walk(inner as Json, here, level + 1, visit);
  }
}

function spaced(name: string): string {
  return name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}
