import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import type { Files } from '../ports.ts';
import { createdFiles, removeCreated } from './created-files.ts';
import {
  changeEach,
  MAX_COPIED,
  pairsOf,
  pathList,
  refuse,
  requireFile,
  requireFree,
  setEffect,
} from './file-set.ts';

export const copyFiles: Tool = defineTool({
  name: 'files.copy',
  description: 'Copies files of the workspace byte for byte; never replaces another file; can be undone.',
  input: z.strictObject({
    from: pathList(MAX_COPIED, 'the files to copy, relative to the workspace'),
    to: pathList(MAX_COPIED, 'the path of each copy, in the same order; missing folders are created'),
  }),
  output: z.strictObject({ files: z.int(), bytes: z.int() }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  countsAs: ['files.read', 'files.write'],
  simulatable: true,
  effect: ({ from, to }) => setEffect('copy', from, to.length === 1 ? to[0] : undefined),
  writes: (input) => (input as { to: string[] }).to,
  async preimage({ from, to }, context) {
    const files = requireCapability<Files>(context, 'files');
    const pairs = pairsOf(from, to);
    const { paths, folders } = await requireFree(files, to);
    const copies: z.output<typeof createdFiles>['files'] = [];
    for (const [i, [source]] of pairs.entries()) {
      await requireFile(files, source);
      copies.push({ path: paths[i] as string, existed: false, digest: (await files.digest(source)) ?? '' });
    }
    return { files: copies, folders };
  },
  undo: ({ preimage, force }, context) => removeCreated(createdFiles.parse(preimage), force, context),
  async handler({ from, to }, context) {
    let bytes = 0;
    await changeEach(pairsOf(from, to), context, async ([source, target], files) => {
      const existing = await files.digest(target);
      if (existing === undefined) {
        bytes += (await files.copy(source, target)).bytes;
        return;
      }
      // An earlier attempt of this call made the copy.
      if (existing !== (await files.digest(source))) throw refuse('files.exists', target, 'already exists');
      bytes += (await files.stat(target))?.bytes ?? 0;
    });
    return { files: from.length, bytes };
  },
});
