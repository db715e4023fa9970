// Git's wildcards over byte strings: `*` and `?` stay within a name, `**` between slashes does not, a class never holds a
// slash. Matching takes time in proportion to pattern times text, whatever the pattern is.

type Token =
  | { readonly kind: 'byte'; readonly code: number }
  | { readonly kind: 'one' }
  | { readonly kind: 'class'; readonly holds: Uint8Array }
  | { readonly kind: 'star' }
  | { readonly kind: 'stars' }
  | { readonly kind: 'folders' };

/** Tells whether a whole byte string fits. */
export type Matcher = (text: string) => boolean;

const SLASH = 0x2f;
const NAMED = new Map([
  ['alnum', /[0-9A-Za-z]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the control characters.
  ['cntrl', /[\x00-\x1f\x7f]/],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t-\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);

/** Makes a matcher of a pattern; one that is malformed fits nothing, as in git. */
export function compilePattern(pattern: string): Matcher {
  if (!/[*?[\\]/.test(pattern)) return (text) => text === pattern;
  if (/^\*[^*?[\\/]*$/.test(pattern)) {
    const end = pattern.slice(1);
    return (text) => text.endsWith(end) && !text.includes('/');
  }
  const tokens = tokenise(pattern);
  return tokens === undefined ? () => false : (text) => fits(tokens, text);
}

function tokenise(pattern: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at] as string;
    if (character === '*') {
      const [token, next] = starsAt(pattern, at);
      tokens.push(token);
      at = next;
    } else if (character === '[') {
      const found = classAt(pattern, at + 1);
      if (found === undefined) return undefined;
      tokens.push({ kind: 'class', holds: found.holds });
      at = found.next;
    } else if (character === '?') {
      tokens.push({ kind: 'one' });
      at += 1;
    } else {
      const escaped = character === '\\';
      if (escaped && at + 1 === pattern.length) return undefined;
      tokens.push({ kind: 'byte', code: pattern.charCodeAt(escaped ? at + 1 : at) });
      at += escaped ? 2 : 1;
    }
  }
  return tokens;
}

function starsAt(pattern: string, at: number): [Token, number] {
  let next = at;
  while (pattern[next] === '*') next += 1;
  const alone = next - at === 1;
  const bounded = (at === 0 || pattern[at - 1] === '/') && (next === pattern.length || pattern[next] === '/');
  if (alone || !bounded) return [{ kind: 'star' }, next];
  return next === pattern.length ? [{ kind: 'stars' }, next] : [{ kind: 'folders' }, next + 1];
}

/** A class that begins behind its bracket; undefined when it does not end. */
function classAt(pattern: string, begin: number): { holds: Uint8Array; next: number } | undefined {
  const holds = new Uint8Array(256);
  const negated = pattern[begin] === '!' || pattern[begin] === '^';
  let at = negated ? begin + 1 : begin;
  let previous = -1;
  for (let first = true; ; first = false) {
    const character = pattern[at];
    if (character === undefined) return undefined;
    if (character === ']' && !first) break;
    const named = pattern.startsWith('[:', at) ? pattern.indexOf(']', at + 2) : -1;
    if (named >= 0 && pattern[named - 1] === ':' && named > at + 2) {
      const bytes = NAMED.get(pattern.slice(at + 2, named - 1));
      if (bytes === undefined) return undefined;
      for (let code = 0; code < 256; code++) if (bytes.test(String.fromCharCode(code))) holds[code] = 1;
      previous = -1;
      at = named + 1;
    } else if (
      character === '-' &&
      previous >= 0 &&
      pattern[at + 1] !== undefined &&
      pattern[at + 1] !== ']'
    ) {
      const end = byteAt(pattern, at + 1);
      if (end === undefined) return undefined;
      for (let code = previous; code <= end.code; code++) holds[code] = 1;
      previous = -1;
      at = end.next;
    } else {
      const byte = byteAt(pattern, at);
      if (byte === undefined) return undefined;
      holds[byte.code] = 1;
      previous = byte.code;
      at = byte.next;
    }
  }
  if (negated) for (let code = 0; code < 256; code++) holds[code] = holds[code] === 1 ? 0 : 1;
  holds[SLASH] = 0;
  return { holds, next: at + 1 };
}

function byteAt(pattern: string, at: number): { code: number; next: number } | undefined {
  const escaped = pattern[at] === '\\';
  const place = escaped ? at + 1 : at;
  return place < pattern.length ? { code: pattern.charCodeAt(place), next: place + 1 } : undefined;
}

/** Goes through the text once, keeping every place of the pattern where it may stand. */
function fits(tokens: readonly Token[], text: string): boolean {
  let places = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  enter(tokens, places, 0);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    next.fill(0);
    for (let place = 0; place < tokens.length; place++) {
      if (places[place] !== 1) continue;
      const token = tokens[place] as Token;
      if (token.kind === 'stars' || (token.kind === 'star' && code !== SLASH)) enter(tokens, next, place);
      else if (token.kind === 'folders') next[place] = 1;
      if (goesOn(token, code)) enter(tokens, next, place + 1);
    }
    [places, next] = [next, places];
  }
  return places[tokens.length] === 1;
}

/** Comes to a place, and to those behind it as far as they may stand for nothing. */
function enter(tokens: readonly Token[], places: Uint8Array, place: number): void {
  for (let at = place; ; at++) {
    places[at] = 1;
    const kind = tokens[at]?.kind;
    if (kind !== 'star' && kind !== 'stars' && kind !== 'folders') return;
  }
}

function goesOn(token: Token, code: number): boolean {
  if (token.kind === 'byte') return token.code === code;
  if (token.kind === 'one') return code !== SLASH;
  if (token.kind === 'class') return token.holds[code] === 1;
  // The folders end with the slash of the last of them.
  return token.kind === 'folders' && code === SLASH;
}
