import { basename, relative, resolve } from 'node:path';
import { digestOfPlainFile, GitTracking, statusChangedAt } from '../../adapters/files/index.ts';
import { SqlContentRecords, type TaintedContent } from '../../adapters/sql/index.ts';
import type { ContentOrigins } from '../../engine/index.ts';
import { digestOf } from '../../kernel/index.ts';
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
  const changedWhileTooMany = async (file: string): Promise<TaintedContent | undefined> => {
    if (!(await records().hasIntervals())) return undefined;
    const at = await statusChangedAt(file);
    return at === undefined ? undefined : records().changedAt(at);
  };
  return {
    untrustedFrom: async (digest) => describe(await records().withDigest(digest)),
    untrustedFile: async (named, given) => {
      const file = resolve(workspace, named);
      const path = relative(workspace, file);
      const digest = given ?? (await digestOfPlainFile(file));
      if (digest === undefined) return undefined;
      const known =
        (await records().withDigest(digest)) ??
        (await records().atPath(digestOf(path), digest)) ??
        (await changedWhileTooMany(file));
      if (known !== undefined) return describe({ ...known, path });
      if (trustWorkspaceText || (await records().isWritten(path, digest))) return undefined;
      return (await tracking.tracks(path)) ? `the file ${path}, which came with the repository` : undefined;
    },
    untrustedNames: async (paths) => {
      const found = new Map<string, string>();
      if (await records().hasNames()) {
        const names = new Map([...namesIn(paths)].map((name) => [digestOf(name) as string, name]));
        const writers = await records().withNames([...names.keys()]);
        for (const [digest, { run, step }] of writers)
          found.set(names.get(digest) as string, describeName({ run, step }));
      }
      if (await records().hasIntervals())
        for (const path of paths) {
          const writer = await changedWhileTooMany(resolve(workspace, path));
          if (writer !== undefined) found.set(basename(path), describeName(writer));
        }
      if (!trustWorkspaceText)
        for (const path of paths)
          if (await tracking.tracks(path))
            for (const name of path.split('/'))
              found.set(name, 'the name of a file, which came with the repository');
      return found;
    },
    anywhere: async () => {
      if (!trustWorkspaceText) return 'a program, which can read the files that came with the repository';
      if (!(await records().hasAny())) return undefined;
      return 'a program, which can read what untrusted runs wrote';
    },
    labelled: async ({ contents, paths, names }) => ({
      contents: await records().labelled('contents', contents),
      paths: await records().labelled('paths', paths),
      names: await records().labelled('names', names),
    }),
  };
}

/** The names in paths, each once. */
function namesIn(paths: Iterable<string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of paths) for (const name of path.split('/')) names.add(name);
  return names;
}

function describeName({ run, step }: TaintedContent): string {
  return `the name of a file, made by run ${run} (step ${step}) after it had read untrusted content`;
}

function describe(found: TaintedContent | undefined): string | undefined {
  if (found === undefined) return undefined;
  const what = found.path === undefined ? 'content' : `the file ${found.path}`;
  return `${what}, written by run ${found.run} (step ${found.step}) after it had read untrusted content`;
}
