import type { LedgerEvent } from '../ledger/index.ts';
import type { FrameBody } from './frames/frame-events.ts';

/** The digests of the blobs that an event of the context needs: what a scan changed, and the content of large frames. */
export function blobsOfContextEvent(event: LedgerEvent): readonly string[] {
  if (event.type === 'context.scanned') return [event.data['delta'] as string];
  if (event.type !== 'context.frame_appended') return [];
  const blob = (event.body as unknown as FrameBody | undefined)?.blob;
  return blob === undefined ? [] : [blob];
}
