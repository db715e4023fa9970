import type { Json } from './canonical-json.ts';
import { createRedactingStream, type RedactingStream } from './redacting-stream.ts';
import { SHORTEST_SECRET, secretForms } from './secret-forms.ts';
import { StringFinder } from './string-finder.ts';

/** Replaces secrets in whatever is about to reach a sink. */
export interface Redactor {
  /**
   * Adds a value to be redacted wherever it appears: as it is, escaped as in JSON or in a URL, in hex or in base64.
   * Values under eight characters are ignored. A value stays, also when another is added under its name, because what
   * was replaced may still turn up.
   */
  addSecret(name: string, value: string): void;
  text(text: string): string;
  /** Returns the same object when nothing had to be redacted. */
  json<T extends Json>(value: T): T;
  /**
   * Takes out the values that were added, and leaves what only has the shape of a credential. Costs next to nothing while
   * none were added. Returns the same object when nothing had to be redacted.
   */
  known<T extends Json>(value: T, options?: { readonly numbers?: boolean }): T;
  /** For a text that arrives in consecutive pieces. */
  redactingStream(): RedactingStream;
}

/** Shapes of credentials that are recognised without being told. Each is linear in the length of the text. */
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

/** One quick look that tells whether any pattern can match; most texts stop here. */
const SUSPICIOUS =
  /-----BEGIN|[spr]k-|gh[pousr]_|github_pat_|A[KS]IA|xox[abprs]-|AIza|eyJ|earer |:\/\/[^\s/]*@/;

/** A redactor with the built-in patterns and no named secrets. */
export function createRedactor(): Redactor {
  const secrets = new KnownSecrets();
  const text = (input: string): string => {
    const output = secrets.redact(input);
    return SUSPICIOUS.test(output) ? redactShapes(output) : output;
  };
  return {
    addSecret: (name, value) => secrets.add(name, value),
    text,
    json: (value) => redactJson(value, { text, hidesNumbers: secrets.hidesNumbers }) as typeof value,
    known: (value, { numbers = true } = {}) =>
      secrets.finder === undefined
        ? value
        : (redactJson(value, {
            text: (input) => secrets.redact(input),
            hidesNumbers: numbers && secrets.hidesNumbers,
          }) as typeof value),
    redactingStream: () =>
      createRedactingStream({
        text,
        find: (input) => secrets.finder?.find(input) ?? [],
        longest: () => secrets.finder?.longest ?? 0,
      }),
  };
}

function redactShapes(text: string): string {
  let output = text;
  for (const [name, shape] of PATTERNS) output = output.replaceAll(shape, `[redacted ${name}]`);
  return output;
}

/** The values that were added, in all their forms. */
class KnownSecrets {
  readonly #names = new Map<string, string>();
  #finder: StringFinder | undefined;
  /** Whether a secret could be written as a number. */
  hidesNumbers = false;

  add(name: string, value: string): void {
    if (value.length < SHORTEST_SECRET || this.#names.get(value) === name) return;
    this.hidesNumbers ||= /^[\d.+-]+$/.test(value);
    for (const form of secretForms(value)) this.#names.set(form, name);
    this.#finder = undefined;
  }

  get finder(): StringFinder | undefined {
    if (this.#names.size === 0) return undefined;
    this.#finder ??= new StringFinder(this.#names, SHORTEST_SECRET);
    return this.#finder;
  }

  redact(text: string): string {
    if (this.#names.size === 0 || text.length < SHORTEST_SECRET) return text;
    const found = (this.finder as StringFinder).find(text);
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
  readonly hidesNumbers: boolean;
}

function redactJson(value: Json, rules: JsonRules): Json {
  if (typeof value === 'string') return rules.text(value);
  if (typeof value === 'number') return rules.hidesNumbers ? redactNumber(value, rules) : value;
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
    // Two keys that hold secrets may become the same mark; neither may lose its member.
    for (let count = 2; newKey !== key && (renamed.has(free) || Object.hasOwn(source, free)); count++)
      free = `${newKey} ${count}`;
    renamed.set(free, member);
  }
  return Object.fromEntries(renamed) as Json;
}
