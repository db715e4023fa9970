// Owns: the programs that policy rows have covered, per workspace, in the user's folder.
import { join } from 'node:path';
import type { BoundFile, KnownPrograms } from '../../engine/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';
import { keyOfWorkspace, type WorkspaceIdentity } from './workspace-identity.ts';

interface ProgramsFile {
  readonly programs: Readonly<Record<string, Pick<BoundFile, 'path' | 'digest'> & { readonly at: number }>>;
}

export function openKnownPrograms(home: string, workspace: WorkspaceIdentity, clock: Clock): KnownPrograms {
  const file = join(home, 'programs', `${keyOfWorkspace(workspace)}.json`);
  const read = (): ProgramsFile['programs'] =>
    (readJsonFile(file) as ProgramsFile | undefined)?.programs ?? {};
  return {
    get(name) {
      const known = read();
      return Object.hasOwn(known, name) ? known[name] : undefined;
    },
    put({ name, path, digest }) {
      const found = { ...(path === undefined ? {} : { path }), ...(digest === undefined ? {} : { digest }) };
      changeJsonFile<ProgramsFile>(file, (content) => ({
        programs: { ...content?.programs, [name]: { ...found, at: clock.now() } },
      }));
    },
  };
}
