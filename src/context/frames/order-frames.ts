import { compareTexts } from './basis.ts';
import type { FrameSummary } from './types.ts';

/** An order of frames. Total: equal ones are told apart by their ids. */
export type CompareFrames = (a: FrameSummary, b: FrameSummary) => number;

/** The newest first. */
export const byRecency: CompareFrames = (a, b) => b.createdAt - a.createdAt || compareTexts(a.id, b.id);

/** By type: those that are listed first, in that order, then the others by name; then the newest first. */
export function byType(priority: readonly string[] = []): CompareFrames {
  return (a, b) => comparePriority(a.type, b.type, priority) || byRecency(a, b);
}

/** By agent: those that are listed first, in that order, then the others by name; then the newest first. */
export function byAgent(priority: readonly string[] = []): CompareFrames {
  return (a, b) => comparePriority(a.agent, b.agent, priority) || byRecency(a, b);
}

function comparePriority(a: string, b: string, priority: readonly string[]): number {
  return rankOf(a, priority) - rankOf(b, priority) || compareTexts(a, b);
}

function rankOf(name: string, priority: readonly string[]): number {
  const place = priority.indexOf(name);
  return place < 0 ? priority.length : place;
}

/** A frame that may become part of a composition, and why it is looked at. */
export interface Candidate extends FrameSummary {
  readonly source: CompositionSource;
}

/** Where the frames of a composition come from. */
export type CompositionSource = 'node' | 'parent' | 'siblings' | 'related';

/** An ordering that an embedder registers: negative where `a` comes first. Must be a pure function. */
export type CustomOrdering = (a: Candidate, b: Candidate) => number;
