import type { EpochMs } from '../kernel/index.ts';
import { eventDrafts } from '../ledger/index.ts';
import type { RestsOn } from './types.ts';

/** The data of each event of a namespace's stream. Members that are undefined are left out when an event is written. */
export interface MemoryEventData {
  'fact.added': {
    id: string;
    at: EpochMs;
    importance: number;
    confidence: number;
    expiresAt?: EpochMs | undefined;
  };
  /** The same was said again, with another weight. */
  'fact.affirmed': {
    id: string;
    importance: number;
    confidence: number;
    expiresAt?: EpochMs | undefined;
  };
  'fact.superseded': { id: string; by: string };
  'fact.deleted': { id: string };
  'fact.pruned': { ids: readonly string[] };
  'episode.recorded': { id: string; at: EpochMs; turn?: number | undefined };
}

/** What a person may want erased. */
export interface MemoryEventBodies {
  'fact.added': {
    text: string;
    key?: string | undefined;
    source?: string | undefined;
    restsOn?: RestsOn | undefined;
  };
  'episode.recorded': {
    text: string;
    conversation?: string | undefined;
    source?: string | undefined;
  };
}

/** A draft of a memory event, checked against the tables above. */
export const memoryEvent = eventDrafts<MemoryEventData, MemoryEventBodies>();

const PREFIX = 'memory/';

/** The stream of a namespace's events. */
export function memoryStream(namespace: string): string {
  return PREFIX + namespace;
}

/** What was said in conversations is found in a namespace for each, which nobody else can write to. */
export const SAID_PREFIX = 'chat/';

/** The namespace of what stands in a stream. */
export function namespaceOfStream(stream: string): string | undefined {
  if (stream.startsWith(SAID_PREFIX)) return stream;
  return stream.startsWith(PREFIX) ? stream.slice(PREFIX.length) : undefined;
}
