import * as z from 'zod';
import { CONTEXT_STREAM, type ContextFrames, type DraftedFrame } from '../../context/index.ts';
import { requireCapability, type ToolContext } from '../../engine/index.ts';
import { type Digest, digestOf, type Json, toJson } from '../../kernel/index.ts';
import { anyJson, type Defined, defined, READS } from '../define-tool.ts';

/** The output of tools that write a frame. */
export const writtenFrame = z.object({
  frame: z.string(),
  node: z.string(),
  path: z.string(),
  type: z.string(),
  outcome: z.enum(['appended', 'moved', 'known']),
});

/** Records a frame in the commit of the call's outcome. */
export function recordFrame(context: ToolContext, drafted: DraftedFrame): z.output<typeof writtenFrame> {
  const { events, frame, node, path, type, outcome } = drafted;
  for (const event of events) {
    context.record({ stream: CONTEXT_STREAM, event });
    const { content, blob } = (event.body ?? {}) as { readonly content?: string; readonly blob?: string };
    const digest = blob ?? (content === undefined ? undefined : digestOf(content));
    if (digest !== undefined) context.noteWrite?.({ digest, path });
  }
  return { frame, node, path, type, outcome };
}

/** Stores large content as an artifact of the run. */
export function blobsOf(context: ToolContext): { put(content: string): Promise<Digest> } {
  const about = { name: 'frame.md', mediaType: 'text/markdown' };
  return { put: async (content) => (await context.emitArtifact(content, about)).digest };
}

/** Members of tools that only append a frame. */
export const APPENDS = {
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'none' },
  sideEffect: 'write_local',
  recordsOnly: true,
} as const;

/** A path may be longer than the system's limit for one call. */
const MAX_NAME_LENGTH = 262_144;

/** A node's path, or a prefix of its id. */
export const nodeName = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .describe('a path relative to the workspace, or a node id');

/** Set when a person acts for an agent. */
export const agentName = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('the acting agent; default: the agent of the run');

/** Reads and drafts frames. Provided as the capability `context`. */
export interface FrameService
  extends Pick<
    ContextFrames,
    | 'getNode'
    | 'compose'
    | 'draftPut'
    | 'draftSynthesis'
    | 'prepareGeneration'
    | 'findAnswer'
    | 'draftGenerated'
  > {
  /**
   * The actor of a run: its agent, or the person who started it. A person may act for an agent. An agent may act only for itself;
   * anything else fails with `context.not_allowed`.
   */
  actingAgent(run: string, asked: string | undefined): Promise<string>;
  /** How an agent generates frames; nothing of it for the person. */
  voiceOf(agent: string): Promise<AgentVoice>;
}

/** The model of an agent, and how it is asked. */
export interface AgentVoice {
  /** Undefined for the default model. */
  readonly model?: string;
  readonly persona?: string;
  readonly temperature?: number;
  readonly topP?: number;
  /** Where the persona comes from, if it is untrusted. */
  readonly untrusted?: string;
}

/** Common members of tools that read frames. */
export const READS_FRAMES = {
  output: anyJson,
  ...READS,
  untrusted: true,
  ledgerOnly: true,
} as const;

/** The input of tools that read frames. */
export const frameFilter = {
  node: nodeName,
  max_frames: z.int().min(0).max(1_000).optional(),
  types: z.array(z.string()).optional().describe('only frames of these types'),
  agents: z.array(z.string()).optional().describe('only frames of these agents'),
  since: z.number().optional().describe('only frames from this time on, in epoch milliseconds'),
  until: z.number().optional().describe('only frames up to this time, in epoch milliseconds'),
  agent: agentName,
};

interface FrameInput {
  readonly node: string;
  readonly agent?: string | undefined;
  readonly max_frames?: number | undefined;
}

/** Reads frames as the actor of the run, with the given fields. */
export async function readFrames<Input extends FrameInput>(
  { node, agent, max_frames, ...rest }: Input,
  context: ToolContext,
  read: (
    frames: FrameService,
    reader: string,
    filter: Defined<Omit<Input, keyof FrameInput>> & { readonly maxFrames?: number },
  ) => Promise<unknown>,
): Promise<Json> {
  const frames = requireCapability<FrameService>(context, 'context');
  const reader = await frames.actingAgent(context.runId, agent);
  return toJson(await read(frames, reader, defined({ ...rest, maxFrames: max_frames }) as never));
}
