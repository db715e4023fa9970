// Owns: collecting the events of a run and its descendants, and the page that shows and verifies them.
// I1 The readable part is made from the exported events, so it shows nothing that the data does not have.
// I2 An event is exported as it is stored. A body that holds a secret is left out as if it were erased: the chain covers its digest.
import { type ExportAnswer, shortId } from '../../../api/index.ts';
import { budgetStream, descendantsOf, explainRun, loadRun, runStream } from '../../../engine/index.ts';
import { digestOf, groupBy, OkaError } from '../../../kernel/index.ts';
import {
  EXPORT_FORMAT,
  type ExportHeader,
  type ExportSignature,
  exportText,
  LedgerEvent,
  pageText,
  type StreamEnd,
} from '../../../ledger/index.ts';
import { differenceFrom, knownHeads } from '../../ledger/head-signing.ts';
import { openHeads } from '../../ledger/open-heads.ts';
import type { OpenLedger } from '../../ledger/open-ledger.ts';
import type { OpenWorkspace } from '../../services/open-workspace.ts';
import { exportPage } from './export-page.ts';
import { EXPORT_STYLE } from './export-style.ts';
import { fileAround } from './file-around.ts';
import type { ExportedRun } from './timeline.ts';

declare const __OKA_VERSION__: string;

export async function exportRun(services: OpenWorkspace, id: string): Promise<ExportAnswer> {
  const ledger = services.ledger();
  await services.primeRedactor();
  const run = await loadRun(id, ledger);
  const below = await descendantsOf({ id: run.id, root: run.lineage.root }, ledger.runs);
  await ledger.store.makeDurable();
  await ledger.refresh();
  const streams = [run.id, ...below.map((one) => one.id)].map((one) => runStream(one));
  // The account of a tree belongs to its root. That of a child also tells about its siblings.
  if (run.lineage.root === run.id) streams.push(budgetStream(run.id));
  const events = await readStreams(streams, services, ledger);
  const page = exportPage({
    runs: explainRuns(events),
    events,
    exportedAt: services.clock.now(),
    version: __OKA_VERSION__,
  });
  const header: ExportHeader = {
    format: EXPORT_FORMAT,
    run: run.id,
    exportedAt: services.clock.now(),
    version: __OKA_VERSION__,
    events: events.length,
    streams: endsOf(events),
    head: ledger.archive.head(),
    page: digestOf(pageText(EXPORT_STYLE, page)),
  };
  const data = exportText(header, events, (seq) => ledger.archive.chainAt(seq) ?? '');
  const digest = digestOf(data);
  const signature = await signatureOf(services, ledger, run.id, digest);
  const proof = { digest, ...(signature === undefined ? {} : { signature }) };
  const name = shortId(run.id);
  return {
    run: run.id,
    name: `run-${name}.html`,
    html: fileAround({ title: `Run ${name} – Oka`, page, data, proof }),
    events: events.length,
    runs: 1 + below.length,
    end: events.at(-1)?.chain ?? '',
    signed: signature !== undefined,
  };
}

async function readStreams(
  streams: readonly string[],
  { redactor }: OpenWorkspace,
  { store }: OpenLedger,
): Promise<readonly LedgerEvent[]> {
  const events: LedgerEvent[] = [];
  for (const stream of streams)
    for (const event of await store.read(stream)) {
      if (redactor.known(event.data) !== event.data) throw secretInData(event);
      const isClean = event.body === undefined || redactor.known(event.body) === event.body;
      events.push(isClean ? event : new LedgerEvent({ ...event, ...WITHOUT_BODY }));
    }
  return events.sort((a, b) => a.seq - b.seq);
}

const WITHOUT_BODY = { bodyText: null, salt: null };

function secretInData({ seq, type }: LedgerEvent): OkaError {
  return new OkaError(
    'ledger.secret_in_event',
    `The run was not exported: event ${seq} (${type}) has a value that is now a secret, in a part that cannot be left out. Revoke the secret where it was issued, remove it from the vault or the environment, and export again.`,
    { data: { seq, type } },
  );
}

function explainRuns(events: readonly LedgerEvent[]): readonly ExportedRun[] {
  const byStream = groupBy(events, ({ stream }) => stream);
  return [...byStream].flatMap(([stream, own]) => {
    const explanation = stream.startsWith(runStream('')) ? explainRun(own) : undefined;
    return explanation === undefined ? [] : [{ explanation, events: own }];
  });
}

function endsOf(events: readonly LedgerEvent[]): Readonly<Record<string, StreamEnd>> {
  return Object.fromEntries(events.map(({ stream, index, chain }) => [stream, { index, chain }]));
}

/** A signature says that the ledger is the user's own, so only one that is as its signed head says gets it. */
async function signatureOf(
  services: OpenWorkspace,
  { archive }: OpenLedger,
  run: string,
  digest: string,
): Promise<ExportSignature | undefined> {
  const heads = openHeads(services);
  const known = await knownHeads({ heads, ledger: archive });
  if (known.heads.length === 0 || (await differenceFrom(known, archive)) !== undefined) return undefined;
  return heads.sealExport(run, digest);
}
