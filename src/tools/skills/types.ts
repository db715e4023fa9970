/** Whose folder a skill lies in. */
export type SkillSource = 'user' | 'project';

/** What can be wrong with a skill. */
export type SkillProblemCode =
  | 'skills.no_file'
  | 'skills.unreadable'
  | 'skills.link_refused'
  | 'skills.too_large'
  | 'skills.not_text'
  | 'skills.byte_order_mark'
  | 'skills.no_front_matter'
  | 'skills.front_matter_invalid'
  | 'skills.unknown_field'
  | 'skills.name_missing'
  | 'skills.name_invalid'
  | 'skills.name_differs'
  | 'skills.name_taken'
  | 'skills.description_missing'
  | 'skills.description_too_long'
  | 'skills.hidden_characters'
  | 'skills.license_invalid'
  | 'skills.compatibility_invalid'
  | 'skills.metadata_invalid'
  | 'skills.allowed_tools_invalid'
  | 'skills.too_many';

/** Codes that asking for a skill fails with. */
export type SkillsErrorCode =
  | 'skills.unknown'
  | 'skills.invalid'
  | 'skills.file_refused'
  | 'skills.file_not_found'
  | 'skills.file_too_large'
  | 'skills.file_not_text';

/** One thing that is wrong with a skill, and the way out. */
export interface SkillProblem {
  readonly code: SkillProblemCode;
  /** An error keeps the skill from being offered; with a warning it is, but other programs may refuse it. */
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly message: string;
  readonly next: string;
}

/** What the front matter and the body of a `SKILL.md` say. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** What the author expects to use. It is shown, and allows nothing. */
  readonly allowedTools: readonly string[];
  readonly body: string;
}

/** A folder that claims to be a skill: the skill, unless an error keeps it from being one. */
export interface FoundSkill {
  /** The folder's own name, which the skill's name has to equal. */
  readonly folderName: string;
  /** The folder, in full. */
  readonly folder: string;
  /** The file that holds it, as people name it. */
  readonly path: string;
  readonly source: SkillSource;
  readonly skill?: Skill;
  readonly problems: readonly SkillProblem[];
}
