import * as z from 'zod';
import { CONTEXT_STREAM, type DraftedFrame } from '../../context/index.ts';
import type { ToolContext } from '../../engine/index.ts';
import type { Digest } from '../../kernel/index.ts';

/** What a tool that writes a frame answers with. */
export const writtenFrame = z.object({
  frame: z.string(),
  node: z.string(),
  path: z.string(),
  type: z.string(),
  outcome: z.enum(['appended', 'moved', 'known']),
});

/** Puts a frame on record in the commit of the call's outcome. */
export function recordFrame(context: ToolContext, drafted: DraftedFrame): z.output<typeof writtenFrame> {
  const { events, frame, node, path, type, outcome } = drafted;
  for (const event of events) context.record({ stream: CONTEXT_STREAM, event });
  return { frame, node, path, type, outcome };
}

/** Keeps large content with the run that wrote it. */
export function blobsOf(context: ToolContext): { put(content: string): Promise<Digest> } {
  const about = { name: 'frame.md', mediaType: 'text/markdown' };
  return { put: async (content) => (await context.emitArtifact(content, about)).digest };
}

/** The annotations of a tool whose only effect is a frame on record. */
export const APPENDS = {
  readOnly: false,
  destructive: false,
  idempotent: true,
  cacheable: false,
  risk: 'none',
} as const;

/** Paths may be longer than the system takes at once. */
const LONGEST_NAME = 262_144;

/** A node by its path or a beginning of its id. */
export const nodeName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .describe('a path relative to the workspace, or a node id');

/** Who says it, where a person acts for an agent. */
export const agentName = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('who acts; the agent of the run if left out');
