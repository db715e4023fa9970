import type { JsonObject } from '../../kernel/index.ts';
import type { PackCandidate, PackItem } from './types.ts';

/** What a pack is wanted for. */
export interface PackRequest {
  readonly goal: string;
  readonly vars: JsonObject;
  /** The run that it is for, where there is one. */
  readonly run?: { readonly id: string; readonly parent?: string };
  /** About as many candidates of one kind as could fit. */
  readonly limit: number;
}

/** Knows things of one sort that may belong into a pack. */
export interface PackSource {
  readonly name: string;
  candidates(request: PackRequest): Promise<readonly PackCandidate[]>;
  /** The text of what it once gave, as it gave it; undefined for what is gone or is another source's. */
  read?(item: Pick<PackItem, 'kind' | 'id' | 'span'>): Promise<string | undefined>;
}

/** Reads again what a pack on record names by its id; undefined when it is gone. */
export type ReadPackText = (item: Pick<PackItem, 'kind' | 'id' | 'span'>) => Promise<string | undefined>;
