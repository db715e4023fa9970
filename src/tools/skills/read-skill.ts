import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import type { SkillLibrary } from './ports.ts';

/** The tool that gives a skill's instructions, or one of its files. */
export const readSkill: Tool = defineTool({
  name: 'skills.read',
  description:
    'Gives the instructions of a skill and the names of its files, or the text of one of its files.',
  input: z.strictObject({
    skill: z.string().min(1).max(200).describe('the name of the skill'),
    file: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe("a file below the skill's folder, as in references/forms.md"),
  }),
  output: z.strictObject({
    skill: z.string(),
    file: z.string(),
    text: z.string(),
    bytes: z.int(),
    files: z.array(z.string()).optional(),
  }),
  annotations: READ_ONLY,
  sideEffect: 'read',
  async handler({ skill, file }, context) {
    const { files, ...text } = await requireCapability<SkillLibrary>(context, 'skills').read(skill, file);
    return { ...text, ...(files === undefined ? {} : { files: [...files] }) };
  },
});
