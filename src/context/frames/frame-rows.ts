import type { JsonObject } from '../../kernel/index.ts';
import type { Row } from '../../ledger/index.ts';
import type { Basis, FrameRecord, FrameSummary, Head, Recipe } from './types.ts';

/** A frame without its content, from its row of the folded table. */
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

/** A whole frame from its row of the folded table. */
export function toFrameRecord(row: Row): FrameRecord {
  const { basis, metadata, content, blob } = row as Record<string, string | null>;
  return {
    ...toFrameSummary(row),
    ...(typeof basis === 'string' ? { basis: JSON.parse(basis) as Basis } : {}),
    ...(typeof metadata === 'string' ? { metadata: JSON.parse(metadata) as JsonObject } : {}),
    ...(typeof content === 'string' ? { content } : {}),
    ...(typeof blob === 'string' ? { blob } : {}),
  };
}

/** A head from its row of the folded table; `frame_erased` is 0 where its frame is there with its content. */
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
  };
}
