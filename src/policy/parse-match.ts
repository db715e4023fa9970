import { RISKS, type SideEffect } from '../engine/index.ts';
import { nearestName } from '../kernel/index.ts';
import type { Cell } from './find-tables.ts';
import {
  checkFamily,
  checkHost,
  checkPathPattern,
  type MatchToken,
  readField,
  tokeniseMatch,
  UnreadableMatch,
} from './tokenise-match.ts';
import type { PolicyCondition, PolicyMatch } from './types.ts';

const SIDE_EFFECTS: readonly SideEffect[] = ['read', 'write_local', 'external_mutation'];
const SUBJECTS = [
  ...['path', 'host', 'argv', 'argv[0]', 'git', 'method', 'cwd', 'network', 'timeout', 'any'],
  ...['input.<field>', 'side effect', 'risk', 'agent', 'state', 'kind'],
];
const GIT_CLASSES = ['read', 'write'] as const;

/** Parses the match cell of a row. Throws `UnreadableMatch` at the first problem. */
export function parseMatch(cell: Cell): PolicyMatch {
  const reader = new MatchReader(tokeniseMatch(cell), (cell.columns.at(-1) ?? cell.column - 1) + 1);
  const tool = reader.next('a tool or a family of tools, as in files.write, files.* or *');
  checkFamily(tool);
  const conditions: PolicyCondition[] = [];
  while (!reader.ended) {
    reader.word('and');
    conditions.push(readCondition(reader));
  }
  return { tool: tool.text, conditions };
}

function readCondition(reader: MatchReader): PolicyCondition {
  const subject = reader.next(`a condition; it begins with ${SUBJECTS.join(', ')}`);
  const field = subject.quoted ? undefined : readField(subject);
  if (field) return { about: 'input', field, ...readIs(reader, subject.text) };
  switch (subject.quoted ? '' : subject.text) {
    case 'path':
    case 'cwd':
      return readPath(reader, subject.text as 'path');
    case 'host':
      return readHost(reader);
    case 'argv':
      return readArgv(reader);
    case 'git':
      return { about: 'git', ...readIsOneOf(reader, 'git', GIT_CLASSES) };
    case 'timeout':
      return readTimeout(reader);
    case 'any':
      return readAny(reader);
    case 'side':
      reader.word('effect');
      return { about: 'side effect', ...readIsOneOf(reader, 'side effect', SIDE_EFFECTS) };
    case 'risk':
      return readRisk(reader);
    case 'agent':
    case 'state':
    case 'kind':
      return { about: subject.text as 'agent', ...readIs(reader, subject.text) };
    default:
      throw new UnreadableMatch(
        subject.column,
        `"${subject.text}" begins no condition; expected ${likely(subject.text, SUBJECTS)}`,
      );
  }
}

function readPath(reader: MatchReader, about: 'path' | 'cwd'): PolicyCondition {
  const { operator, negated } = readOperator(reader, about, ['is', 'in']);
  const value = reader.next(operator === 'in' ? 'a pattern, as in docs/**' : 'a path, as in docs/plan.md');
  checkPathPattern(value, operator);
  return { about, glob: value.text, negated };
}

function readHost(reader: MatchReader): PolicyCondition {
  const { operator, negated } = readOperator(reader, 'host', ['is', 'in']);
  const value = reader.next(operator === 'in' ? 'a pattern, as in *.example.com' : 'a host');
  checkHost(value, operator);
  return { about: 'host', pattern: value.text.toLowerCase(), negated };
}

function readArgv(reader: MatchReader): PolicyCondition {
  reader.word('starts');
  reader.word('with');
  const words = [readValue(reader, 'the first words of a command, as in git status')];
  while (!reader.ended && !reader.sees('and')) words.push(readValue(reader, 'a word'));
  return { about: 'argv', words };
}

function readTimeout(reader: MatchReader): PolicyCondition {
  reader.word('at');
  reader.word('most');
  const { text, column } = reader.next('a number of seconds, as in 600');
  if (/^[1-9]\d{0,5}$/.test(text)) return { about: 'timeout', atMost: Number(text) };
  throw new UnreadableMatch(column, `"${text}" is no timeout; expected a number of seconds, as in 600`);
}

function readAny(reader: MatchReader): PolicyCondition {
  const { text, quoted, column } = reader.next('a field of the input, as in env, or input for all of them');
  if (text === 'input' && !quoted) return { about: 'any', field: [] };
  const field = text.split('.');
  if (!quoted && field.every((name) => /^[A-Za-z_][\w-]*$/.test(name))) return { about: 'any', field };
  throw new UnreadableMatch(column, `"${text}" is no field of the input; expected a name, as in env`);
}

function readRisk(reader: MatchReader): PolicyCondition {
  reader.word('at');
  reader.word('least');
  const value = reader.next(`one of ${RISKS.join(', ')}`);
  return { about: 'risk', atLeast: oneOf(value, 'risk', RISKS) };
}

function readIs(reader: MatchReader, subject: string): { readonly value: string; readonly negated: boolean } {
  const { negated } = readOperator(reader, subject, ['is']);
  return { value: readValue(reader, 'a value'), negated };
}

/** A value is compared literally, so an unquoted wildcard is a mistake. */
function readValue(reader: MatchReader, expected: string): string {
  const { text, quoted, column } = reader.next(expected);
  if (quoted || !/[*?]/.test(text)) return text;
  throw new UnreadableMatch(
    column,
    `"${text}" has a wildcard, which only path and host take, after in; expected a value, in double quotes if it has a * or ? of its own`,
  );
}

function readIsOneOf<Name extends string>(
  reader: MatchReader,
  subject: string,
  names: readonly Name[],
): { readonly value: Name; readonly negated: boolean } {
  const { negated } = readOperator(reader, subject, ['is']);
  return { value: oneOf(reader.next(`one of ${names.join(', ')}`), subject, names), negated };
}

function oneOf<Name extends string>(
  { text, column }: MatchToken,
  what: string,
  names: readonly Name[],
): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UnreadableMatch(column, `"${text}" is no ${what}; expected ${likely(text, names)}`);
}

/** The nearest name, or all of them. */
function likely(text: string, names: readonly string[]): string {
  const near = nearestName(text, names);
  return near === undefined ? names.join(', ') : `${near}, perhaps`;
}

type Operator = 'is' | 'in';

/** `is`, `is not`, `in` or `not in`. */
function readOperator(
  reader: MatchReader,
  subject: string,
  allowed: readonly Operator[],
): { readonly operator: Operator; readonly negated: boolean } {
  const ways = allowed.flatMap((one) => (one === 'is' ? ['is', 'is not'] : ['in', 'not in'])).join(', ');
  const first = reader.next(`${ways} after ${subject}`);
  if (!first.quoted) {
    if (first.text === 'is') return { operator: 'is', negated: reader.takes('not') };
    if (first.text === 'in' && allowed.includes('in')) return { operator: 'in', negated: false };
    if (first.text === 'not' && allowed.includes('in') && reader.takes('in'))
      return { operator: 'in', negated: true };
  }
  throw new UnreadableMatch(first.column, `"${first.text}" after ${subject}; expected ${ways}`);
}

class MatchReader {
  readonly #tokens: readonly MatchToken[];
  readonly #end: number;
  #place = 0;

  constructor(tokens: readonly MatchToken[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  get ended(): boolean {
    return this.#place >= this.#tokens.length;
  }

  sees(word: string): boolean {
    const token = this.#tokens[this.#place];
    return token !== undefined && !token.quoted && token.text === word;
  }

  takes(word: string): boolean {
    if (!this.sees(word)) return false;
    this.#place += 1;
    return true;
  }

  next(expected: string): MatchToken {
    const token = this.#tokens[this.#place];
    if (token === undefined)
      throw new UnreadableMatch(this.#end, `the match ends too early; expected ${expected}`);
    if (this.sees('and')) throw new UnreadableMatch(token.column, `unexpected "and"; expected ${expected}`);
    this.#place += 1;
    return token;
  }

  word(expected: string): void {
    if (this.takes(expected)) return;
    const token = this.#tokens[this.#place];
    const what = token === undefined ? 'the match ends too early' : `unexpected "${token.text}"`;
    const quotes = expected === 'and' ? ', or the end; put a text with spaces in double quotes' : '';
    throw new UnreadableMatch(token?.column ?? this.#end, `${what}; expected "${expected}"${quotes}`);
  }
}
