import { OkaError } from '../../kernel/index.ts';
import type { SkillProblem, SkillProblemCode, SkillsErrorCode } from '../../tools/index.ts';
import type { PlainFileRefusal } from './plain-file.ts';

export const MAX_SKILL_BYTES = 256 * 1024;
export const MAX_FILE_BYTES = 256 * 1024;

const REFUSALS: Readonly<Record<PlainFileRefusal, readonly [SkillProblemCode, string, string]>> = {
  missing: ['skills.no_file', 'the folder has no SKILL.md', 'Write one, or remove the folder.'],
  link: [
    'skills.link_refused',
    'it is a link, and links are not followed here',
    'Replace it with the skill itself.',
  ],
  not_a_file: ['skills.no_file', 'it is not a regular file', 'Replace it with a text file.'],
  too_large: [
    'skills.too_large',
    `it is larger than ${MAX_SKILL_BYTES} bytes`,
    'Move parts of it into separate files next to it.',
  ],
  not_text: ['skills.not_text', 'it is not UTF-8 text', 'Save it as UTF-8.'],
  unreadable: ['skills.unreadable', 'it cannot be read', 'Check its permissions.'],
};

/** The problem of a skill whose file was not read. */
export function refusedSkill(refusal: PlainFileRefusal, path: string): SkillProblem {
  const [code, message, next] = REFUSALS[refusal];
  return { code, severity: 'error', path, message, next };
}

/** The problem of a skill that starts with a byte order mark. */
export function byteOrderMark(path: string): SkillProblem {
  return {
    code: 'skills.byte_order_mark',
    severity: 'warning',
    path,
    message: 'a byte order mark precedes the front matter',
    next: 'Save the file as UTF-8 without a byte order mark.',
  };
}

const FILE_ERRORS: Readonly<Record<PlainFileRefusal, readonly [SkillsErrorCode, string]>> = {
  missing: ['skills.file_not_found', 'does not exist. Read the skill without a file to list its files'],
  link: ['skills.file_refused', 'is a link, and links are not followed. Name the file itself'],
  not_a_file: ['skills.file_refused', 'is not a regular file. Name a file'],
  too_large: ['skills.file_too_large', `is larger than ${MAX_FILE_BYTES} bytes. Split it`],
  not_text: ['skills.file_not_text', 'is not UTF-8 text, so it cannot be read'],
  unreadable: ['skills.file_refused', 'cannot be read. Check its permissions'],
};

/** The error for a skill's file that was not read. */
export function refusedFile(
  refusal: PlainFileRefusal,
  skill: string,
  file: string,
): OkaError<SkillsErrorCode> {
  const [code, what] = FILE_ERRORS[refusal];
  return new OkaError(code, `The file "${file}" of the skill ${skill} ${what}.`, { data: { skill, file } });
}
