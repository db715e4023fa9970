import { withoutCode } from './without-code.ts';

/** Not within a word, an address or a doubled sign. */
const MENTION = /(?<![\p{L}\p{N}\p{M}_.+@/-])@(?<name>[\p{L}\p{N}\p{M}_-]+)(?![\p{L}\p{N}\p{M}_@-])/gu;

/** The names that a message mentions, each once, in order. What stands in code is no mention, nor is an e-mail address. */
export function mentionsIn(text: string): readonly string[] {
  if (!text.includes('@')) return [];
  const found = withoutCode(text.normalize('NFC')).matchAll(MENTION);
  return [...new Set([...found].map((match) => match.groups?.['name'] as string))];
}

/** Who is to be told, and which names nobody has. */
export interface Addressed {
  readonly agents: readonly string[];
  readonly unknown: readonly string[];
}

/** Who there is. */
export interface Known {
  readonly person: string;
  readonly agents: ReadonlySet<string>;
  /** Who takes part in the conversation. */
  readonly present: readonly string[];
}

const EVERYBODY = 'all';

/** Finds out who a message is for. `@all` counts only when a person says it, and means whoever takes part. */
export function addressed(text: string, from: string, known: Known): Addressed {
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
