import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import { missingFolders, removeEmpty } from '../file-change.ts';
import type { Files } from '../ports.ts';
import { changeEach, deepestFirst, pathList, refuse, setEffect } from './file-set.ts';

const MAX_FOLDERS = 200;
const foldersBefore = z.object({ folders: z.array(z.string()) });

export const makeFolders: Tool = defineTool({
  name: 'files.make_folders',
  description: 'Creates folders of the workspace and their missing parents; can be undone.',
  input: z.strictObject({
    paths: pathList(MAX_FOLDERS, 'the folders to create, relative to the workspace'),
  }),
  output: z.strictObject({ paths: z.array(z.string()) }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  countsAs: ['files.write'],
  simulatable: true,
  effect: ({ paths }) => setEffect('create the folders', paths),
  writes: (input) => (input as { paths: string[] }).paths,
  async preimage({ paths }, context) {
    const files = requireCapability<Files>(context, 'files');
    const folders = new Set<string>();
    for (const given of paths) {
      const path = await files.locate(given, 'write');
      const entry = await files.stat(path);
      if (entry !== undefined && entry.kind !== 'directory')
        throw refuse('files.exists', path, 'already exists and is not a folder. Choose another name');
      if (entry === undefined)
        for (const one of [path, ...(await missingFolders(path, files))]) folders.add(one);
    }
    return folders.size === 0 ? undefined : { folders: deepestFirst(folders) };
  },
  async undo({ preimage }, context) {
    const { folders } = foldersBefore.parse(preimage);
    const removed = await removeEmpty(folders, requireCapability<Files>(context, 'files'));
    const kept = folders.filter((folder) => !removed.includes(folder));
    return [
      ...(removed.length === 0 ? [] : [`removed ${removed.join(', ')}`]),
      ...(kept.length === 0 ? [] : [`${kept.join(', ')} is not empty or already removed`]),
    ].join('; ');
  },
  async handler({ paths }, context) {
    await changeEach(paths, context, (path, files) => files.makeFolder(path));
    return { paths };
  },
});
