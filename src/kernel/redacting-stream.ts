/** Redacts text that arrives in chunks, and finds secrets that span two chunks. */
export interface RedactingStream {
  /** Adds a chunk and returns the redacted text that is safe to emit. */
  push(piece: string): string;
  /** Returns the remaining text, redacted. */
  end(): string;
}

/** What a stream needs from its redactor. */
export interface StreamRules {
  text(text: string): string;
  /** The positions of known secrets. */
  find(text: string): readonly { readonly start: number; readonly end: number }[];
  /** The length of the longest string that `find` matches. */
  longest(): number;
}

/** Limit on text held back because it may still become a credential. */
const MAX_SHAPE_LENGTH = 4_096;
/** A longer run of secrets is emitted in parts, each with its own redaction mark. */
const MAX_HELD_LENGTH = 65_536;
const WORD = /[\w.~+/=:@%-]/;

/** Holds back only text that may be the start of a secret. */
export function createRedactingStream(rules: StreamRules): RedactingStream {
  let held = '';
  return {
    push(piece) {
      held += piece;
      const cut = held.length > MAX_HELD_LENGTH + rules.longest() ? held.length : safeCut(held, rules);
      const ready = held.slice(0, cut);
      held = held.slice(cut);
      return rules.text(ready);
    },
    end() {
      const ready = held;
      held = '';
      return rules.text(ready);
    },
  };
}

/** The position up to which later text cannot change the redaction. */
function safeCut(text: string, rules: StreamRules): number {
  const longest = rules.longest();
  let cut = Math.min(
    longest === 0 ? text.length : Math.max(0, text.length - longest + 1),
    startOfShape(text),
  );
  for (const { start, end } of rules.find(text)) if (start < cut && cut < end) cut = start;
  return cut;
}

/** Where the last word starts, including its credential prefix: it may continue in the next chunk. */
function startOfShape(text: string): number {
  const key = keyBlock(text);
  if (key !== undefined && key.end === undefined && text.length - key.start <= MAX_HELD_LENGTH)
    return key.start;
  let start = text.length;
  while (start > 0 && text.length - start < MAX_SHAPE_LENGTH && WORD.test(text[start - 1] as string))
    start -= 1;
  const before = text.slice(Math.max(0, start - 7), start);
  if (/^[Bb]earer $/.test(before)) return start - 7;
  return Math.max(start, key?.end ?? 0);
}

const KEY_START = '-----BEGIN ';
const KEY_END = '-----END ';

/** The last private key or certificate in the text; without `end` while it is incomplete. */
function keyBlock(text: string): { readonly start: number; readonly end?: number } | undefined {
  const start = text.lastIndexOf(KEY_START);
  if (start === -1) return undefined;
  const last = text.indexOf(KEY_END, start);
  const dashes = last === -1 ? -1 : text.indexOf('-----', last + KEY_END.length);
  return dashes === -1 ? { start } : { start, end: dashes + 5 };
}
