import type { EpochMs } from '../kernel/index.ts';
import { eventDrafts } from '../ledger/index.ts';
import type { Episode, RestsOn } from './types.ts';

/** The data of each event in a namespace's stream. `undefined` members are not written. */
export interface MemoryEventData {
  'fact.added': {
    id: string;
    at: EpochMs;
    importance: number;
    confidence: number;
    expiresAt?: EpochMs | undefined;
    /** Nobody confirmed it yet. */
    candidate?: true | undefined;
  };
  /** An equal fact was added again with another weight, or a candidate was confirmed. */
  'fact.affirmed': Omit<MemoryEventData['fact.added'], 'at' | 'candidate'> & { confirmed?: true | undefined };
  /** A run that had read untrusted content stated a fact. */
  'fact.quarantined': Omit<MemoryEventData['fact.added'], 'candidate'> & { run: string };
  /** A person confirmed or rejected a quarantined fact, or rejected a candidate. `fact` is the one that it became. */
  'fact.reviewed': { id: string; decision: 'confirmed' | 'rejected'; fact?: string | undefined };
  'fact.superseded': { id: string; by: string };
  /** A superseded fact is valid again; `instead` is the fact that was undone. */
  'fact.restored': { id: string; instead: string };
  'fact.deleted': { id: string };
  'fact.pruned': { ids: readonly string[] };
  'episode.recorded': { id: string; at: EpochMs; turn?: number | undefined };
}

/** The content that a user may erase. */
export interface MemoryEventBodies {
  'fact.added': {
    text: string;
    key?: string | undefined;
    source?: string | undefined;
    restsOn?: RestsOn | undefined;
  };
  'fact.quarantined': {
    text: string;
    /** What the run had read. */
    origin?: string | undefined;
  };
  'episode.recorded': {
    text: string;
    conversation?: string | undefined;
    source?: string | undefined;
  };
}

export const memoryEvent = eventDrafts<MemoryEventData, MemoryEventBodies>();

const PREFIX = 'memory/';

export function memoryStream(namespace: string): string {
  return PREFIX + namespace;
}

/** Each conversation's messages form a namespace of their own, which only the chat writes to. */
export const CHAT_PREFIX = 'chat/';

/** The namespace of a stream's events. */
export function namespaceOfStream(stream: string): string | undefined {
  if (stream.startsWith(CHAT_PREFIX)) return stream;
  return stream.startsWith(PREFIX) ? stream.slice(PREFIX.length) : undefined;
}

/** Separates the namespace from an imported id. */
const MARK = '#';

/** The stored id of an imported episode. Imported ids may repeat in other namespaces; stored ids are unique. */
export function storedEpisodeId(namespace: string, importedId: string): string {
  return `${namespace.replaceAll('%', '%25').replaceAll(MARK, '%23')}${MARK}${importedId}`;
}

/** The id that the episode was imported with, or else its stored id. */
export function importedEpisodeId({ namespace, id }: Pick<Episode, 'namespace' | 'id'>): string {
  const prefix = storedEpisodeId(namespace, '');
  return id.startsWith(prefix) ? id.slice(prefix.length) : id;
}
