// Owns: which content is untrusted, by digest. Does not own: who reads or writes it.
import type { EpochMs } from '../kernel/index.ts';
import {
  type EventDraft,
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type RowChange,
  type StreamAppend,
} from '../ledger/index.ts';
import type { ContentWritten } from './tool.ts';

const STREAM = 'content';

/** The run and the step that wrote content. */
interface Writer {
  readonly run: string;
  readonly step: number;
}

/** The data of each event. */
interface ContentEventData {
  /** A run that had read untrusted content wrote content with these digests. */
  'content.tainted': Writer & { readonly digests: readonly string[] };
  /** The same, for every file that changed in this interval, because there were too many to list. */
  'content.interval_tainted': Writer & { readonly from: EpochMs; readonly until: EpochMs };
  /** A run that had read no untrusted content wrote the same content itself. */
  'content.cleared': Writer & { readonly digests: readonly string[] };
}

function contentEvent<Type extends keyof ContentEventData>(
  type: Type,
  data: ContentEventData[Type],
  body?: { readonly paths: readonly string[] },
): EventDraft {
  return { type, data: { ...data }, ...(body && { body: { paths: [...body.paths] } }) };
}

/** What to append when an untrusted run has written content. */
export function taintContent(writer: Writer, written: readonly ContentWritten[]): StreamAppend[] {
  const files = written.filter((one) => 'digest' in one);
  const intervals = written.filter((one) => 'changedFrom' in one);
  const { run, step } = writer;
  const events = [
    ...(files.length === 0
      ? []
      : [
          contentEvent(
            'content.tainted',
            { run, step, digests: files.map(({ digest }) => digest) },
            { paths: files.map(({ path }) => path) },
          ),
        ]),
    ...intervals.map(({ changedFrom: from, changedUntil: until }) =>
      contentEvent('content.interval_tainted', { run, step, from, until }),
    ),
  ];
  return events.length === 0 ? [] : [{ stream: STREAM, events }];
}

/** What to append when a trusted run has written content that was untrusted so far. */
export function clearContent({ run, step }: Writer, digests: readonly string[]): StreamAppend[] {
  if (digests.length === 0) return [];
  return [{ stream: STREAM, events: [contentEvent('content.cleared', { run, step, digests })] }];
}

/** The tables of untrusted content. */
export const contentProjection: Projection = {
  name: 'content',
  tables: [
    {
      name: 'tainted_content',
      columns: { digest: 'text', path: 'text', run: 'text', step: 'integer', idx: 'integer', at: 'integer' },
      key: ['digest'],
      indexes: [['idx']],
    },
    {
      name: 'tainted_intervals',
      columns: { idx: 'integer', run: 'text', step: 'integer', from_at: 'integer', until_at: 'integer' },
      key: ['idx'],
    },
  ],
  types: new Set(['content.tainted', 'content.interval_tainted', 'content.cleared', 'body.erased']),
  apply: changesOf,
};

function changesOf(event: LedgerEvent): readonly RowChange[] {
  const { index: idx, at } = event;
  switch (event.type) {
    case 'content.tainted': {
      const { run, step, digests } = event.data as unknown as ContentEventData['content.tainted'];
      const { paths = [] } = (event.body ?? {}) as { readonly paths?: readonly string[] };
      return digests.map((digest, i) => ({
        table: 'tainted_content',
        put: { digest, path: paths[i] ?? null, run, step, idx, at },
      }));
    }
    case 'content.interval_tainted': {
      const { run, step, from, until } =
        event.data as unknown as ContentEventData['content.interval_tainted'];
      return [{ table: 'tainted_intervals', put: { idx, run, step, from_at: from, until_at: until } }];
    }
    case 'content.cleared': {
      const { digests } = event.data as unknown as ContentEventData['content.cleared'];
      return digests.map((digest) => ({ table: 'tainted_content', delete: { digest } }));
    }
    default:
      return namedAddresses(event.data)
        .filter(({ stream }) => stream === STREAM)
        .map(({ index }) => ({ table: 'tainted_content', patch: { path: null }, where: { idx: index } }));
  }
}
