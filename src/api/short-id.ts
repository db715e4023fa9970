// Owns: how ids are shown to people. Does not own: finding a thing by a part of its id (the runtime).

/** A shown id has this many characters. With 100,000 runs, one of 10,000 shown ids is ambiguous, which is then reported. */
const SHOWN_LENGTH = 6;
/** A part of an id names something from this length. */
export const MIN_ID_PART = 4;

const ULID = '[0-9][0-9a-hjkmnp-tv-z]{25}';
const WHOLE = new RegExp(`^${ULID}$`);
const INSIDE = new RegExp(`(?<![0-9a-z_])${ULID}(?![0-9a-z_])`, 'g');

export function isWholeId(text: string): boolean {
  return WHOLE.test(text);
}

/**
 * The end of an id, which is random. Its start is the time, so ids that were made together start alike. Other ids, such as those
 * of schedules, are names and stay whole.
 */
export function shortId(id: string): string {
  return isWholeId(id) ? id.slice(-SHOWN_LENGTH) : id;
}

/** Shows ids that appear together: longer where two of them end alike. */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const known = [...new Set(ids)];
  return (id) => {
    if (!isWholeId(id)) return id;
    for (let length = SHOWN_LENGTH; length < id.length; length++) {
      const end = id.slice(-length);
      if (known.every((other) => other === id || !other.endsWith(end))) return end;
    }
    return id;
  };
}

/** Shortens every id in a text, such as the command that continues a run. */
export function shortenIds(text: string): string {
  return text.replaceAll(INSIDE, shortId);
}
