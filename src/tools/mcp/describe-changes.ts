import { canonicalJson, type Json, type JsonObject } from '../../kernel/index.ts';
import type { ServerTool } from './types.ts';

const CONTEXT_LINES = 2;
const MAX_EDITS = 500;

/** A server's launch and its tools at one time. */
export interface ServerFace {
  readonly launch: JsonObject;
  readonly tools: readonly ServerTool[];
}

interface Part {
  readonly title: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Describes the differences between the approved server and the current one; empty if there are none. */
export async function describeChanges(approved: ServerFace, now: ServerFace): Promise<readonly string[]> {
  // Loaded here, because servers rarely change.
  const { structuredPatch } = await import('diff');
  return partsOf(approved, now).flatMap(({ title, before, after }) => {
    const [old, fresh] = [formatted(before), formatted(after)];
    if (old === fresh) return [];
    const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS };
    const patch = structuredPatch('', '', old, fresh, '', '', options);
    if (patch === undefined) return [title, ...linesOf(old, '  - '), ...linesOf(fresh, '  + ')];
    const lines = patch.hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith('\\')));
    return [title, ...lines.map((line) => `  ${line.replace(/^[ +-]/, '$& ')}`)];
  });
}

function partsOf(approved: ServerFace, now: ServerFace): readonly Part[] {
  const old = new Map(approved.tools.map((tool) => [tool.name, tool]));
  const fresh = new Map(now.tools.map((tool) => [tool.name, tool]));
  const names = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return [
    { title: 'launch', before: approved.launch, after: now.launch },
    ...names.flatMap((name) => partsOfTool(name, old.get(name), fresh.get(name))),
  ];
}

function partsOfTool(
  name: string,
  old: ServerTool | undefined,
  fresh: ServerTool | undefined,
): readonly Part[] {
  const shown = /^[\w./-]{1,100}$/.test(name) ? name : JSON.stringify(name);
  if (old === undefined) return [{ title: `new tool ${shown}`, before: '', after: fresh as unknown as Json }];
  if (fresh === undefined)
    return [{ title: `removed tool ${shown}`, before: old as unknown as Json, after: '' }];
  const part = (title: string, key: keyof ServerTool): Part => ({
    title: `tool ${shown}: ${title}`,
    before: old[key],
    after: fresh[key],
  });
  return [
    part('description', 'description'),
    part('input', 'inputSchema'),
    part('output', 'outputSchema'),
    part('annotations', 'annotations'),
  ];
}

function linesOf(text: string, prefix: string): readonly string[] {
  return text.split('\n').map((line) => prefix + line);
}

/** Strings unchanged; other values with sorted keys, so that key order is no difference. */
function formatted(value: Json | undefined): string {
  if (value === undefined) return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(JSON.parse(canonicalJson(value)), null, 2);
}
