import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defined, defineTool, READS } from '../define-tool.ts';
import type { Skill } from './types.ts';

/** What agents see of a skill before they read it. */
export type SkillSummary = Pick<Skill, 'name' | 'description'>;

/** The instructions of a skill, or one of its files. */
export interface SkillText {
  readonly skill: string;
  /** The path below the skill's folder. */
  readonly file: string;
  readonly text: string;
  readonly bytes: number;
  /** With the instructions: the other files in the folder. */
  readonly files?: readonly string[];
  /** Where untrusted text comes from. */
  readonly untrustedFrom?: string;
}

/** The available skills. Provided as the capability `skills`. */
export interface SkillLibrary {
  /** Sorted by name. */
  catalogue(): Promise<readonly SkillSummary[]>;
  /** The instructions of a skill, or a file below its folder. Fails with a SkillsErrorCode. */
  read(skill: string, file?: string): Promise<SkillText>;
}

export const readSkill: Tool = defineTool({
  name: 'skills.read',
  description:
    'Returns the instructions of a skill and the names of its files, or the text of one of its files.',
  input: z.strictObject({
    skill: z.string().min(1).max(200).describe('the name of the skill'),
    file: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe("a file below the skill's folder, such as references/forms.md"),
  }),
  output: z.strictObject({
    skill: z.string(),
    file: z.string(),
    text: z.string(),
    bytes: z.int(),
    files: z.array(z.string()).optional(),
  }),
  ...READS,
  async handler({ skill, file }, context) {
    const { files, untrustedFrom, ...text } = await requireCapability<SkillLibrary>(context, 'skills').read(
      skill,
      file,
    );
    if (untrustedFrom !== undefined) context.noteRead?.({ untrusted: untrustedFrom });
    return { ...text, ...defined({ files: files && [...files] }) };
  },
});
