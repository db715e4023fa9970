// Owns: lists of runs, page by page, and the parts of one run that are read on their own.
import { SqlRunFigures } from '../../adapters/sql/index.ts';
import type { ArtifactContent, ErrorCode, RunListItem, RunPagesApi } from '../../api/index.ts';
import {
  budgetStream,
  descendantsOf,
  loadRun,
  missingRun,
  newestFirst,
  placeOfRun,
  type RunFilter,
  type RunId,
  runStream,
} from '../../engine/index.ts';
import { type Digest, OkaError } from '../../kernel/index.ts';
import { cutPage, parseCursor } from '../services/cursor.ts';
import { shownStatus, viewEvent, viewListItem } from '../services/views.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { waitingReasons } from './waiting-reasons.ts';

/** An artifact is shown up to this size. */
const MAX_SHOWN_BYTES = 4 * 1024 * 1024;

/** Runs and simulations, the newest first. */
export async function listRuns(
  { ledger, owners }: Pick<WorkspaceServices, 'ledger' | 'owners'>,
  {
    shown,
    ...rest
  }: Omit<RunFilter, 'status' | 'statuses'> & { readonly shown?: readonly RunStatus[] | undefined },
): Promise<readonly RunListItem[]> {
  const { runs, simulations } = ledger();
  const filter = { ...rest, ...(shown === undefined ? {} : { statuses: shown.map(storedStatus) }) };
  const real = (await runs.list(isSplit(shown) ? { ...filter, limit: Number.MAX_SAFE_INTEGER } : filter))
    .filter(({ status, owner }) => shown === undefined || shown.includes(shownStatus(status, owner, owners)))
    .map((run) => ({ run, simulated: false }));
  const simulated = (await simulations.list(filter)).map((run) => ({ run, simulated: true }));
  const newest = [...real, ...simulated]
    .sort((a, b) => newestFirst(placeOfRun(a.run), placeOfRun(b.run)))
    .slice(0, filter.limit);
  const reasons = await waitingReasons(
    newest.flatMap(({ run, simulated: isSimulated }) => (isSimulated ? [] : [run])),
    runs,
    owners,
  );
  return newest.map(({ run, simulated: isSimulated }) =>
    isSimulated
      ? { ...viewListItem(run, owners), status: run.status, simulated: true }
      : viewListItem(run, owners, reasons.get(run.id)),
  );
}

type RunStatus = RunListItem['status'];

function storedStatus(status: RunStatus): Exclude<RunStatus, 'interrupted'> {
  return status === 'interrupted' ? 'running' : status;
}

/** Whether only some of the stored rows `running` are asked for, so that the limit counts afterwards. */
function isSplit(shown: readonly RunStatus[] | undefined): boolean {
  return shown !== undefined && shown.includes('running') !== shown.includes('interrupted');
}

export function runPagesApi(services: WorkspaceServices): RunPagesApi {
  const { ledger, answer, folder, clock } = services;
  return {
    page: async ({ status, kind, graph, root, text, rootsOnly, since, limit, cursor }) => {
      const found = await listRuns(services, {
        shown: status,
        ...(kind === undefined ? {} : { kind }),
        ...(graph === undefined ? {} : { subject: graph }),
        ...(root === undefined ? {} : { root: root as RunId }),
        ...(text === undefined || text === '' ? {} : { text }),
        ...(rootsOnly === undefined ? {} : { rootsOnly }),
        ...(since === undefined ? {} : { since }),
        ...(cursor === undefined ? {} : { after: parseCursor(cursor) }),
        // One more tells whether there is a next page.
        limit: limit + 1,
      });
      const { items, ...next } = cutPage(found, limit, ({ startedAt: at, id }) => ({ at, id }));
      const costs = await new SqlRunFigures(ledger().tables).costs(items.map(({ id }) => id));
      return {
        items: items.map((item) => {
          const costUsd = costs.get(item.id);
          return costUsd === undefined ? item : { ...item, costUsd };
        }),
        ...next,
      };
    },
    events: async ({ run, limit, cursor }) => {
      const { runs, store } = ledger();
      const found = await runs.get(run);
      if (found === undefined) throw await missingRun(run, store);
      const members = [run, ...(await descendantsOf(found, runs)).map(({ id }) => id)];
      const streams = [...members.map(runStream), budgetStream(run)];
      const after = cursor === undefined ? 0 : parseCursor(cursor).at;
      const events = await store.readStreams(streams, after, limit + 1);
      return cutPage(events.map(viewEvent), limit, ({ seq }) => ({ at: seq, id: '' }));
    },
    artifact: async (run, digest) => {
      const { artifacts } = (await answer(await loadRun(run, ledger()))).run;
      const found = artifacts.find((artifact) => artifact.digest === digest);
      const { openArtifacts } = await import('../ledger/open-artifacts.ts');
      const store = openArtifacts({ folder, clock }, ledger());
      const bytes = found && (await store.get(found.digest as Digest));
      if (found === undefined || bytes === undefined) throw noArtifact(run, digest, found !== undefined);
      return { ...found, ...contentOf(bytes) };
    },
  };
}

function noArtifact(run: string, digest: string, isKnown: boolean): OkaError<ErrorCode> {
  const why = isKnown ? 'Its content is gone' : `Run ${run} has no such artifact`;
  return new OkaError<ErrorCode>(
    'engine.artifact_missing',
    `No artifact ${digest}: ${why}. See: oka runs show ${run}.`,
    { data: { run, digest } },
  );
}

function contentOf(bytes: Uint8Array): Pick<ArtifactContent, 'encoding' | 'content' | 'truncated'> {
  const isCut = bytes.length > MAX_SHOWN_BYTES;
  const shown = bytes.subarray(0, MAX_SHOWN_BYTES);
  const cut = isCut ? { truncated: true as const } : {};
  try {
    // A character may be cut in two at the end of the shown part.
    const content = new TextDecoder('utf-8', { fatal: true }).decode(shown, { stream: isCut });
    return { encoding: 'utf8', content, ...cut };
  } catch {
    return { encoding: 'base64', content: Buffer.from(shown).toString('base64'), ...cut };
  }
}
