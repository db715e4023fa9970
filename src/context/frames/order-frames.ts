import { compareTexts } from './basis.ts';
import type { FrameSummary } from './types.ts';

/** A total order of frames; ties are broken by id. */
export type CompareFrames = (a: FrameSummary, b: FrameSummary) => number;

/** Newest first. */
export const byRecency: CompareFrames = (a, b) => b.createdAt - a.createdAt || compareTexts(a.id, b.id);

/** By type: listed types first, in that order, then the others by name; then newest first. */
export function byType(priority: readonly string[] = []): CompareFrames {
  return (a, b) => comparePriority(a.type, b.type, priority) || byRecency(a, b);
}

/** By agent: listed agents first, in that order, then the others by name; then newest first. */
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

/** A candidate for a composition, and its source. */
export interface Candidate extends FrameSummary {
  readonly source: CompositionSource;
}

export type CompositionSource = 'node' | 'parent' | 'siblings' | 'related';

/** A registered ordering: negative if `a` comes first. Must be a pure function. */
export type CustomOrdering = (a: Candidate, b: Candidate) => number;
