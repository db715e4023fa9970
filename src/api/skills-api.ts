import * as z from 'zod';

import { flag, list, record, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** One thing that is wrong with a skill, and the way out. */
const skillProblemView = z.object({
  code: text,
  /** An error keeps the skill from being offered; with a warning it is, but other programs may refuse it. */
  severity: z.enum(['error', 'warning']),
  path: text,
  message: text,
  next: text,
});
export type SkillProblemView = TypeOf<typeof skillProblemView>;

/** A skill that agents are offered: all that they are told before they ask for it. */
const skillView = z.object({
  name: text,
  description: text,
  /** Whose folder it lies in. */
  source: z.enum(['user', 'project']),
  path: text,
});
export type SkillView = TypeOf<typeof skillView>;

/** A skill as it was checked. */
const skillCheckView = z.object({
  name: text,
  source: z.enum(['user', 'project']),
  path: text,
  /** Nothing is wrong with it. */
  valid: flag,
  /** It is offered to agents, or would be where it belongs. */
  usable: flag,
  problems: list(skillProblemView),
});
export type SkillCheckView = TypeOf<typeof skillCheckView>;

const skillListAnswer = z.object({
  skills: list(skillView),
  /** Skills that something is wrong with; those that are not usable are not offered. */
  faulty: list(skillCheckView),
  /** False when the project's own skills were left out, because the workspace is not trusted. */
  trusted: flag,
});
export type SkillListAnswer = TypeOf<typeof skillListAnswer>;

const skillDetails = skillView.extend({
  license: text.exactOptional(),
  compatibility: text.exactOptional(),
  metadata: record(text),
  /** What the author expects to use. It allows nothing. */
  allowedTools: list(text),
  files: list(text),
  body: text,
  problems: list(skillProblemView),
});
export type SkillDetails = TypeOf<typeof skillDetails>;

const skillCheckAnswer = z.object({ valid: flag, skills: list(skillCheckView) });
export type SkillCheckAnswer = TypeOf<typeof skillCheckAnswer>;

/** What can be asked about skills. */
export interface SkillsApi {
  list(): Promise<SkillListAnswer>;
  show(name: string): Promise<SkillDetails>;
  /** Checks the skill or the folder of skills at a path, or every skill here. */
  check(path?: string): Promise<SkillCheckAnswer>;
}

export const skillsSchemas: SchemasOf<SkillsApi> = {
  list: [[], skillListAnswer],
  show: [[{ name: text }], skillDetails],
  check: [[{ path: text.optional() }], skillCheckAnswer],
};
