import { aboutSpeaker } from './speaker-turns.ts';

/** A person's lasting statement about themselves, their work or their preferences. */
export interface Statement {
  readonly text: string;
  /** The subject. A later statement with the same key replaces this one. */
  readonly key?: string;
  readonly importance: number;
  readonly confidence: number;
}

const MAX_TEXT_LENGTH = 20_000;
const MAX_SENTENCE_LENGTH = 300;
const MIN_SENTENCE_LENGTH = 6;

const OPENING = /^(?:(?:and|also|but|so|btw|by the way|ps|please)[,:]?\s+)+/iu;
const GREETING =
  /^(?:(?:yes|yeah|no|oh|ok|okay|well|hi|hey|hello|thanks|sure|actually|honestly|personally|you know|as you know)(?:\s+\p{Lu}\p{L}+)?[,!.]?\s+)+/iu;
const REMEMBER =
  /^(?:remember|note|keep in mind|bear in mind|do not forget|don't forget)(?:\s+that\s+|\s*[:,]\s*)(.+)$/iu;
const REMEMBER_SELF = /^remember\s+((?:I|we|my|our)\s.+)$/iu;
const RULE = /^(?:from now on,?\s+\S.*|(?:always|never)\s+\S.*)$/iu;
const PREFERENCE =
  /^(?:I|we)\s+(?:(?:always|never|usually|generally|really|strongly|much)\s+)?(?:prefer|like|love|dislike|hate|favou?r|avoid)\s+\S.*$/iu;
const AVERSION = /^(?:I|we)\s+(?:do not|don't|never)\s+(?:like|use|want|need)\s+\S.*$/iu;
const USE = /^(?:here,?\s+)?(?:I|we)\s+(?:(?:always|usually|only|now)\s+)?use\s+\S.*$/iu;
const PROPERTY = /^(my|our)\s+([\p{L}\p{N}'’-]+(?:\s+[\p{L}\p{N}'’-]+){0,4}?)\s+(?:is|are)\s+(\S.*)$/iu;

/** What a speaker of a transcript says of themselves; in a goal it is about the task at hand. */
const SELF =
  /^(?:I(?:['’]m| am)\s+(?:an?|the|from|allergic|vegetarian|vegan|married|engaged|divorced|single|retired|\d+)\b|I\s+(?:\p{L}+ly\s+|now\s+|also\s+)?(?:live|work|study|teach|speak|own|enjoy|collect|volunteer|grew up|was born|come from|moved to)\b|I\s+have\s+(?:an?|one|two|three|four|five|\d+)\s+(?:\p{L}+\s+){0,2}(?:dogs?|cats?|pets?|sons?|daughters?|child|children|kids?|brothers?|sisters?|allerg(?:y|ies)|degrees?|cars?|houses?|gardens?|boats?|horses?|jobs?)\b)/iu;

/** Sentences with these words may contain secrets and are not stored. */
const SECRET =
  /\b(?:pass(?:word|phrase|code)s?|pins?|secrets?|tokens?|api[ -]?keys?|credentials?|private keys?|cvv|iban|ssn|social security|credit cards?)\b|\[redacted /iu;

const QUOTED = /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»/gu;
const FENCED = /(?:```|~~~)[\s\S]*?(?:```|~~~|$)/gu;

/**
 * Returns the lasting statements, each once. Skips questions, quotes, code and secrets. With `speaker` they are about that
 * person, and rules of theirs are skipped: nobody asked Oka to follow them.
 */
export function statementsIn(words: string, speaker?: string): readonly Statement[] {
  const found = new Map<string, Statement>();
  for (const sentence of sentencesIn(words)) {
    const statement = speaker === undefined ? toStatement(sentence) : toSpeakersStatement(sentence, speaker);
    if (statement !== undefined && !found.has(statement.text)) found.set(statement.text, statement);
  }
  return [...found.values()];
}

/** Does not split inside quotes, so that quoted words never become a sentence of their own. */
function sentencesIn(words: string): readonly string[] {
  const quotes: string[] = [];
  const masked = words
    .slice(0, MAX_TEXT_LENGTH)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cf}\uE000\uE001]/gu, '')
    .replaceAll(FENCED, '\n')
    .replaceAll(QUOTED, (quote) => `\uE000${quotes.push(quote) - 1}\uE001`);
  return masked
    .split(/\n+/u)
    .filter((line) => !/^\s*>/u.test(line))
    .flatMap((line) => line.split(/(?<=[.!?;])\s+/u))
    .map((sentence) => sentence.replaceAll(/\uE000(\d+)\uE001/gu, (_, place) => quotes[Number(place)] ?? ''))
    .map((sentence) => sentence.replaceAll(/\s+/gu, ' ').trim());
}

function saidIn(sentence: string): string | undefined {
  if (sentence.length > MAX_SENTENCE_LENGTH || sentence.endsWith('?') || SECRET.test(sentence))
    return undefined;
  return sentence
    .replace(/^[-*•]\s+/u, '')
    .replace(OPENING, '')
    .replace(/[.!;]+$/u, '');
}

/** The confidence of what a speaker of a transcript says. */
const SPEAKER_CONFIDENCE = 0.6;

function toSpeakersStatement(sentence: string, speaker: string): Statement | undefined {
  const said = saidIn(sentence)?.replace(GREETING, '').trim();
  if (said === undefined || said.length < MIN_SENTENCE_LENGTH || RULE.test(said)) return undefined;
  const isLasting = [PREFERENCE, AVERSION, USE, PROPERTY, SELF].some((pattern) => pattern.test(said));
  if (!isLasting) return undefined;
  return { text: aboutSpeaker(speaker, said), importance: 2, confidence: SPEAKER_CONFIDENCE };
}

function toStatement(sentence: string): Statement | undefined {
  const said = saidIn(sentence);
  if (said === undefined) return undefined;
  const remembered = REMEMBER.exec(said)?.[1] ?? REMEMBER_SELF.exec(said)?.[1];
  const text = (remembered ?? said).trim();
  if (text.length < MIN_SENTENCE_LENGTH) return undefined;
  const key = keyOf(text);
  const about = { text, ...(key === undefined ? {} : { key }) };
  if (remembered !== undefined) return { ...about, importance: 4, confidence: 0.9 };
  if (RULE.test(text)) return { ...about, importance: 4, confidence: 0.8 };
  if (PREFERENCE.test(text) || AVERSION.test(text)) return { ...about, importance: 3, confidence: 0.8 };
  if (key !== undefined || USE.test(text)) return { ...about, importance: 3, confidence: 0.7 };
  return undefined;
}

function keyOf(text: string): string | undefined {
  const [, whose, what] = PROPERTY.exec(text) ?? [];
  return whose === undefined ? undefined : `${whose} ${what}`.toLowerCase();
}
