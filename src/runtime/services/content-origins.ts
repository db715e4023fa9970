import { relative, resolve } from 'node:path';
import { digestOfPlainFile, GitTracking, statusChangedAt } from '../../adapters/files/index.ts';
import { SqlContentRecords, type TaintedContent } from '../../adapters/sql/index.ts';
import type { ContentOrigins } from '../../engine/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

/** What the ledger knows about the origin of content. */
export function contentOrigins(from: {
  readonly workspace: string;
  readonly ledger: () => Pick<OpenLedger, 'tables'>;
  /** Whether files that came with a repository are trusted. */
  readonly trustWorkspaceText: boolean;
}): ContentOrigins {
  const { workspace, trustWorkspaceText } = from;
  const records = (): SqlContentRecords => new SqlContentRecords(from.ledger().tables);
  const tracking = new GitTracking(workspace);
  return {
    untrustedFrom: async (digest) => describe(await records().withDigest(digest)),
    untrustedFile: async (named, given) => {
      const file = resolve(workspace, named);
      const path = relative(workspace, file);
      const digest = given ?? (await digestOfPlainFile(file));
      if (digest === undefined) return undefined;
      const known = await records().withDigest(digest);
      if (known !== undefined) return describe({ ...known, path });
      if (await records().hasIntervals()) {
        const at = await statusChangedAt(file);
        const writer = at === undefined ? undefined : await records().changedAt(at);
        if (writer !== undefined) return describe({ ...writer, path });
      }
      if (trustWorkspaceText || (await records().isWritten(path, digest))) return undefined;
      return (await tracking.tracks(path)) ? `the file ${path}, which came with the repository` : undefined;
    },
  };
}

function describe(found: TaintedContent | undefined): string | undefined {
  if (found === undefined) return undefined;
  const what = found.path === undefined ? 'content' : `the file ${found.path}`;
  return `${what}, written by run ${found.run} (step ${found.step}) after it had read untrusted content`;
}
