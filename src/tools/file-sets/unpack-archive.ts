import { basename } from 'node:path/posix';
import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../../engine/index.ts';
import { digestOf } from '../../kernel/index.ts';
import { defineTool } from '../define-tool.ts';
import { missingFolders } from '../file-change.ts';
import { noteFileRead } from '../note-content.ts';
import type { Files } from '../ports.ts';
import type { ReadArchive } from './archive-format.ts';
import { createdFiles, removeCreated } from './created-files.ts';
import { changeEach, deepestFirst, refuse, requireFree } from './file-set.ts';

export const unpackArchive: Tool = defineTool({
  name: 'files.unpack',
  description:
    'Unpacks a zip or tar archive of the workspace into a folder; never replaces a file; can be undone.',
  input: z.strictObject({
    path: z.string().min(1).describe('the archive, relative to the workspace'),
    to: z.string().min(1).describe('the folder for its files; created if it does not exist'),
  }),
  output: z.strictObject({
    path: z.string(),
    to: z.string(),
    files: z.int(),
    bytes: z.int(),
    names: z.array(z.string()).describe('the paths of the first files'),
    skipped: z.array(z.string()).describe('links and other entries that were not unpacked'),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  countsAs: ['files.read', 'files.write'],
  simulatable: true,
  effect: ({ path, to }) => ({ kind: 'file', what: `unpack ${path} into ${to}`, path: to }),
  // Which files an archive holds is known only when it is read, so it counts as one that writes instructions.
  writes: () => ['AGENTS.md'],
  async preimage({ path, to }, context) {
    const files = requireCapability<Files>(context, 'files');
    const archive = await openArchive(path, context);
    const { paths, folders } = await requireFree(
      files,
      archive.files.map(({ name }) => inFolder(to, name)),
    );
    const missing = new Set(folders);
    for (const name of archive.folders)
      for (const folder of await missingFolders(`${inFolder(to, name)}/x`, files)) missing.add(folder);
    return {
      files: archive.files.map(({ content }, i) => ({
        path: paths[i] as string,
        existed: false,
        digest: digestOf(content),
      })),
      folders: deepestFirst(missing),
    };
  },
  undo: ({ preimage, force }, context) => removeCreated(createdFiles.parse(preimage), force, context),
  async handler({ path, to }, context) {
    const archive = await openArchive(path, context);
    await changeEach(archive.files, context, async ({ name, content, mode }, files) => {
      const target = inFolder(to, name);
      const digest = digestOf(content);
      const existing = await files.digest(target);
      if (existing === digest) {
        // An earlier attempt of this call wrote the file.
        const path = await files.locate(target, 'write');
        context.noteWrite?.({ digest, path, place: { made: [basename(path)] } });
        return;
      }
      if (existing !== undefined) throw refuse('files.exists', target, 'already exists and is not replaced');
      await files.writeAtomic(target, content, mode === undefined ? {} : { mode });
    });
    await changeEach(archive.folders, context, (name, files) => files.makeFolder(inFolder(to, name)));
    return {
      path,
      to,
      files: archive.files.length,
      bytes: archive.files.reduce((sum, { content }) => sum + content.length, 0),
      names: archive.files.slice(0, 100).map(({ name }) => inFolder(to, name)),
      skipped: archive.skipped.slice(0, 100),
    };
  },
});

async function openArchive(path: string, context: ToolContext): Promise<ReadArchive> {
  const { formatOf, readArchive } = await import('./archive-format.ts');
  const format = formatOf(path);
  if (format === undefined)
    throw refuse(
      'files.invalid_path',
      path,
      'is no archive that can be unpacked: .zip, .tar, .tar.gz or .tgz',
    );
  const file = await requireCapability<Files>(context, 'files').read(path);
  await noteFileRead(context, file.path, file.digest);
  return readArchive(format, file.content);
}

function inFolder(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}
