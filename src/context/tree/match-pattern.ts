// Git's wildcards over byte strings: `*` and `?` stay within a name, `**` between slashes does not, a class never holds a
// slash. Matching takes time in proportion to pattern times text, whatever the pattern is.

type Token =
  | { readonly kind: 'byte'; readonly code: number }
  | { readonly kind: 'one' }
  | { readonly kind: 'class'; readonly holds: Uint8Array }
  | { readonly kind: 'star' }
  | { readonly kind: 'stars' }
  | { readonly kind: 'folders' };

/** A parsed pattern for whole byte strings. */
export type Pattern =
  | { readonly kind: 'exact'; readonly text: string }
  | { readonly kind: 'ending'; readonly text: string }
  /** `needs` is a text that every match contains. */
  | { readonly kind: 'tokens'; readonly tokens: readonly Token[]; readonly needs: string };

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

/** Parses a pattern; undefined if it is malformed, which matches nothing, as in git. */
export function readPattern(pattern: string): Pattern | undefined {
  if (!/[*?[\\]/.test(pattern)) return { kind: 'exact', text: pattern };
  if (/^\*[^*?[\\/]*$/.test(pattern)) return { kind: 'ending', text: pattern.slice(1) };
  const tokens = tokenise(pattern);
  return tokens && { kind: 'tokens', tokens, needs: longestText(tokens) };
}

/** The longest literal text of a pattern. */
function longestText(tokens: readonly Token[]): string {
  let [longest, text] = ['', ''];
  for (const token of tokens) {
    text = token.kind === 'byte' ? text + String.fromCharCode(token.code) : '';
    if (text.length > longest.length) longest = text;
  }
  return longest;
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

/** Parses a class after its opening bracket; undefined if it does not end. */
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

/** Whether a byte string matches the whole pattern. */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  if (pattern.kind === 'exact') return text === pattern.text;
  if (pattern.kind === 'ending') return text.endsWith(pattern.text) && !text.includes('/');
  return text.includes(pattern.needs) && matchesTokens(pattern.tokens, text);
}

/** Reads the text once and tracks every position of the pattern that it can be at. */
function matchesTokens(tokens: readonly Token[], text: string): boolean {
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
      if (consumes(token, code)) enter(tokens, next, place + 1);
    }
    [places, next] = [next, places];
  }
  return places[tokens.length] === 1;
}

/** Marks a position, and those after it that are reached without reading a character. */
function enter(tokens: readonly Token[], places: Uint8Array, place: number): void {
  for (let at = place; ; at++) {
    places[at] = 1;
    const kind = tokens[at]?.kind;
    if (kind !== 'star' && kind !== 'stars' && kind !== 'folders') return;
  }
}

function consumes(token: Token, code: number): boolean {
  if (token.kind === 'byte') return token.code === code;
  if (token.kind === 'one') return code !== SLASH;
  if (token.kind === 'class') return token.holds[code] === 1;
  // Matched folders end with the slash of the last one.
  return token.kind === 'folders' && code === SLASH;
}
