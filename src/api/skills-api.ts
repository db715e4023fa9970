import * as z from 'zod';
import { flag, list, record, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** A problem of a skill, and its fix. */
const skillProblemView = z.object({
  code: text,
  /** A skill with an error is not offered. One with a warning is, but other programs may reject it. */
  severity: z.enum(['error', 'warning']),
  path: text,
  message: text,
  next: text,
});
export type SkillProblemView = TypeOf<typeof skillProblemView>;

/** A skill offered to agents, with all that an agent sees before it reads the skill. */
const skillView = z.object({
  name: text,
  description: text,
  /** The owner of its folder. */
  source: z.enum(['user', 'project']),
  path: text,
});
export type SkillView = TypeOf<typeof skillView>;

const skillCheckView = skillView.omit({ description: true }).extend({
  /** It has no problems. */
  valid: flag,
  /** It is offered to agents, or would be in a skills folder. */
  usable: flag,
  problems: list(skillProblemView),
});
export type SkillCheckView = TypeOf<typeof skillCheckView>;

const skillListAnswer = z.object({
  skills: list(skillView),
  /** Skills with problems; unusable ones are not offered. */
  faulty: list(skillCheckView),
  /** False if skills of the project were ignored, because it is not trusted. */
  trusted: flag,
});
export type SkillListAnswer = TypeOf<typeof skillListAnswer>;

const skillDetails = skillView.extend({
  license: text.exactOptional(),
  compatibility: text.exactOptional(),
  metadata: record(text),
  /** The tools that the author expects. Grants nothing. */
  allowedTools: list(text),
  files: list(text),
  body: text,
  problems: list(skillProblemView),
});
export type SkillDetails = TypeOf<typeof skillDetails>;

const skillCheckAnswer = z.object({ valid: flag, skills: list(skillCheckView) });
export type SkillCheckAnswer = TypeOf<typeof skillCheckAnswer>;

export interface SkillsApi {
  list(): Promise<SkillListAnswer>;
  show(name: string): Promise<SkillDetails>;
  /** Checks a skill or a folder of skills. Default: all skills. */
  check(path?: string): Promise<SkillCheckAnswer>;
}

export const skillsSchemas: SchemasOf<SkillsApi> = {
  list: [[], skillListAnswer],
  show: [[{ name: text }], skillDetails],
  check: [[{ path: text.optional() }], skillCheckAnswer],
};
