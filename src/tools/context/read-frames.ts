import * as z from 'zod';
import { requireCapability, type ToolContext } from '../../engine/index.ts';
import { type Json, toJson } from '../../kernel/index.ts';
import { anyJson, READ_ONLY } from '../define-tool.ts';
import type { ContextDesk } from './ports.ts';
import { agentName, nodeName } from './record-frame.ts';

/** What every tool that reads frames is. */
export const READS_FRAMES = {
  output: anyJson,
  annotations: READ_ONLY,
  sideEffect: 'read',
  untrusted: true,
  ledgerOnly: true,
} as const;

/** Which frames are wanted, and who reads them. */
export const framesWanted = {
  node: nodeName,
  max_frames: z.int().min(0).max(1_000).optional(),
  types: z.array(z.string()).optional().describe('only frames of these types'),
  agents: z.array(z.string()).optional().describe('only frames of these agents'),
  since: z.number().optional().describe('only frames from this moment on, in epoch milliseconds'),
  until: z.number().optional().describe('only frames up to this moment, in epoch milliseconds'),
  agent: agentName,
};

interface Wanted {
  readonly node: string;
  readonly agent?: string | undefined;
  readonly max_frames?: number | undefined;
}

/** Reads at the desk as whoever acts in the run, with the fields that were given. */
export async function readFrames<Input extends Wanted>(
  { node, agent, max_frames, ...rest }: Input,
  context: ToolContext,
  read: (
    desk: ContextDesk,
    reader: string,
    wanted: Given<Omit<Input, keyof Wanted>> & { readonly maxFrames?: number },
  ) => Promise<unknown>,
): Promise<Json> {
  const desk = requireCapability<ContextDesk>(context, 'context');
  const reader = await desk.actingAgent(context.runId, agent);
  return toJson(await read(desk, reader, given({ ...rest, maxFrames: max_frames }) as never));
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that were given. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<Fields>;
}
