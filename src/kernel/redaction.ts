import type { Json } from './canonical-json.ts';

/** Replaces secrets in whatever is about to reach a sink. */
export interface Redactor {
  /** Adds a value to be redacted wherever it appears exactly. Values under eight characters are ignored. */
  addSecret(name: string, value: string): void;
  text(text: string): string;
  /** Returns the same object when nothing had to be redacted. */
  json<T extends Json>(value: T): T;
}

const SHORTEST_SECRET = 8;

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
  const secrets = new Map<string, string>();
  const text = (input: string): string => {
    let output = input;
    for (const [value, name] of secrets)
      if (output.includes(value)) output = output.replaceAll(value, `[redacted ${name}]`);
    if (!SUSPICIOUS.test(output)) return output;
    for (const [name, shape] of PATTERNS) output = output.replaceAll(shape, `[redacted ${name}]`);
    return output;
  };
  return {
    addSecret(name, value) {
      if (value.length >= SHORTEST_SECRET) secrets.set(value, name);
    },
    text,
    json: (value) => redactJson(value, text) as typeof value,
  };
}

function redactJson(value: Json, text: (input: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    let changed: Json[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const item = redactJson(value[i] as Json, text);
      if (item !== value[i]) {
        changed ??= [...value];
        changed[i] = item;
      }
    }
    return changed ?? value;
  }
  const source = value as Record<string, Json>;
  let changed: Record<string, Json> | undefined;
  for (const key of Object.keys(source)) {
    const member = source[key] as Json;
    if (member === undefined) continue;
    const newMember = redactJson(member, text);
    const newKey = text(key);
    if (newMember === member && newKey === key) continue;
    changed ??= { ...source };
    if (newKey !== key) delete changed[key];
    changed[newKey] = newMember;
  }
  return changed ?? value;
}
