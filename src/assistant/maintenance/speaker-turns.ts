/** A turn of a transcript, such as "Anna: my phone is 1". */
export interface SpeakerTurn {
  /** Undefined if the person of this workspace speaks. */
  readonly name?: string;
  readonly words: string;
}

const NAMED =
  /^(?<name>\p{Lu}[\p{L}\p{N}.'’-]*(?: \p{Lu}[\p{L}\p{N}.'’-]*){0,3}|user|human):\s+(?<words>\S[\s\S]*)$/u;
const PERSON = /^(?:user|human|me|person)$/iu;
/** Programs, and headings that look like a speaker. */
const NO_SPEAKERS =
  /^(?:assistant|ai|bot|chatbot|agent|system|model|tool|gpt.*|oka|note|notes|todo|warning|error|info|re|fwd|subject|from|to|cc|date|time|question|answer|q|a|ps|fyi|attention|remember|summary|example|result|output|input|title|author|url)$/iu;

/** The speaker of a turn; undefined if the text names none. */
export function speakerTurn(text: string): SpeakerTurn | undefined {
  const { name, words } = NAMED.exec(text)?.groups ?? {};
  if (name === undefined || words === undefined || NO_SPEAKERS.test(name)) return undefined;
  return PERSON.test(name) ? { words } : { name, words };
}

/** A statement in the first person as one about its speaker, so that it is understood on its own. */
export function aboutSpeaker(name: string, statement: string): string {
  const owned = /^my\s+(.+)$/iu.exec(statement)?.[1];
  if (owned !== undefined) return withoutFirstPerson(`${possessive(name)} ${owned}`);
  const being = /^(?:I am|I['’]m)\s+(.+)$/iu.exec(statement)?.[1];
  if (being !== undefined) return withoutFirstPerson(`${name} is ${being}`);
  const denied = /^I\s+(?:do not|don['’]t)\s+(.+)$/iu.exec(statement)?.[1];
  if (denied !== undefined) return withoutFirstPerson(`${name} does not ${denied}`);
  const did =
    /^I\s+(?<adverbs>(?:\p{L}+ly\s+|always\s+|never\s+|also\s+|just\s+|still\s+|only\s+|now\s+|much\s+)*)(?<verb>\p{L}+)(?<rest>.*)$/isu.exec(
      statement,
    )?.groups;
  if (did === undefined) return `${name} said: ${statement}`;
  return withoutFirstPerson(`${name} ${did['adverbs']}${thirdPerson(did['verb'] as string)}${did['rest']}`);
}

function possessive(name: string): string {
  return name.endsWith('s') ? `${name}'` : `${name}'s`;
}

const IRREGULAR: Readonly<Record<string, string>> = { have: 'has', do: 'does', go: 'goes', am: 'is' };
/** Verbs in the past, and modal verbs, have one form. */
const UNCHANGED = /^(?:was|were|had|did|grew|came|went|can|could|will|would|must|should|may|might)$|ed$/iu;

function thirdPerson(verb: string): string {
  const lower = verb.toLowerCase();
  if (UNCHANGED.test(lower)) return verb;
  if (IRREGULAR[lower] !== undefined) return IRREGULAR[lower];
  if (/(?:s|x|z|ch|sh)$/u.test(lower)) return `${verb}es`;
  return /[^aeiou]y$/u.test(lower) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

const PRONOUNS: readonly (readonly [RegExp, string])[] = [
  [/\bI['’]m\b/gu, 'they are'],
  [/\bI['’]ve\b/gu, 'they have'],
  [/\bI['’](d|ll)\b/gu, "they'$1"],
  [/\bI am\b/gu, 'they are'],
  [/\bI\b/gu, 'they'],
  [/\bmyself\b/giu, 'themselves'],
  [/\bmine\b/giu, 'theirs'],
  [/\bmy\b/giu, 'their'],
  [/\bme\b/giu, 'them'],
];

function withoutFirstPerson(text: string): string {
  return PRONOUNS.reduce((said, [word, other]) => said.replaceAll(word, other), text);
}
