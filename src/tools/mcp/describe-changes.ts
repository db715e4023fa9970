import { canonicalJson, type Json, type JsonObject } from '../../kernel/index.ts';
import type { ServerTool } from './types.ts';

const CONTEXT_LINES = 2;
const MOST_EDITS = 500;

/** A server at one time: how it is reached and what it offers. */
export interface ServerFace {
  readonly launch: JsonObject;
  readonly tools: readonly ServerTool[];
}

interface Part {
  readonly title: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** What is different between an approved server and the same server now, as lines for a person; none when nothing is. */
export async function describeChanges(approved: ServerFace, now: ServerFace): Promise<readonly string[]> {
  // Servers hardly ever change, so most processes never need it.
  const { structuredPatch } = await import('diff');
  return partsOf(approved, now).flatMap(({ title, before, after }) => {
    const [old, fresh] = [written(before), written(after)];
    if (old === fresh) return [];
    const options = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS };
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
    { title: 'how it is started or reached', before: approved.launch, after: now.launch },
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
    return [{ title: `tool ${shown} is gone`, before: old as unknown as Json, after: '' }];
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

/** Text as it is; anything else with its keys in order, so that only real differences show. */
function written(value: Json | undefined): string {
  if (value === undefined) return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(JSON.parse(canonicalJson(value)), null, 2);
}
