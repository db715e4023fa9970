import { didYouMean, nearestName } from '../../kernel/index.ts';
import { nameFaults, normalSkillName } from './skill-name.ts';
import type { Skill, SkillProblem, SkillProblemCode } from './types.ts';

const LONGEST_DESCRIPTION = 1_024;
const LONGEST_COMPATIBILITY = 500;
const LONGEST_SHOWN = 80;
const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'] as const;

/** Text that turns around, moves the cursor or is not seen at all has no place in what agents are told first. */
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/** A `SKILL.md` that was taken apart; every scalar of the front matter is text. */
export interface SkillParts {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly folderName: string;
  /** As people name the file. */
  readonly path: string;
}

/** Reads a skill and names everything that is wrong with it at once. There is a skill unless there is an error. */
export function parseSkill(source: SkillParts): {
  readonly skill?: Skill;
  readonly problems: readonly SkillProblem[];
} {
  const problems: SkillProblem[] = [];
  const { fields, body, path } = source;
  const report: Report = (code, message, next, severity = 'error') =>
    void problems.push({ code, severity, path, message, next });
  reportUnknown(fields, report);
  const name = readName(source, report);
  const description = readDescription(fields['description'], report);
  const license = readText(fields, 'license', 'skills.license_invalid', report);
  const compatibility = readCompatibility(fields, report);
  const metadata = readMetadata(fields['metadata'], report);
  const allowedTools = readAllowedTools(fields['allowed-tools'], report);
  if (name === undefined || description === undefined || problems.some(isError)) return { problems };
  const skill: Skill = {
    name,
    description,
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    metadata,
    allowedTools,
    body,
  };
  return { skill, problems };
}

type Report = (
  code: SkillProblemCode,
  message: string,
  next: string,
  severity?: SkillProblem['severity'],
) => void;

const isError = ({ severity }: SkillProblem): boolean => severity === 'error';

function reportUnknown(fields: SkillParts['fields'], report: Report): void {
  for (const field of Object.keys(fields)) {
    if ((FIELDS as readonly string[]).includes(field)) continue;
    const next = didYouMean(nearestName(field, FIELDS), 'Put it under metadata, or leave it out.');
    report('skills.unknown_field', `the format has no field ${shown(field)}`, next, 'warning');
  }
}

function readName({ fields, folderName }: SkillParts, report: Report): string | undefined {
  const given = fields['name'];
  const name = typeof given === 'string' ? normalSkillName(given) : '';
  if (name === '') {
    report('skills.name_missing', 'the front matter has no name', `Add: name: ${folderName}`);
    return undefined;
  }
  const faults = nameFaults(name);
  if (faults.length > 0) {
    const next = 'Use letters in lower case, digits and single hyphens, as in read-invoices.';
    report('skills.name_invalid', `the name ${shown(name)} cannot be used: ${faults.join('; ')}`, next);
  }
  if (normalSkillName(folderName) !== name) {
    const next = 'Give the folder the name of the skill.';
    report('skills.name_differs', `the skill ${shown(name)} lies in a folder ${shown(folderName)}`, next);
  }
  return name;
}

function readDescription(given: unknown, report: Report): string | undefined {
  const description = typeof given === 'string' ? given.trim() : '';
  if (description === '') {
    const next = 'Add one or two sentences: what the skill does, and when to use it.';
    report('skills.description_missing', 'the front matter has no description', next);
    return undefined;
  }
  if ((given as string).length > LONGEST_DESCRIPTION) {
    const what = `the description has ${(given as string).length} characters, more than ${LONGEST_DESCRIPTION}`;
    report('skills.description_too_long', what, 'Shorten it; the body has room for the rest.');
  }
  if (HIDDEN.test(description.replaceAll(/[\t\r\n]/g, ''))) {
    const what = 'the description has control characters or characters that nobody sees';
    report('skills.hidden_characters', what, 'Write the description anew, in plain text.');
  }
  return description;
}

function readText(
  fields: SkillParts['fields'],
  field: string,
  code: SkillProblemCode,
  report: Report,
): string | undefined {
  if (!Object.hasOwn(fields, field)) return undefined;
  const given = fields[field];
  if (typeof given === 'string') return given.trim();
  report(code, `${field} is not text`, `Write ${field} as one text.`);
  return undefined;
}

function readCompatibility(fields: SkillParts['fields'], report: Report): string | undefined {
  const text = readText(fields, 'compatibility', 'skills.compatibility_invalid', report);
  if (text === '') {
    report('skills.compatibility_invalid', 'compatibility is empty', 'Say what is needed, or leave it out.');
  } else if (text !== undefined && text.length > LONGEST_COMPATIBILITY) {
    const what = `compatibility has ${text.length} characters, more than ${LONGEST_COMPATIBILITY}`;
    report('skills.compatibility_invalid', what, 'Shorten it; the body has room for the rest.');
  }
  return text;
}

/** What is not text under a key is kept as JSON, as lists of tags are common. */
function readMetadata(given: unknown, report: Report): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    const next = 'Write a key and a text on each line below it, indented.';
    report('skills.metadata_invalid', 'metadata is not a list of keys and texts', next);
    return {};
  }
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

function readAllowedTools(given: unknown, report: Report): readonly string[] {
  if (given === undefined) return [];
  if (typeof given === 'string') return splitTools(given);
  if (Array.isArray(given) && given.every((tool) => typeof tool === 'string')) return given;
  const next = 'Write the names of tools with spaces between them.';
  report('skills.allowed_tools_invalid', 'allowed-tools is not a list of names', next);
  return [];
}

/** Names are parted by spaces or commas; what stands in parentheses belongs to its name. */
function splitTools(text: string): readonly string[] {
  const names: string[] = [];
  let name = '';
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && /[\s,]/.test(character)) {
      if (name !== '') names.push(name);
      name = '';
    } else name += character;
  }
  return name === '' ? names : [...names, name];
}

function shown(text: string): string {
  return `"${text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text}"`;
}
