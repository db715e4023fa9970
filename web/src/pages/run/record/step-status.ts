import type { Step } from './types.ts';

/** The mark of a step: a status that every page draws the same, and the word for it. */
export function stepStatus(step: Step): { readonly status: string; readonly word: string } {
  switch (step.status) {
    case 'ok':
      return { status: 'ok', word: 'Done' };
    case 'failed':
      return { status: 'failed', word: 'Failed' };
    case 'refused':
      return { status: 'denied', word: 'Refused' };
    case 'cancelled':
      return { status: 'cancelled', word: 'Cancelled' };
    case 'waiting':
      return { status: 'waiting', word: `Waits for ${step.segments.at(-1)?.what ?? 'something'}` };
    default:
      return { status: 'running', word: 'Runs' };
  }
}
