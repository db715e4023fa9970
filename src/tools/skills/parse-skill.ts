import { didYouMean, nearestName } from '../../kernel/index.ts';
import { defined } from '../define-tool.ts';
import type { FoundSkill, Skill, SkillProblem, SkillProblemCode } from './types.ts';

const MAX_DESCRIPTION_LENGTH = 1_024;
const MAX_COMPATIBILITY_LENGTH = 500;
const MAX_SHOWN_LENGTH = 80;
const MAX_NAME_LENGTH = 64;
const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'] as const;

/** Control, bidirectional and invisible characters are refused, because every agent reads the description. */
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/** The parts of a `SKILL.md`; every scalar of the front matter is a string. */
interface SkillParts {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly folderName: string;
  /** The display path of the file. */
  readonly path: string;
}

/** Parses a skill and reports all its problems. Returns no skill if one of them is an error. */
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
  const optional = defined({ license, compatibility });
  return { skill: { name, description, ...optional, metadata, allowedTools, body }, problems };
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
    const next = didYouMean(nearestName(field, FIELDS), 'Move it under metadata, or remove it.');
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
    const next = 'Use lower-case letters, digits and single hyphens, as in read-invoices.';
    report('skills.name_invalid', `the name ${shown(name)} is invalid: ${faults.join('; ')}`, next);
  }
  if (normalSkillName(folderName) !== name) {
    const next = 'Give the folder the name of the skill.';
    report('skills.name_differs', `the skill ${shown(name)} is in a folder named ${shown(folderName)}`, next);
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
  if ((given as string).length > MAX_DESCRIPTION_LENGTH) {
    const what = `the description has ${(given as string).length} characters, more than ${MAX_DESCRIPTION_LENGTH}`;
    report('skills.description_too_long', what, 'Shorten it; the body has room for the rest.');
  }
  if (HIDDEN.test(description.replaceAll(/[\t\r\n]/g, ''))) {
    const what = 'the description has control or invisible characters';
    report('skills.hidden_characters', what, 'Rewrite the description in plain text.');
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
  report(code, `${field} is not text`, `Write ${field} as a string.`);
  return undefined;
}

function readCompatibility(fields: SkillParts['fields'], report: Report): string | undefined {
  const text = readText(fields, 'compatibility', 'skills.compatibility_invalid', report);
  if (text === '') {
    report(
      'skills.compatibility_invalid',
      'compatibility is empty',
      'Describe the requirements, or remove it.',
    );
  } else if (text !== undefined && text.length > MAX_COMPATIBILITY_LENGTH) {
    const what = `compatibility has ${text.length} characters, more than ${MAX_COMPATIBILITY_LENGTH}`;
    report('skills.compatibility_invalid', what, 'Shorten it; the body has room for the rest.');
  }
  return text;
}

/** Values other than strings are stored as JSON, because lists of tags are common. */
function readMetadata(given: unknown, report: Report): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    const next = 'Write one key and one string per line below it, indented.';
    report('skills.metadata_invalid', 'metadata is not a list of keys and strings', next);
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
  const next = 'Write tool names separated by spaces.';
  report('skills.allowed_tools_invalid', 'allowed-tools is not a list of names', next);
  return [];
}

/** Names are separated by spaces or commas; text in parentheses belongs to its name. */
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
  return `"${text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text}"`;
}

const ALLOWED = /^[\p{Ll}\p{Lo}\p{M}0-9-]+$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Normalizes a name for comparison. */
export function normalSkillName(name: string): string {
  return name.trim().normalize('NFKC');
}

/** All problems of a skill name. Valid are lower-case letters, digits, and hyphens between them. */
function nameFaults(name: string): readonly string[] {
  const faults: string[] = [];
  if (name.length > MAX_NAME_LENGTH)
    faults.push(`it has ${name.length} characters, more than ${MAX_NAME_LENGTH}`);
  if (name !== name.toLowerCase()) faults.push('it has upper-case letters');
  if (!ALLOWED.test(name.toLowerCase()) || INVISIBLE.test(name))
    faults.push('it has characters other than letters, digits and hyphens');
  if (name.startsWith('-') || name.endsWith('-')) faults.push('it starts or ends with a hyphen');
  if (name.includes('--')) faults.push('it has two hyphens in a row');
  return faults;
}

/**
 * Resolves duplicate names: the first skill wins, the others get an error. List the user's skills before the project's, so that
 * no project can replace a skill that the user trusts.
 */
export function chooseSkills(found: readonly FoundSkill[]): readonly FoundSkill[] {
  const byName = new Map<string, FoundSkill>();
  return found.map((candidate) => {
    const name = normalSkillName(candidate.skill?.name ?? candidate.folderName);
    const first = byName.get(name);
    if (first === undefined) {
      byName.set(name, candidate);
      return candidate;
    }
    const { skill: _, ...rest } = candidate;
    return { ...rest, problems: [...candidate.problems, taken(name, candidate, first)] };
  });
}

function taken(name: string, candidate: FoundSkill, first: FoundSkill): SkillProblem {
  const whose = first.source === 'user' ? 'your own skill' : 'another skill of this project';
  return {
    code: 'skills.name_taken',
    severity: 'error',
    path: candidate.path,
    message: `${whose} named "${name}" in ${first.path} is used instead`,
    next: 'Rename one of the two, or remove it.',
  };
}
