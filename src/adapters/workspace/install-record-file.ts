// Owns: the record of the files that Oka installed into a workspace, in the user's folder, out of reach of the workspace.
import { join } from 'node:path';
import type { InstallRecord, RecordedFile } from '../../tools/index.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { idOfWorkspace, type WorkspaceIdentity } from './workspace-identity.ts';

interface InstallsFile {
  readonly files: Readonly<Record<string, RecordedFile>>;
}

/** Bound to the id of the workspace, not to its place: the content is checked by digest wherever it is. */
export function openInstallRecord(home: string, workspace: WorkspaceIdentity): InstallRecord {
  const file = join(home, 'tools', `${idOfWorkspace(workspace)}.json`);
  return {
    read: () => (readJsonFile(file) as InstallsFile | undefined)?.files ?? {},
    write: (files) => writeJsonFile(file, { files } satisfies InstallsFile),
  };
}
