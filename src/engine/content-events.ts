// Owns: which content, paths and names are untrusted, by digest. Does not own: who reads or writes them.
// I1 The label of a path stays whatever is written there outside Oka, except for the trusted content that was there before.
import { basename } from 'node:path/posix';
import { digestOf, type EpochMs } from '../kernel/index.ts';
import {
  type EventDraft,
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type RowChange,
  type StreamAppend,
} from '../ledger/index.ts';
import type { ContentOrigins, Labels } from './ports.ts';
import type { RunState } from './run-state.ts';
import type { ContentWritten } from './tool.ts';

const STREAM = 'content';
/** The digest of an empty file, which tells nobody anything. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

type FileWritten = Extract<ContentWritten, { readonly path: string }>;
type Interval = Exclude<ContentWritten, FileWritten>;

/** The run and the step that wrote content. */
interface Writer {
  readonly run: string;
  readonly step: number;
}

/** The data of each event. Everything in it is a digest. */
interface ContentEventData {
  /**
   * A run that had read untrusted content wrote these contents to these paths, where trusted content was before, and made these
   * names. The first three lists belong together.
   */
  'content.tainted': Writer & {
    readonly digests: readonly (string | null)[];
    readonly paths?: readonly (string | null)[];
    readonly before?: readonly (string | null)[];
    readonly names?: readonly string[];
  };
  /** The same, for every file that changed in this interval, because there were too many to list. */
  'content.interval_tainted': Writer & { readonly from: EpochMs; readonly until: EpochMs };
  /** A run that had read no untrusted content wrote the same itself. */
  'content.cleared': Writer & {
    readonly digests: readonly string[];
    readonly paths?: readonly string[];
    readonly names?: readonly string[];
  };
}

function contentEvent<Type extends keyof ContentEventData>(
  type: Type,
  data: ContentEventData[Type],
  body?: { readonly paths: readonly string[] },
): EventDraft {
  return { type, data: { ...data }, ...(body && { body: { paths: [...body.paths] } }) } as EventDraft;
}

/** What to append when a call has written content: it is untrusted if the run is, and otherwise no longer untrusted. */
export async function labelContent(
  run: Pick<RunState, 'id' | 'goal' | 'untrusted' | 'namedHosts'>,
  step: number,
  call: { readonly writes: readonly ContentWritten[]; readonly read: boolean },
  origins: Pick<ContentOrigins, 'labelled'> | undefined,
): Promise<readonly StreamAppend[]> {
  const isUntrusted = run.untrusted || call.read;
  const writer = { run: run.id, step };
  // The last write to a path decides. Without a place the path is only what the content is about.
  const files = new Map<string, FileWritten>();
  for (const one of call.writes)
    if ('path' in one) files.set(one.place === undefined ? `${one.digest} ${one.path}` : one.path, one);
  const tainted: FileWritten[] = [];
  const clean: FileWritten[] = [];
  for (const one of files.values()) (isTainted(one, isUntrusted) ? tainted : clean).push(one);
  const made = new Set(call.writes.flatMap((one) => ('path' in one ? (one.place?.made ?? []) : [])));
  // A name that the person's own words have is the person's.
  const isOwn = (name: string): boolean => run.namedHosts === undefined && run.goal.includes(name);
  const names = isUntrusted ? [...made].filter((name) => !isOwn(name)) : [];
  const intervals = isUntrusted ? call.writes.filter((one): one is Interval => 'changedFrom' in one) : [];
  const stated = clean.flatMap(({ path, place }) => (isUntrusted || place?.gone ? [] : [basename(path)]));
  const cleared = await origins?.labelled({
    contents: clean.flatMap(({ digest = EMPTY }) => (isUntrusted || digest === EMPTY ? [] : [digest])),
    paths: clean.flatMap(({ path, place }) => (place === undefined ? [] : [digestOf(path)])),
    names: isUntrusted ? [] : [...new Set([...made, ...stated])].map((name) => digestOf(name)),
  });
  const events = [
    ...(tainted.length === 0 && names.length === 0 ? [] : [taintedEvent(writer, tainted, names)]),
    ...intervals.map(({ changedFrom: from, changedUntil: until }) =>
      contentEvent('content.interval_tainted', { ...writer, from, until }),
    ),
    ...(cleared === undefined || isEmpty(cleared) ? [] : [clearedEvent(writer, cleared)]),
  ];
  return events.length === 0 ? [] : [{ stream: STREAM, events }];
}

function isTainted({ digest, place }: FileWritten, isUntrusted: boolean): boolean {
  if (place?.gone) return false;
  return place?.carried ?? (isUntrusted && digest !== undefined && digest !== EMPTY);
}

function taintedEvent(writer: Writer, files: readonly FileWritten[], names: readonly string[]): EventDraft {
  const paths = files.map(({ path }) => path);
  const data = {
    ...writer,
    digests: files.map(({ digest = EMPTY }) => (digest === EMPTY ? null : digest)),
    ...(files.some(({ place }) => place) && {
      paths: files.map(({ path, place }) => (place === undefined ? null : digestOf(path))),
    }),
    ...(files.some(({ place }) => place?.before) && {
      before: files.map(({ place }) => place?.before ?? null),
    }),
    ...(names.length > 0 && { names: names.map((name) => digestOf(name)) }),
  };
  return contentEvent('content.tainted', data, { paths });
}

function clearedEvent(writer: Writer, { contents, paths, names }: Labels): EventDraft {
  return contentEvent('content.cleared', {
    ...writer,
    digests: contents,
    ...(paths.length > 0 && { paths }),
    ...(names.length > 0 && { names }),
  });
}

function isEmpty({ contents, paths, names }: Labels): boolean {
  return contents.length + paths.length + names.length === 0;
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
    {
      name: 'tainted_paths',
      columns: { path: 'text', run: 'text', step: 'integer' },
      key: ['path'],
    },
    {
      // The trusted content that was at a labelled path before.
      name: 'trusted_versions',
      columns: { path: 'text', digest: 'text' },
      key: ['path', 'digest'],
    },
    {
      name: 'tainted_names',
      columns: { name: 'text', run: 'text', step: 'integer' },
      key: ['name'],
    },
  ],
  types: new Set(['content.tainted', 'content.interval_tainted', 'content.cleared', 'body.erased']),
  apply: changesOf,
};

function changesOf(event: LedgerEvent): readonly RowChange[] {
  switch (event.type) {
    case 'content.tainted':
      return taintedRows(event);
    case 'content.interval_tainted': {
      const { run, step, from, until } =
        event.data as unknown as ContentEventData['content.interval_tainted'];
      return [
        { table: 'tainted_intervals', put: { idx: event.index, run, step, from_at: from, until_at: until } },
      ];
    }
    case 'content.cleared': {
      const {
        digests,
        paths = [],
        names = [],
      } = event.data as unknown as ContentEventData['content.cleared'];
      return [
        ...digests.map((digest) => ({ table: 'tainted_content', delete: { digest } })),
        ...paths.map((path) => ({ table: 'tainted_paths', delete: { path } })),
        ...paths.map((path) => ({ table: 'trusted_versions', delete: { path } })),
        ...names.map((name) => ({ table: 'tainted_names', delete: { name } })),
      ];
    }
    default:
      return namedAddresses(event.data)
        .filter(({ stream }) => stream === STREAM)
        .map(({ index }) => ({ table: 'tainted_content', patch: { path: null }, where: { idx: index } }));
  }
}

function taintedRows({ data, body, index: idx, at }: LedgerEvent): readonly RowChange[] {
  const {
    run,
    step,
    digests,
    paths = [],
    before = [],
    names = [],
  } = data as unknown as ContentEventData['content.tainted'];
  const written = (body as { readonly paths?: readonly string[] } | undefined)?.paths ?? [];
  return [
    ...digests.flatMap((digest, i) =>
      digest === null
        ? []
        : [{ table: 'tainted_content', put: { digest, path: written[i] ?? null, run, step, idx, at } }],
    ),
    ...paths.flatMap((path, i) => {
      if (path === null) return [];
      const digest = before[i] ?? null;
      return [
        { table: 'tainted_paths', put: { path, run, step } },
        ...(digest === null ? [] : [{ table: 'trusted_versions', put: { path, digest } }]),
      ];
    }),
    ...names.map((name) => ({ table: 'tainted_names', put: { name, run, step } })),
  ];
}
