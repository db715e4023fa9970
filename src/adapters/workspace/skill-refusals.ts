import { OkaError } from '../../kernel/index.ts';
import type { SkillProblem, SkillProblemCode, SkillsErrorCode } from '../../tools/index.ts';
import type { PlainFileRefusal } from './plain-file.ts';

export const LARGEST_SKILL_BYTES = 256 * 1024;
export const LARGEST_FILE_BYTES = 256 * 1024;

const REFUSALS: Readonly<Record<PlainFileRefusal, readonly [SkillProblemCode, string, string]>> = {
  missing: ['skills.no_file', 'the folder has no SKILL.md', 'Write one, or remove the folder.'],
  link: [
    'skills.link_refused',
    'it is a link, and links are not followed here',
    'Put the skill itself in its place.',
  ],
  not_a_file: ['skills.no_file', 'it is not a regular file', 'Put a text file in its place.'],
  too_large: [
    'skills.too_large',
    `it is larger than ${LARGEST_SKILL_BYTES} bytes`,
    'Move parts of it into files of their own, beside it.',
  ],
  not_text: ['skills.not_text', 'it is not text in UTF-8', 'Save it as UTF-8.'],
  unreadable: ['skills.unreadable', 'it cannot be read', 'Check its permissions.'],
};

/** What is wrong with a skill whose file was not read. */
export function refusedSkill(refusal: PlainFileRefusal, path: string): SkillProblem {
  const [code, message, next] = REFUSALS[refusal];
  return { code, severity: 'error', path, message, next };
}

/** What is wrong with a skill that begins with an unseen mark. */
export function byteOrderMark(path: string): SkillProblem {
  return {
    code: 'skills.byte_order_mark',
    severity: 'warning',
    path,
    message: 'an unseen byte order mark stands before the front matter',
    next: 'Save the file as UTF-8 without a byte order mark.',
  };
}

const FILE_ERRORS: Readonly<Record<PlainFileRefusal, readonly [SkillsErrorCode, string]>> = {
  missing: ['skills.file_not_found', 'is not there; read the skill without a file to see which it has'],
  link: ['skills.file_refused', 'is a link, and links are not followed; name the file itself'],
  not_a_file: ['skills.file_refused', 'is not a regular file; name a file'],
  too_large: ['skills.file_too_large', `is larger than ${LARGEST_FILE_BYTES} bytes; split it`],
  not_text: ['skills.file_not_text', 'is not text in UTF-8, so it cannot be read as such'],
  unreadable: ['skills.file_refused', 'cannot be read; check its permissions'],
};

/** The error for a file of a skill that was not read. */
export function refusedFile(
  refusal: PlainFileRefusal,
  skill: string,
  file: string,
): OkaError<SkillsErrorCode> {
  const [code, what] = FILE_ERRORS[refusal];
  return new OkaError(code, `the file "${file}" of the skill ${skill} ${what}.`, { data: { skill, file } });
}
