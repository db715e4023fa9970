import { withoutCode } from './without-code.ts';

/** Excludes words, e-mail addresses and doubled signs. */
const MENTION = /(?<![\p{L}\p{N}\p{M}_.+@/-])@(?<name>[\p{L}\p{N}\p{M}_-]+)(?![\p{L}\p{N}\p{M}_@-])/gu;

/** Returns the mentioned names, each once, in order. @names inside code and e-mail addresses are ignored. */
export function mentionsIn(text: string): readonly string[] {
  if (!text.includes('@')) return [];
  const found = withoutCode(text.normalize('NFC')).matchAll(MENTION);
  return [...new Set([...found].map((match) => match.groups?.['name'] as string))];
}

/** The agents to notify, and mentioned names that do not exist. */
export interface Addressed {
  readonly agents: readonly string[];
  readonly unknown: readonly string[];
}

export interface KnownNames {
  readonly person: string;
  readonly agents: ReadonlySet<string>;
  /** The participants of the conversation. */
  readonly present: readonly string[];
}

const EVERYBODY = 'all';

/** Resolves the mentions of a message. `@all` counts only from a person and means all participants. */
export function addressed(text: string, from: string, known: KnownNames): Addressed {
  const agents = new Set<string>();
  const unknown = new Set<string>();
  for (const name of mentionsIn(text)) {
    if (name === from || name === known.person) continue;
    if (known.agents.has(name)) agents.add(name);
    else if (name !== EVERYBODY) unknown.add(name);
    else if (from === known.person)
      for (const one of known.present) if (known.agents.has(one)) agents.add(one);
  }
  return { agents: [...agents], unknown: [...unknown] };
}
