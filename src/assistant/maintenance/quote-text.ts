const LONGEST = 300;

/**
 * Somebody's words in one line of Markdown. They stand as code, so that nothing in them is a heading, a link, a list or
 * markup, and without characters that change what a reader sees.
 */
export function quoteText(text: string, longest = LONGEST): string {
  const flat = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('`', "'")
    .trim();
  if (flat === '') return '(nothing)';
  const cut = flat.length > longest ? `${flat.slice(0, longest).toWellFormed().trimEnd()}…` : flat;
  return `\`${cut}\``;
}

/** A moment in UTC, to the minute. */
export function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** A list under a heading; nothing at all when it is empty, and a word about the rest when it is long. */
export function section(heading: string, lines: readonly string[], most = 500): readonly string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > most ? [`- … and ${lines.length - most} more`] : [];
  return [`## ${heading}`, '', ...lines.slice(0, most).map((line) => `- ${line}`), ...rest, ''];
}
