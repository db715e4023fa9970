import type { Clock, Json } from '../../kernel/index.ts';
import type { EventStore } from '../../ledger/index.ts';
import type { WorkspaceTree } from '../types.ts';
import type { ContextAgents } from './agent-identity.ts';
import type { CustomOrdering } from './order-frames.ts';
import type { ContentBlobs, FrameRecords } from './ports.ts';
import type { SynthesisPolicies } from './synthesis-policies.ts';

/** What the frames of a workspace are worked on with. */
export interface ContextParts {
  readonly events: EventStore;
  readonly records: FrameRecords;
  readonly tree: WorkspaceTree;
  readonly blobs: ContentBlobs;
  readonly agents: ContextAgents;
  readonly policies: SynthesisPolicies;
  /** Orderings of compositions beside the ones that are there, by name. */
  readonly orderings?: Readonly<Record<string, CustomOrdering>>;
  /** Takes known secrets out; before hashing, so that what is stored is what the id was made of. */
  readonly redact: <Value extends Json>(value: Value) => Value;
  readonly clock: Clock;
}
