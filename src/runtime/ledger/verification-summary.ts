import type { VerifyAnswer } from '../../api/index.ts';

/** Adds the sentence that every face shows. It claims only what this verification read. */
export function withSummary(answer: Omit<VerifyAnswer, 'summary'>): VerifyAnswer {
  return { ...answer, summary: summaryOf(answer) };
}

function summaryOf({
  ok,
  faults,
  since,
  events,
  streams,
  mirrorEqual,
  blobs,
}: Omit<VerifyAnswer, 'summary'>): string {
  if (!ok) return `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`;
  if (since !== undefined) {
    const day = new Date(since.at).toISOString().slice(0, 'YYYY-MM-DD'.length);
    const added = `${events} new ${events === 1 ? 'event' : 'events'} verified`;
    return `${added}; the other ${since.events} were verified on ${day}, not now`;
  }
  const equal = mirrorEqual ? 'tables and mirror equal' : 'tables equal';
  return `verified: ${events} events in ${streams} streams, ${equal}, ${blobs} blobs sound`;
}
