import type { Grant, Grants } from '../../engine/index.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { workspaceName } from './workspace-name.ts';

interface GrantsFile {
  readonly workspaces: Readonly<Record<string, readonly Grant[]>>;
}

/** The standing approvals of a workspace, in a file of the user's folder. */
export function openGrants(file: string, workspace: string): Grants {
  const name = workspaceName(workspace);
  const read = (): GrantsFile => (readJsonFile(file) as GrantsFile | undefined) ?? { workspaces: {} };
  let known = read().workspaces[name] ?? [];
  return {
    find: ({ tool, argumentsHash }) =>
      known.find(
        (grant) =>
          grant.tool === tool && (grant.argumentsHash === undefined || grant.argumentsHash === argumentsHash),
      ),
    async add(grant) {
      const all = read();
      known = [...(all.workspaces[name] ?? []), grant];
      writeJsonFile(file, { workspaces: { ...all.workspaces, [name]: known } } satisfies GrantsFile);
    },
  };
}
