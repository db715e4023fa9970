/** The owner of the folder that a skill is in. */
export type SkillSource = 'user' | 'project';

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

export type SkillsErrorCode =
  | 'skills.unknown'
  | 'skills.invalid'
  | 'skills.file_refused'
  | 'skills.file_not_found'
  | 'skills.file_too_large'
  | 'skills.file_not_text';

/** A problem of a skill, and how to fix it. */
export interface SkillProblem {
  readonly code: SkillProblemCode;
  /** A skill with an error is not available. With a warning it is, but other programs may reject it. */
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly message: string;
  readonly next: string;
}

/** The content of a `SKILL.md`. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Tools that the author expects to use. Shown only; they grant nothing. */
  readonly allowedTools: readonly string[];
  readonly body: string;
}

/** A skill folder; `skill` is undefined if there is an error. */
export interface FoundSkill {
  /** Must equal the skill's name. */
  readonly folderName: string;
  /** The full path of the folder. */
  readonly folder: string;
  /** The display path of its file. */
  readonly path: string;
  readonly source: SkillSource;
  readonly skill?: Skill;
  readonly problems: readonly SkillProblem[];
}
