export interface Mention {
  /** Where the @ is. */
  readonly at: number;
  readonly found: readonly string[];
}

const MAX_SHOWN = 8;

/** The agents that the name before the caret may become. */
export function findMention(text: string, caret: number, agents: readonly string[]): Mention | undefined {
  const typed = /(^|[\s(])@([\p{L}\p{N}_-]*)$/u.exec(text.slice(0, caret));
  if (typed === null) return undefined;
  const prefix = (typed[2] ?? '').toLowerCase();
  const found = agents.filter((name) => name.toLowerCase().startsWith(prefix)).slice(0, MAX_SHOWN);
  return found.length === 0 ? undefined : { at: caret - prefix.length - 1, found };
}

/** The text with the name in place of what was typed, and where the caret is after it. */
export function insertMention(
  text: string,
  { at }: Pick<Mention, 'at'>,
  caret: number,
  name: string,
): { readonly text: string; readonly caret: number } {
  const before = `${text.slice(0, at)}@${name} `;
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length };
}
