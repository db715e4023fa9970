import type { EventDraft } from '../../ledger/index.ts';
import type { ScanOutcome } from './scan-outcome.ts';

/** The stream of what happens to the context. */
export const CONTEXT_STREAM = 'context';

/** What `context.scanned` says. */
export interface ScannedData {
  readonly root: string;
  /** The root that the delta starts from; null when it starts from nothing. */
  readonly previous: string | null;
  /** The digest of the blob with the delta. */
  readonly delta: string;
  readonly nodes: number;
  readonly files: number;
  readonly directories: number;
  readonly links: number;
  readonly bytes: number;
}

/** A scan has found another root than was known. */
export function contextScanned(outcome: ScanOutcome, delta: string): EventDraft {
  const data: ScannedData = {
    root: outcome.root,
    previous: outcome.previous ?? null,
    delta,
    nodes: outcome.delta.length,
    ...outcome.counts,
  };
  return { type: 'context.scanned', data: { ...data } };
}
