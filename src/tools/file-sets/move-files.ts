import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import { conflict, removeEmpty } from '../file-change.ts';
import type { Files } from '../ports.ts';
import {
  changeEach,
  MAX_CHANGED,
  pairsOf,
  pathList,
  refuse,
  requireFile,
  requireFree,
  requireUnchanged,
  setEffect,
  unchangedSince,
} from './file-set.ts';

const movesBefore = z.object({
  moves: z.array(
    z.object({
      from: z.object({ path: z.string(), existed: z.literal(true), digest: z.string() }),
      to: z.object({ path: z.string(), existed: z.literal(false) }),
    }),
  ),
  folders: z.array(z.string()),
});

export const moveFiles: Tool = defineTool({
  name: 'files.move_many',
  description: 'Moves or renames several files of the workspace; never replaces another file; can be undone.',
  input: z.strictObject({
    from: pathList(MAX_CHANGED, 'the files to move, relative to the workspace'),
    to: pathList(MAX_CHANGED, 'the new path of each file, in the same order; missing folders are created'),
    unchanged_since: unchangedSince,
  }),
  output: z.strictObject({ files: z.int() }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  countsAs: ['files.move'],
  simulatable: true,
  effect: ({ from, to }) => setEffect('move', from, to.length === 1 ? to[0] : undefined),
  writes: (input) => {
    const { from, to } = input as { from: string[]; to: string[] };
    return [...from, ...to];
  },
  async preimage({ from, to, unchanged_since }, context) {
    const files = requireCapability<Files>(context, 'files');
    const pairs = pairsOf(from, to);
    const { paths, folders } = await requireFree(files, to);
    const moves: z.output<typeof movesBefore>['moves'] = [];
    for (const [i, [source]] of pairs.entries()) {
      const path = await files.locate(source, 'write');
      requireUnchanged(await requireFile(files, path), unchanged_since);
      if (moves.some(({ from: other }) => other.path === path))
        throw refuse('files.exists', path, 'is named twice');
      moves.push({
        from: { path, existed: true, digest: (await files.digest(path)) ?? '' },
        to: { path: paths[i] as string, existed: false },
      });
    }
    return { moves, folders };
  },
  undo: ({ preimage, force }, context) => moveBack(movesBefore.parse(preimage), force, context),
  async handler({ from, to, unchanged_since }, context) {
    await changeEach(pairsOf(from, to), context, async ([source, target], files) => {
      const entry = await files.stat(source);
      const moved = await files.digest(target);
      if (entry !== undefined && moved === undefined) {
        requireUnchanged(entry, unchanged_since);
        await files.move(source, target);
        return;
      }
      if (entry === undefined && moved !== undefined) return;
      // A crash in the middle of a move leaves the file at both paths.
      if (entry !== undefined && moved === (await files.digest(source))) return files.remove(source);
      if (entry === undefined) throw refuse('files.not_found', source, 'does not exist');
      throw refuse('files.exists', target, 'already exists and is not replaced');
    });
    return { files: from.length };
  },
});

/** Moves files back, the last one first. A file that changed since is kept unless forced. */
async function moveBack(
  { moves, folders }: z.output<typeof movesBefore>,
  force: boolean,
  context: ToolContext,
): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  const back: { from: string; to: string }[] = [];
  for (const move of moves.toReversed()) {
    const { path: from, digest } = move.from;
    const { path: to } = move.to;
    const [before, after] = [await files.digest(from), await files.digest(to)];
    if (after === undefined && before === digest) continue;
    // A crash in the middle of a move leaves the file at both paths; the new one is removed.
    if (before === digest && after === digest) {
      await files.remove(to);
      continue;
    }
    if (before !== undefined || after === undefined) throw conflict(from, before === undefined);
    if (after !== digest && !force) throw conflict(to, false);
    back.push({ from, to });
  }
  for (const { from, to } of back) await files.move(to, from);
  await removeEmpty(folders, files);
  return back.length === 1 ? `moved ${back[0]?.from} back` : `moved ${back.length} files back`;
}
