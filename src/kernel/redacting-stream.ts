/** Redacts a text that arrives in pieces, so that a secret cut in two is still found. */
export interface RedactingStream {
  /** Takes the next piece; answers with what can be passed on by now, redacted. */
  push(piece: string): string;
  /** The rest, redacted. */
  end(): string;
}

/** What a stream needs to know of its redactor. */
export interface StreamRules {
  text(text: string): string;
  /** Where known secrets stand. */
  find(text: string): readonly { readonly start: number; readonly end: number }[];
  /** The length of the longest string that is looked for. */
  longest(): number;
}

/** More than this is not held back for a shape that may still become a credential. */
const LONGEST_SHAPE = 4_096;
/** A stretch of secrets that goes on and on is let through in parts, as a mark each. */
const MOST_HELD = 65_536;
const WORD = /[\w.~+/=:@%-]/;

/** Holds back no more than could still be the beginning of a secret. */
export function createRedactingStream(rules: StreamRules): RedactingStream {
  let held = '';
  return {
    push(piece) {
      held += piece;
      const cut = held.length > MOST_HELD + rules.longest() ? held.length : safeCut(held, rules);
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

/** Up to where nothing that follows can change what has to be redacted. */
function safeCut(text: string, rules: StreamRules): number {
  const longest = rules.longest();
  let cut = Math.min(
    longest === 0 ? text.length : Math.max(0, text.length - longest + 1),
    startOfShape(text),
  );
  for (const { start, end } of rules.find(text)) if (start < cut && cut < end) cut = start;
  return cut;
}

/** Where the last word begins, with what makes a credential of it: it may go on in the next piece. */
function startOfShape(text: string): number {
  const key = keyBlock(text);
  if (key !== undefined && key.end === undefined && text.length - key.start <= MOST_HELD) return key.start;
  let start = text.length;
  while (start > 0 && text.length - start < LONGEST_SHAPE && WORD.test(text[start - 1] as string)) start -= 1;
  const before = text.slice(Math.max(0, start - 7), start);
  if (/^[Bb]earer $/.test(before)) return start - 7;
  return Math.max(start, key?.end ?? 0);
}

const KEY_BEGINS = '-----BEGIN ';
const KEY_ENDS = '-----END ';

/** The last private key or certificate of the text; without an end when that has not come yet. */
function keyBlock(text: string): { readonly start: number; readonly end?: number } | undefined {
  const start = text.lastIndexOf(KEY_BEGINS);
  if (start === -1) return undefined;
  const last = text.indexOf(KEY_ENDS, start);
  const dashes = last === -1 ? -1 : text.indexOf('-----', last + KEY_ENDS.length);
  return dashes === -1 ? { start } : { start, end: dashes + 5 };
}
