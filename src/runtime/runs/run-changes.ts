// Owns: the file changes of runs, as a comparison of the recorded earlier versions with the files on disk.
import type { FileChangeView } from '../../api/index.ts';
import { descendantsOf, type Engine, earlierAttempts, loadRun, runStream } from '../../engine/index.ts';
import { asObject, type Digest, type Json, type JsonObject } from '../../kernel/index.ts';
import { decodeText, type Files, unifiedDiff } from '../../tools/index.ts';

/** The files that runs, their descendants and earlier attempts changed, by path. */
export async function runChanges(
  engine: Engine,
  runs: readonly string[],
): Promise<readonly FileChangeView[]> {
  const { artifacts, capabilities } = engine.parts;
  const files = capabilities['files'] as Files;
  const changes: FileChangeView[] = [];
  for (const [path, before] of [...(await statesBefore(engine, runs))].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (before['folder'] === true) continue;
    const existed = before['existed'] === true;
    const digest = await files.digest(path);
    if (existed ? digest === before['digest'] : digest === undefined) continue;
    const change = existed ? (digest === undefined ? 'removed' : 'changed') : 'created';
    const texts = [
      existed ? textOf(await artifacts.get(before['artifact'] as Digest)) : '',
      digest === undefined ? '' : textOf((await files.read(path)).content),
    ] as const;
    changes.push({
      path,
      change,
      ...(await compare(path, texts, { existed, exists: digest !== undefined })),
    });
  }
  return changes;
}

/** The states of paths in a preimage; that of a move has two. */
export function statesIn(preimage: Json | undefined): readonly JsonObject[] {
  const found = asObject(preimage);
  if (typeof found['path'] === 'string') return [found];
  return Object.values(found)
    .map(asObject)
    .filter(({ path }) => typeof path === 'string');
}

/** The state of each path before the first change. */
async function statesBefore({ parts }: Engine, runs: readonly string[]): Promise<Map<string, JsonObject>> {
  const members = new Set<string>();
  for (const id of runs) {
    const run = await loadRun(id, parts);
    for (const one of [run, ...(await earlierAttempts(run, parts))]) {
      members.add(one.id);
      if (one.used.children === undefined) continue;
      const below = await descendantsOf({ id: one.id, root: one.lineage.root }, parts.runs);
      for (const child of below) members.add(child.id);
    }
  }
  const intents = [];
  for (const id of members)
    for (const event of await parts.events.read(runStream(id as Parameters<typeof runStream>[0])))
      if (event.type === 'tool.intended') intents.push(event);
  const states = new Map<string, JsonObject>();
  for (const { body } of intents.sort((a, b) => a.seq - b.seq))
    for (const state of statesIn(asObject(body)['preimage'])) {
      const path = String(state['path']);
      if (!states.has(path)) states.set(path, state);
    }
  return states;
}

async function compare(
  path: string,
  [before, after]: readonly [string | undefined, string | undefined],
  { existed, exists }: { readonly existed: boolean; readonly exists: boolean },
): Promise<Pick<FileChangeView, 'added' | 'removed' | 'diff'>> {
  if (before === undefined || after === undefined) return {};
  const diff = await unifiedDiff(path, existed ? before : undefined, exists ? after : undefined);
  // Instead of a diff, files that differ too much have one sentence.
  if (!diff.startsWith('--- ')) return { diff };
  const lines = diff.split('\n').slice(2);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count('+'), removed: count('-'), diff };
}

function textOf(content: Uint8Array | undefined): string | undefined {
  return content && decodeText(content, false);
}
