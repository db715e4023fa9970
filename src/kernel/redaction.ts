import { type Json, refuseTooDeep } from './canonical-json.ts';
import { EncodedSecrets } from './encoded-secrets.ts';
import { createRedactingStream, type RedactingStream } from './redacting-stream.ts';
import { linesOf, MIN_SECRET_LENGTH, secretForms } from './secret-forms.ts';
import { type Found, StringFinder } from './string-finder.ts';

/** Replaces secrets in data before it reaches a sink. */
export interface Redactor {
  /**
   * Registers a value to redact: plain, reversed, escaped for JSON, HTML or a URL, in hex or in base64, and split by spaces, quotes or
   * signs if it is long enough. Ignores values under eight characters. An old value stays registered when its name gets a new one, because it may still appear.
   */
  addSecret(name: string, value: string): void;
  text(text: string): string;
  /** Returns the same object when it redacts nothing. */
  json<T extends Json>(value: T): T;
  /**
   * Redacts registered values only, not text that merely looks like a credential. Nearly free while none are registered.
   * Returns the same object when it redacts nothing.
   */
  known<T extends Json>(value: T, options?: { readonly numbers?: boolean }): T;
  /** Redacts text that arrives in consecutive chunks. */
  redactingStream(): RedactingStream;
}

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

/** Creates a redactor with the built-in patterns and no registered secrets. */
export function createRedactor(): Redactor {
  const secrets = new KnownSecrets();
  const text = (input: string): string => {
    const output = secrets.redact(input);
    return SUSPICIOUS.test(output) ? redactShapes(output) : output;
  };
  return {
    addSecret: (name, value) => secrets.add(name, value),
    text,
    json: (value) => redactWhole(value, { text, redactsNumbers: secrets.redactsNumbers }) as typeof value,
    known: (value, { numbers = true } = {}) =>
      secrets.finder === undefined
        ? value
        : (redactWhole(value, {
            text: (input) => secrets.redact(input),
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

function redactShapes(text: string): string {
  let output = text;
  for (const [name, shape] of PATTERNS) output = output.replaceAll(shape, `[redacted ${name}]`);
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

  redact(text: string): string {
    if (this.#names.size === 0 || text.length < MIN_SECRET_LENGTH) return text;
    const found = this.find(text);
    if (found.length === 0) return text;
    let output = '';
    let from = 0;
    for (const { start, end, name } of found) {
      output += `${text.slice(from, start)}[redacted ${name}]`;
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
