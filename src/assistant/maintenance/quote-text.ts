const MAX_LENGTH = 300;

/** Quotes text as one line of inline code, so that it contains no Markdown and no invisible characters. */
export function quoteText(text: string, maxLength = MAX_LENGTH): string {
  const flat = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('`', "'")
    .trim();
  if (flat === '') return '(nothing)';
  const cut = flat.length > maxLength ? `${flat.slice(0, maxLength).toWellFormed().trimEnd()}…` : flat;
  return `\`${cut}\``;
}

/** A UTC time, to the minute. */
export function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** A Markdown list under a heading, cut after `max` lines. Empty lists give no section. */
export function section(heading: string, lines: readonly string[], max = 500): readonly string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > max ? [`- … and ${lines.length - max} more`] : [];
  return [`## ${heading}`, '', ...lines.slice(0, max).map((line) => `- ${line}`), ...rest, ''];
}
