const MARK = '\u0001json:';

/** PostgreSQL texts cannot contain NUL, so such a text is stored as marked JSON. */
export function toStored(text: string): string {
  return text.includes('\u0000') || text.startsWith(MARK) ? MARK + JSON.stringify(text) : text;
}

export function fromStored(stored: string): string {
  return stored.startsWith(MARK) ? (JSON.parse(stored.slice(MARK.length)) as string) : stored;
}
