import { asObject, type Json } from '../kernel/index.ts';
import {
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type RowChange,
  type TableSpec,
} from '../ledger/index.ts';
import { packIn } from './pack/open-pack.ts';

const RUN_PREFIX = 'run/';
const RECALL = 'memory.recall';
/** A fact counts as used if it was at least this relevant, compared with the best one that the run got. */
const MIN_RELEVANCE = 0.5;

const USES: TableSpec = {
  name: 'fact_uses',
  columns: { fact: 'text', run: 'text', idx: 'integer', outcome: 'text', at: 'integer' },
  key: ['fact', 'run', 'idx'],
  indexes: [['run']],
};

/** How the run of a use ended, by event type. A correction or an undo withdraws the success. */
const OUTCOMES: Readonly<Record<string, string>> = {
  'run.completed': 'completed',
  'run.failed': 'failed',
  'run.cancelled': 'cancelled',
  'run.corrected': 'corrected',
  'run.undone': 'undone',
};

/** The table of facts that runs got, from their packs or from `memory.recall`. */
export const factUseProjection: Projection = {
  name: 'fact uses',
  tables: [USES],
  types: new Set([
    'evidence.recalled',
    'step.completed',
    ...Object.keys(OUTCOMES),
    'body.erased',
    'stream.archived',
  ]),
  apply(event) {
    if (event.type === 'body.erased')
      return namedAddresses(event.data).flatMap(({ stream, index }) => deleteUses(stream, { idx: index }));
    if (event.type === 'stream.archived') return deleteUses(event.data['stream'] as string, {});
    if (!event.stream.startsWith(RUN_PREFIX)) return [];
    const run = event.stream.slice(RUN_PREFIX.length);
    const outcome = OUTCOMES[event.type];
    if (outcome !== undefined) return [{ table: USES.name, patch: { outcome }, where: { run } }];
    return factsIn(event).map((fact) => ({
      table: USES.name,
      put: { fact, run, idx: event.index, outcome: 'open', at: event.at },
    }));
  },
};

function factsIn(event: LedgerEvent): readonly string[] {
  if (event.type === 'evidence.recalled') {
    const body = event.body as Json | undefined;
    const pack = Array.isArray(body) ? packIn(body as unknown as Parameters<typeof packIn>[0]) : undefined;
    return relevant(pack?.items.filter(({ kind }) => kind === 'fact') ?? []);
  }
  if (event.data['tool'] !== RECALL || event.data['outcome'] !== 'ok') return [];
  const { hits } = asObject(asObject(event.body as Json | undefined)['output']);
  const found = Array.isArray(hits) ? (hits as unknown as Scored[]) : [];
  return relevant(found.filter(({ kind }) => kind === 'fact'));
}

interface Scored {
  readonly kind: string;
  readonly id: string;
  readonly score: number;
}

function relevant(items: readonly Scored[]): readonly string[] {
  const best = Math.max(0, ...items.map(({ score }) => score));
  return [...new Set(items.filter(({ score }) => score >= MIN_RELEVANCE * best).map(({ id }) => id))];
}

function deleteUses(stream: string, place: { readonly idx?: number }): RowChange[] {
  if (!stream.startsWith(RUN_PREFIX)) return [];
  return [{ table: USES.name, delete: { run: stream.slice(RUN_PREFIX.length), ...place } }];
}
