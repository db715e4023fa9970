import { GrantFiles, type ListedGrant } from '../../adapters/workspace/index.ts';
import type { GrantsApi, GrantView, RevokeGrantsRequest } from '../../api/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

/** The remembered approvals of one workspace. Needs no trust, because revoking only takes away. */
export function grantsApi(
  services: Pick<WorkspaceServices, 'requireWorkspace' | 'home' | 'clock'>,
): GrantsApi {
  const { requireWorkspace, home, clock } = services;
  const open = (): { readonly files: GrantFiles; readonly view: (grant: ListedGrant) => GrantView } => {
    const folder = requireWorkspace();
    const { workspace } = folder;
    return {
      files: new GrantFiles(home, folder.identity(), clock),
      view: (grant) => viewGrant(grant, workspace),
    };
  };
  return {
    async list() {
      const { files, view } = open();
      return files.list().map(view);
    },
    async revoke({ id }: RevokeGrantsRequest) {
      const { files, view } = open();
      const revoked = files.list().filter((grant) => id === undefined || grant.id === id);
      if (id !== undefined && revoked.length === 0)
        throw new OkaError('engine.unknown_grant', `No grant "${id}". See: oka grants list.`, {
          data: { grant: id },
        });
      files.revoke(new Set(revoked.map((grant) => grant.id)));
      return revoked.map(view);
    },
  };
}

function viewGrant(grant: ListedGrant, workspace: string): GrantView {
  const { id, tool, by, at, expiresAt, binding } = grant;
  const program = binding?.files.find(({ role }) => role === 'program')?.path;
  return {
    ...{ id, tool, workspace, by, at },
    covers: grant.covers ?? (grant.argumentsHash === undefined ? 'any arguments' : 'one set of arguments'),
    ...(program === undefined ? {} : { program }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    active: grant.void === undefined,
    ...(grant.void === undefined ? {} : { why: grant.void }),
  };
}
