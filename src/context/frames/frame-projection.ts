import { canonicalJson, type JsonObject } from '../../kernel/index.ts';
import {
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type Row,
  type RowChange,
  type TableSpec,
} from '../../ledger/index.ts';
import { parentOf } from '../paths.ts';
import { CONTEXT_STREAM } from '../tree/record-scan.ts';
import type { FrameBody, FrameEventData } from './frame-events.ts';
import type { HeadMove } from './ports.ts';
import type { Basis, FrameRecord, FrameSummary, Head, Producer, Recipe } from './types.ts';

const FRAMES: TableSpec = {
  name: 'context_frames',
  columns: {
    id: 'text',
    path: 'text',
    parent: 'text',
    node: 'text',
    type: 'text',
    agent: 'text',
    basis_hash: 'text',
    recipe: 'text',
    bytes: 'integer',
    idx: 'integer',
    at: 'integer',
    erased: 'integer',
    basis: 'json',
    metadata: 'json',
    content: 'text',
    blob: 'text',
  },
  key: ['id'],
  indexes: [['path', 'type'], ['parent'], ['basis_hash'], ['idx']],
};

const HEADS: TableSpec = {
  name: 'context_heads',
  columns: {
    path: 'text',
    type: 'text',
    parent: 'text',
    frame: 'text',
    node: 'text',
    recipe: 'text',
    invalid: 'integer',
    invalid_at: 'integer',
    idx: 'integer',
    at: 'integer',
  },
  key: ['path', 'type'],
  indexes: [['parent', 'idx'], ['recipe'], ['frame']],
};

/** Every change of a head. An invalidated head keeps its frame, which only the change before it names. */
const MOVES: TableSpec = {
  name: 'context_moves',
  columns: {
    idx: 'integer',
    path: 'text',
    type: 'text',
    change: 'text',
    frame: 'text',
    node: 'text',
    recipe: 'text',
  },
  key: ['idx', 'path', 'type'],
  indexes: [['path', 'type', 'idx']],
};

/** The models that gave a frame's content. */
const PRODUCERS: TableSpec = {
  name: 'context_producers',
  columns: {
    frame: 'text',
    provider: 'text',
    model: 'text',
    run: 'text',
    question: 'text',
    fallback_for: 'json',
    idx: 'integer',
  },
  key: ['frame', 'provider', 'model'],
  indexes: [['idx']],
};

/** The tables of frames and of the heads of paths. */
export const frameProjection: Projection = {
  name: 'context-frames',
  tables: [FRAMES, HEADS, MOVES, PRODUCERS],
  types: new Set([
    'context.frame_appended',
    'context.head_moved',
    'context.frame_produced',
    'context.heads_invalidated',
    'body.erased',
  ]),
  apply(event) {
    switch (event.type) {
      case 'context.frame_appended':
        return appended(event);
      case 'context.head_moved':
        return moved(event.data as unknown as FrameEventData['context.head_moved'], event.index, 'moved');
      case 'context.frame_produced': {
        const { frame, ...producer } = event.data as unknown as FrameEventData['context.frame_produced'];
        return [produced(frame, producer, event.index)];
      }
      case 'context.heads_invalidated': {
        const { path, types } = event.data as unknown as FrameEventData['context.heads_invalidated'];
        const { index: idx, at } = event;
        return types.flatMap((type) => [
          { table: 'context_heads', patch: { invalid: 1, invalid_at: at }, where: { path, type } },
          { table: 'context_moves', put: { idx, path, type, change: 'invalidated' } },
        ]);
      }
      default:
        return namedAddresses(event.data)
          .filter(({ stream }) => stream === CONTEXT_STREAM)
          .flatMap(({ index }) => [
            { table: 'context_frames', patch: NO_CONTENT, where: { idx: index } },
            { table: 'context_producers', delete: { idx: index } },
          ]);
    }
  },
};

const NO_CONTENT = { erased: 1, basis: null, metadata: null, content: null, blob: null };

function appended(event: LedgerEvent): RowChange[] {
  const data = event.data as unknown as FrameEventData['context.frame_appended'];
  const { id, path, node, type, agent, basisHash, recipe, bytes, at } = data;
  const body = event.body as FrameBody | undefined;
  const said =
    body === undefined
      ? NO_CONTENT
      : {
          erased: 0,
          basis: canonicalJson(body.basis),
          metadata: body.metadata === undefined ? null : canonicalJson(body.metadata),
          content: body.content ?? null,
          blob: body.blob ?? null,
        };
  const place = { id, path, parent: parentOf(path), node, type, agent };
  const row = { ...place, basis_hash: basisHash, recipe, bytes, idx: event.index, at, ...said };
  const head = { path, type, frame: id, node, recipe, at };
  const producer = producerIn(body?.metadata);
  return [
    { table: 'context_frames', put: row },
    ...moved(head, event.index, 'appended'),
    ...(producer === undefined ? [] : [produced(id, producer, event.index)]),
  ];
}

function produced(frame: string, producer: Producer, idx: number): RowChange {
  const { provider, model, run = null, question = null, fallbackFor } = producer;
  const failed = fallbackFor === undefined ? null : canonicalJson([...fallbackFor]);
  return {
    table: 'context_producers',
    put: { frame, provider, model, run, question, fallback_for: failed, idx },
  };
}

/** The model that the metadata of a generated frame names. */
export function producerIn(metadata: JsonObject | undefined): Producer | undefined {
  const { provider, model, run, question, fallbackFor } = metadata ?? {};
  if (typeof provider !== 'string' || typeof model !== 'string') return undefined;
  return {
    provider,
    model,
    ...(typeof run === 'string' ? { run } : {}),
    ...(typeof question === 'string' ? { question } : {}),
    ...(Array.isArray(fallbackFor) ? { fallbackFor: fallbackFor.map(String) } : {}),
  };
}

/** Converts a row of the folded table. */
function toProducer(row: Row): Producer {
  const { provider, model, run, question, fallback_for: failed } = row as Record<string, string | null>;
  return {
    provider: provider as string,
    model: model as string,
    ...(typeof run === 'string' ? { run } : {}),
    ...(typeof question === 'string' ? { question } : {}),
    ...(typeof failed === 'string' ? { fallbackFor: JSON.parse(failed) as string[] } : {}),
  };
}

function moved(
  head: FrameEventData['context.head_moved'],
  index: number,
  change: HeadMove['change'],
): RowChange[] {
  const { path, type, frame, node, recipe } = head;
  return [
    {
      table: 'context_heads',
      put: { ...head, parent: parentOf(path), invalid: 0, invalid_at: null, idx: index },
    },
    { table: 'context_moves', put: { idx: index, path, type, change, frame, node, recipe } },
  ];
}

/** Converts a row of the folded table. `last` is the change that set the frame, for an invalidated head. */
export function toHeadMove(row: Row, last: Row = row): HeadMove {
  return {
    path: row['path'] as string,
    type: row['type'] as string,
    change: row['change'] as HeadMove['change'],
    index: row['idx'] as number,
    frame: (last['frame'] ?? '') as string,
    node: (last['node'] ?? '') as string,
    recipe: (last['recipe'] ?? 'none') as Recipe,
  };
}

/** Converts a row of the folded table to a frame without its content. */
export function toFrameSummary(row: Row): FrameSummary {
  return {
    id: row['id'] as string,
    path: row['path'] as string,
    node: row['node'] as string,
    type: row['type'] as string,
    agent: row['agent'] as string,
    basisHash: row['basis_hash'] as string,
    recipe: row['recipe'] as Recipe,
    bytes: row['bytes'] as number,
    createdAt: row['at'] as number,
    erased: row['erased'] === 1,
  };
}

/** Converts rows of the folded tables to a whole frame; `producers` in the order of their events. */
export function toFrameRecord(row: Row, producers: readonly Row[] = []): FrameRecord {
  const { basis, metadata, content, blob } = row as Record<string, string | null>;
  return {
    ...toFrameSummary(row),
    ...(typeof basis === 'string' ? { basis: JSON.parse(basis) as Basis } : {}),
    ...(typeof metadata === 'string' ? { metadata: JSON.parse(metadata) as JsonObject } : {}),
    ...(typeof content === 'string' ? { content } : {}),
    ...(typeof blob === 'string' ? { blob } : {}),
    ...(producers.length === 0 ? {} : { producers: producers.map(toProducer) }),
  };
}

/** Converts a row of the folded table to a head. `frame_erased` is 0 if its frame has its content. */
export function toHead(row: Row): Head {
  return {
    path: row['path'] as string,
    type: row['type'] as string,
    frame: row['frame'] as string,
    node: row['node'] as string,
    recipe: row['recipe'] as Recipe,
    invalid: row['invalid'] === 1,
    index: row['idx'] as number,
    at: row['at'] as number,
    usable: row['frame_erased'] === 0,
    ...(typeof row['invalid_at'] === 'number' ? { invalidAt: row['invalid_at'] } : {}),
  };
}
