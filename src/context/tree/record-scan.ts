import type { EventStore } from '../../ledger/index.ts';
import type { Blobs, RootRecords } from './ports.ts';
import type { ScanOutcome } from './scan-outcome.ts';
import { CONTEXT_STREAM, contextScanned } from './tree-events.ts';

/** What recording a scan needs. */
export interface ScanRecorder {
  readonly events: EventStore;
  readonly blobs: Blobs;
  readonly roots: RootRecords;
}

/**
 * Tells the ledger of a root that it does not have as its newest: the delta as a blob, then one event. Must come before the
 * index changes. A crash between the two leaves the index behind; the next scan then starts from the older root.
 */
export async function recordScan(parts: ScanRecorder, outcome: ScanOutcome, actor: string): Promise<boolean> {
  if ((await parts.roots.newest())?.root === outcome.root) return false;
  const delta = await parts.blobs.put(outcome.delta.bytes());
  await parts.events.commit({
    actor,
    sync: 'normal',
    appends: [{ stream: CONTEXT_STREAM, events: [contextScanned(outcome, delta)] }],
  });
  return true;
}
