// Owns: what a fact is about, so that two facts which cannot both hold are found. I1 The result is stored in the column
// `subject`: a change of these rules renames that column, which folds the table again.

const MAX_LENGTH = 240;
/** Statements that hold only sometimes, or that deny something. */
const CONDITIONAL =
  /\b(?:not|never|no longer|n't|if|when|unless|until|while|usually|sometimes|often|or)\b|n['’]t\b|[?\n]/iu;
const SENTENCE_END = /[.!;]\s+\S/u;

const PLACES = 'in|at|on|near|under|behind|inside|opposite';
const BE = /^(?<subject>\S.*?)\s+(?:is|are|am)\s+(?:now\s+|currently\s+)?(?<value>\S.*)$/iu;
const PLACED = new RegExp(
  `^(?:(?:located|based|situated|stored|kept|hosted)\\s+)?(?<where>${PLACES})\\s+(?<value>\\S.*)$`,
  'iu',
);
/** Verbs with one value at a time, with the prepositions that belong to them. */
const VERB =
  /^(?<subject>\S.*?)\s+(?:now\s+|currently\s+)?(?<verb>lives?\s+(?:in|at)|works?\s+(?:at|for|as)|studies\s+at|(?:starts?|begins?|ends?|opens?|closes?|expires?)\s+(?:at|on|in)|costs?|weighs?|(?:listens?|runs?)\s+on\s+port|reports?\s+to)\s+\S.*$/iu;
/** "in use" and "on time" are no places. */
const NO_PLACES =
  /^(?:use|order|progress|place|charge|stock|time|fire|hold|duty|sale|risk|work|rest|need|danger|trouble|good|bad|perfect|top|track)\b/iu;
const OWNED = /(?:^(?:my|our|your|his|her|their|its)\s)|['’]s\s|s['’]\s|\bof\s/iu;
/** Any of these can hold together with any other. */
const ADJECTIVE =
  /^(?:(?:very|quite|too|really|so|rather|always)\s|(?:large|small|big|little|tiny|huge|long|short|tall|wide|narrow|deep|high|low|new|old|young|good|bad|great|nice|fine|fast|slow|quick|easy|hard|soft|warm|cold|hot|cool|loud|quiet|bright|dark|light|heavy|clean|dirty|dry|wet|open|closed|empty|full|free|busy|ready|cheap|expensive|rich|poor|strong|weak|safe|dangerous|happy|sad|tired|broken|important|useful|useless|modern|simple|complex|friendly|popular|public|private|local|secure|slim|sick|ill|here|there|done|late|early|right|wrong|true|false|available|down|up|out|away)(?:\s|$)|\p{Ll}+(?:ful|ous|less|able|ible|ive|ing|ed)$)/u;
/** The value of a subject that is no possession: a number, a name, a quotation, a time, a path or an address. */
const NAME = /^(?:["'“‘«]|[\p{Lu}\p{N}+~/$€£#<]|v\d|\S+[@:/.]\S)/u;
/** Somebody can have several of them, each in a sentence of its own. */
const MANY =
  /(?:^(?:one|some|most|all|part|none|many|each|every|any|another)\b|\b(?:friend|brother|sister|son|daughter|child|colleague|cousin|uncle|aunt|neighbou?r|hobby|pet|dog|cat|goal|problem|plan|interest|example|reason|task|idea)$)/iu;
const COLOUR =
  /^(?:(?:light|dark)\s+)?(?:red|blue|green|yellow|orange|purple|violet|pink|brown|black|white|grey|gray|beige)$/iu;

/**
 * The subject and attribute of a statement, such as `office in` for "The office is in Bern"; undefined if another value
 * could hold at the same time. Two facts with the same subject and different texts contradict each other.
 */
export function subjectOf(text: string): string | undefined {
  const said = text
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/[.!]+$/u, '');
  if (said.length > MAX_LENGTH || CONDITIONAL.test(said) || SENTENCE_END.test(said)) return undefined;
  const { subject, value } = BE.exec(said)?.groups ?? {};
  if (subject !== undefined && value !== undefined) {
    const attribute = attributeOf(subject, value);
    return attribute === undefined ? undefined : named(subject, attribute);
  }
  const verb = VERB.exec(said)?.groups;
  if (verb === undefined) return undefined;
  return named(verb['subject'] as string, stem(verb['verb'] as string));
}

function attributeOf(subject: string, value: string): string | undefined {
  const place = PLACED.exec(value)?.groups;
  if (place !== undefined)
    return NO_PLACES.test(place['value'] as string) ? undefined : place['where']?.toLowerCase();
  if (COLOUR.test(value)) return /\bcolou?r\b/iu.test(subject) ? 'is' : 'colour';
  if (ADJECTIVE.test(value)) return undefined;
  // "Anna is a doctor" and "Anna is a mother" both hold; "Anna's phone is 1" has one value.
  if (OWNED.test(subject)) return 'is';
  return /^(?:a|an|one of)\s/iu.test(value) || !NAME.test(value) ? undefined : 'is';
}

function named(subject: string, attribute: string): string | undefined {
  const who = subject
    .toLowerCase()
    .replace(/^(?:the|a|an|remember that|note that)\s+/u, '')
    .replaceAll('’', "'")
    .replaceAll(/[,"“”]/gu, '')
    .trim();
  // A sentence with a clause before its subject is about more than its subject.
  if (
    who === '' ||
    MANY.test(who) ||
    who.split(' ').length > 8 ||
    /^(?:it|this|that|there|he|she|they|which|who)$/u.test(who)
  )
    return undefined;
  return `${who} ${attribute}`;
}

function stem(verb: string): string {
  const [word = '', ...links] = verb.toLowerCase().split(' ');
  return [word.replace(/ies$/u, 'y').replace(/s$/u, ''), ...links].join(' ');
}
