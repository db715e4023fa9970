import * as z from 'zod';
import {
  type ArtifactStore,
  type Evidence,
  isLargeOutput,
  requireCapability,
  type Tool,
  type ToolContext,
} from '../engine/index.ts';
import { asObject, type Digest, findTaggedMark, type Json } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import { anyJson, defineTool } from './define-tool.ts';
import { restoreSecrets } from './hidden-secrets.ts';
import { noteFileRead } from './note-content.ts';
import type { Files } from './ports.ts';
import { writing } from './write-file.ts';

interface ResultInput {
  readonly path: string;
  readonly procedure: string;
  readonly parameters: Readonly<Record<string, Json>>;
}

/**
 * A planner sees marks instead of secrets, so it does not compute what is written: this tool does, with the bytes of the
 * files that the run has read.
 */
export const writeResult: Tool = defineTool({
  name: 'procedures.write',
  description:
    "Writes the result of one of Oka's procedures, computed from the files that its run has read; can be undone.",
  input: z.strictObject({
    path: z.string().min(1).describe('the file to write, relative to the workspace'),
    procedure: z.string().min(1).describe('the name of the procedure'),
    parameters: z.record(z.string(), anyJson).describe('what the procedure read in the goal'),
  }),
  countsAs: ['files.write'],
  ...writing<ResultInput>(async ({ path, procedure, parameters }, context) => {
    const evidence = await Promise.all((context.evidence ?? []).map((fact) => withBytes(fact, context)));
    // Loaded here, because most processes write no result.
    const { procedureResult } = await import('../agent/index.ts');
    return restoreSecrets(path, procedureResult(procedure, { path, parameters, evidence }), context);
  }),
});

/** A fact with its whole output; for a file that was read, with the secrets in it, unless the file has changed since. */
async function withBytes(fact: Evidence, context: ToolContext): Promise<Evidence> {
  const output = await wholeOutput(fact, context);
  if (fact.tool !== 'files.read' || output === undefined || findTaggedMark(output) === undefined)
    return output === undefined ? fact : { ...fact, output };
  const { path, max_bytes: maxBytes } = asObject(fact.input) as { path: string; max_bytes: number };
  const files = requireCapability<Files>(context, 'files');
  if ((await files.stat(path))?.kind !== 'file') return { ...fact, output };
  const { content, truncated, digest } = await files.read(path, { maxBytes });
  const text = decodeText(content, truncated);
  if (text === undefined || digest !== asObject(output)['digest']) return { ...fact, output };
  await noteFileRead(context, path, digest);
  return { ...fact, output: { ...asObject(output), content: text } };
}

async function wholeOutput({ source, output }: Evidence, context: ToolContext): Promise<Json | undefined> {
  if (source !== 'tool' || output === undefined || !isLargeOutput(output)) return output;
  const { artifact } = output as { artifact: Digest };
  const bytes = await requireCapability<ArtifactStore>(context, 'artifacts').get(artifact);
  return bytes === undefined ? output : (JSON.parse(new TextDecoder().decode(bytes)) as Json);
}
