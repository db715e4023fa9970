/** One thing that is wrong with a skill, and the way out. */
export interface SkillProblemView {
  readonly code: string;
  /** An error keeps the skill from being offered; with a warning it is, but other programs may refuse it. */
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly message: string;
  readonly next: string;
}

/** A skill that agents are offered: all that they are told before they ask for it. */
export interface SkillView {
  readonly name: string;
  readonly description: string;
  /** Whose folder it lies in. */
  readonly source: 'user' | 'project';
  readonly path: string;
}

/** A skill as it was checked. */
export interface SkillCheckView {
  readonly name: string;
  readonly source: 'user' | 'project';
  readonly path: string;
  /** Nothing is wrong with it. */
  readonly valid: boolean;
  /** It is offered to agents, or would be where it belongs. */
  readonly usable: boolean;
  readonly problems: readonly SkillProblemView[];
}

export interface SkillListAnswer {
  readonly skills: readonly SkillView[];
  /** Skills that something is wrong with; those that are not usable are not offered. */
  readonly faulty: readonly SkillCheckView[];
  /** False when the project's own skills were left out, because the workspace is not trusted. */
  readonly trusted: boolean;
}

export interface SkillDetails extends SkillView {
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** What the author expects to use. It allows nothing. */
  readonly allowedTools: readonly string[];
  readonly files: readonly string[];
  readonly body: string;
  readonly problems: readonly SkillProblemView[];
}

export interface SkillCheckAnswer {
  readonly valid: boolean;
  readonly skills: readonly SkillCheckView[];
}

/** What can be asked about skills. */
export interface SkillsApi {
  list(): Promise<SkillListAnswer>;
  show(name: string): Promise<SkillDetails>;
  /** Checks the skill or the folder of skills at a path, or every skill here. */
  check(path?: string): Promise<SkillCheckAnswer>;
}
