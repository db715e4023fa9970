/** All that is said about a skill before it is asked for. */
export interface SkillSummary {
  readonly name: string;
  readonly description: string;
}

/** A text of a skill: its instructions, or one of its files. */
export interface SkillText {
  readonly skill: string;
  /** The file's path below the skill's folder. */
  readonly file: string;
  readonly text: string;
  readonly bytes: number;
  /** With the instructions: what else lies in the folder. */
  readonly files?: readonly string[];
}

/** The skills that may be used here; handed in as the capability `skills`. */
export interface SkillLibrary {
  /** Names and descriptions, by name. */
  catalogue(): Promise<readonly SkillSummary[]>;
  /** The instructions of a skill, or a file below its folder. Refusals are OkaErrors with a SkillsErrorCode. */
  read(skill: string, file?: string): Promise<SkillText>;
}
