import { type Json, refuseTooDeep } from './canonical-json.ts';
import { digestOf } from './digest.ts';
import { EncodedSecrets } from './encoded-secrets.ts';
import { createRedactingStream, type RedactingStream } from './redacting-stream.ts';
import { linesOf, MIN_SECRET_LENGTH, secretForms } from './secret-forms.ts';
import { type Found, StringFinder } from './string-finder.ts';
import { systemRandom } from './system-ports.ts';

/** Replaces secrets in data before it reaches a sink. */
export interface Redactor {
  /**
   * Registers a value to redact: plain, reversed, escaped for JSON, HTML or a URL, in hex, base64, base32 or quoted-printable, and split by spaces, quotes or
   * signs if it is long enough. Ignores values under eight characters. An old value stays registered when its name gets a new one, because it may still appear.
   */
  addSecret(name: string, value: string): void;
  text(text: string): string;
  /** Returns the same object when it redacts nothing. */
  json<T extends Json>(value: T): T;
  /** Like `json`; each mark has a tag, by which `restore` finds the hidden text again. */
  tagged<T extends Json>(value: T): T;
  /** Puts the hidden text back for each mark that stands for a part of one of the sources. `lost` are the other marks. */
  restore(text: string, sources: readonly string[]): Restored;
  /**
   * Redacts registered values only, not text that merely looks like a credential. Nearly free while none are registered.
   * Returns the same object when it redacts nothing.
   */
  known<T extends Json>(value: T, options?: { readonly numbers?: boolean }): T;
  /** Redacts text that arrives in consecutive chunks. */
  redactingStream(): RedactingStream;
}

interface Restored {
  readonly text: string;
  readonly lost: readonly string[];
}

const TAG = /^ [0-9a-f]{8}$/;
/** A mark, with or without a tag. */
const MARK = /\[redacted ([^\]\n]{1,200}?)( [0-9a-f]{8})?\]/g;

/** The first mark in a text; undefined without one. */
export function findMark(text: string): string | undefined {
  return text.match(MARK)?.[0];
}

/** The first mark with a tag in a value; undefined without one. */
export function findTaggedMark(value: Json): string | undefined {
  if (typeof value === 'string') return value.match(MARK)?.find((mark) => TAG.test(mark.slice(-10, -1)));
  if (value === null || typeof value !== 'object') return undefined;
  for (const member of Object.values(value)) {
    const found = findTaggedMark(member as Json);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text without the tags, which differ between users. */
export function withoutTags(text: string): string {
  return text.includes('[redacted ') ? text.replaceAll(MARK, '[redacted $1]') : text;
}

/** Writes a mark instead of a hidden text. */
type WriteMark = (name: string, hidden: string) => string;
const plainMark: WriteMark = (name) => `[redacted ${name}]`;

/** Credential shapes that need no registration. Each is linear in the length of the text. */
const PATTERNS: readonly (readonly [name: string, shape: RegExp])[] = [
  ['private-key', /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[\s\S]*?-----END [A-Z ]{0,32}PRIVATE KEY-----/g],
  ['api-key', /\b(?:sk|pk|rk)-(?:ant-|proj-|live-|test-)?[A-Za-z0-9_-]{20,200}/g],
  ['github-token', /\b(?:ghp|gho|ghu|ghs|ghr|github_pat)_[A-Za-z0-9_]{20,255}/g],
  ['aws-key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['slack-token', /\bxox[abprs]-[A-Za-z0-9-]{10,200}/g],
  ['google-key', /\bAIza[A-Za-z0-9_-]{35}\b/g],
  ['jwt', /\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000}/g],
  ['bearer', /(?<=\b[Bb]earer )[A-Za-z0-9._~+/-]{16,4000}=*/g],
  ['url-password', /(?<=:\/\/[^\s:@/]{1,200}:)[^\s:@/]{1,200}(?=@)/g],
];

/** A cheap test for whether any pattern can match; most texts stop here. */
const SUSPICIOUS =
  /-----BEGIN|[spr]k-|gh[pousr]_|github_pat_|A[KS]IA|xox[abprs]-|AIza|eyJ|earer |:\/\/[^\s/]*@/;

/**
 * Creates a redactor with the built-in patterns and no registered secrets. Nobody can guess a hidden text by its tag
 * without `tagKey`; without one, tags are valid in this process only.
 */
export function createRedactor(options: { readonly tagKey?: () => string } = {}): Redactor {
  const secrets = new KnownSecrets();
  let key: string | undefined;
  const taggedMark: WriteMark = (name, hidden) => {
    key ??= options.tagKey?.() ?? systemRandom.hex(16);
    return `[redacted ${name} ${digestOf(`${key}\n${name}\n${hidden}`).slice(0, 8)}]`;
  };
  const redact = (input: string, mark: WriteMark): string => {
    const output = secrets.redact(input, mark);
    return SUSPICIOUS.test(output) ? redactShapes(output, mark) : output;
  };
  const whole =
    (mark: WriteMark) =>
    <T extends Json>(value: T): T =>
      redactWhole(value, {
        text: (input) => redact(input, mark),
        redactsNumbers: secrets.redactsNumbers,
      }) as T;
  const text = (input: string): string => redact(input, plainMark);
  return {
    addSecret: (name, value) => secrets.add(name, value),
    text,
    json: whole(plainMark),
    tagged: whole(taggedMark),
    restore(given, sources) {
      if (!given.includes('[redacted ')) return { text: given, lost: [] };
      const hidden = new Map<string, Set<string>>();
      const note = (mark: string, original: string): void => {
        hidden.set(mark, (hidden.get(mark) ?? new Set()).add(original));
      };
      for (const source of sources)
        redact(source, (name, original) => {
          const mark = taggedMark(name, original);
          note(mark, original);
          note(plainMark(name, original), original);
          return mark;
        });
      const lost = new Set<string>();
      const fill = (part: string): string =>
        part.replaceAll(MARK, (mark: string, name: string, tag?: string) => {
          if (tag === undefined && sources.some((source) => source.includes(mark))) return mark;
          const [original, ...others] = hidden.get(mark) ?? [];
          // A hidden text can contain the mark of another one, such as a key that has the value of a variable in it.
          if (original !== undefined && others.length === 0) return fill(original);
          const isMark = tag !== undefined || others.length > 0 || secrets.has(name) || SHAPES.has(name);
          if (isMark) lost.add(mark);
          return mark;
        });
      return { text: fill(given), lost: [...lost] };
    },
    known: (value, { numbers = true } = {}) =>
      secrets.finder === undefined
        ? value
        : (redactWhole(value, {
            text: (input) => secrets.redact(input, plainMark),
            redactsNumbers: numbers && secrets.redactsNumbers,
          }) as typeof value),
    redactingStream: () =>
      createRedactingStream({
        text,
        find: (input) => secrets.find(input),
        longest: () => secrets.finder?.longest ?? 0,
      }),
  };
}

const SHAPES: ReadonlySet<string> = new Set(PATTERNS.map(([name]) => name));

function redactShapes(text: string, mark: WriteMark): string {
  let output = text;
  for (const [name, shape] of PATTERNS) output = output.replaceAll(shape, (hidden) => mark(name, hidden));
  return output;
}

/** The registered values in all their forms. */
class KnownSecrets {
  readonly #names = new Map<string, string>();
  readonly #encoded = new EncodedSecrets();
  #finder: StringFinder | undefined;
  /** Whether a secret may appear as a JSON number. */
  redactsNumbers = false;

  add(name: string, value: string): void {
    if (value.length < MIN_SECRET_LENGTH || this.#names.get(value) === name) return;
    this.redactsNumbers ||= /^[\d.+-]+$/.test(value);
    for (const form of secretForms(value)) this.#names.set(form, name);
    for (const part of [value, ...linesOf(value)]) this.#encoded.add(name, part);
    this.#finder = undefined;
  }

  get finder(): StringFinder | undefined {
    if (this.#names.size === 0) return undefined;
    this.#finder ??= new StringFinder(this.#names, MIN_SECRET_LENGTH);
    return this.#finder;
  }

  /** The ranges with a secret, in order and apart. */
  find(text: string): readonly Found[] {
    const exact = this.finder?.find(text) ?? [];
    const encoded = this.#encoded.find(text);
    if (encoded.length === 0) return exact;
    const merged: Found[] = [];
    for (const one of [...exact, ...encoded].sort((a, b) => a.start - b.start || b.end - a.end)) {
      const last = merged.at(-1);
      if (last === undefined || last.end <= one.start) merged.push(one);
      else merged[merged.length - 1] = { ...last, end: Math.max(last.end, one.end) };
    }
    return merged;
  }

  /** Whether a value is registered under this name. */
  has(name: string): boolean {
    for (const known of this.#names.values()) if (known === name) return true;
    return false;
  }

  redact(text: string, mark: WriteMark): string {
    if (this.#names.size === 0 || text.length < MIN_SECRET_LENGTH) return text;
    const found = this.find(text);
    if (found.length === 0) return text;
    let output = '';
    let from = 0;
    for (const { start, end, name } of found) {
      output += `${text.slice(from, start)}${mark(name, text.slice(start, end))}`;
      from = end;
    }
    return output + text.slice(from);
  }
}

interface JsonRules {
  readonly text: (input: string) => string;
  readonly redactsNumbers: boolean;
}

function redactWhole(value: Json, rules: JsonRules): Json {
  if (typeof value === 'object') refuseTooDeep(value);
  return redactJson(value, rules);
}

function redactJson(value: Json, rules: JsonRules): Json {
  if (typeof value === 'string') return rules.text(value);
  if (typeof value === 'number') return rules.redactsNumbers ? redactNumber(value, rules) : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    let changed: Json[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const item = redactJson(value[i] as Json, rules);
      if (item !== value[i]) {
        changed ??= [...value];
        changed[i] = item;
      }
    }
    return changed ?? value;
  }
  return redactObject(value as Readonly<Record<string, Json>>, rules);
}

function redactNumber(value: number, rules: JsonRules): Json {
  const shown = String(value);
  const redacted = rules.text(shown);
  return redacted === shown ? value : redacted;
}

function redactObject(source: Readonly<Record<string, Json>>, rules: JsonRules): Json {
  let changed: Map<string, Json> | undefined;
  for (const key of Object.keys(source)) {
    const member = source[key] as Json;
    if (member === undefined) continue;
    const newMember = redactJson(member, rules);
    const newKey = rules.text(key);
    if (newMember === member && newKey === key) continue;
    changed ??= new Map(Object.entries(source));
    changed.set(key, newMember);
  }
  if (changed === undefined) return source;
  const renamed = new Map<string, Json>();
  for (const [key, member] of changed) {
    const newKey = rules.text(key);
    let free = newKey;
    // Two keys with secrets may get the same mark; a counter keeps both members.
    for (let count = 2; newKey !== key && (renamed.has(free) || Object.hasOwn(source, free)); count++)
      free = `${newKey} ${count}`;
    renamed.set(free, member);
  }
  return Object.fromEntries(renamed) as Json;
}
