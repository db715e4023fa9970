import type { Clock, Ids } from '../kernel/index.ts';
import type { EventStore } from '../ledger/index.ts';
import type { ChatAgents, ChatErasure, ChatRecords } from './ports.ts';
import type { ChainLimits } from './types.ts';

export interface ChatParts {
  readonly events: EventStore;
  readonly records: ChatRecords;
  readonly agents: ChatAgents;
  readonly erasure: ChatErasure;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: ChainLimits;
  /** How long messages are visible unless the conversation overrides it. Default: one week. */
  readonly ttlMs?: number;
}
