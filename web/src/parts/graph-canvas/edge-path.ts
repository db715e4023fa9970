import type { Position } from './layout.ts';

/** A line through the points that leaves and enters each one vertically. */
export function edgePath(points: readonly Position[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let from = first;
  const parts = [`M ${first.x} ${first.y}`];
  for (const to of rest) {
    const middle = (from.y + to.y) / 2;
    parts.push(`C ${from.x} ${middle}, ${to.x} ${middle}, ${to.x} ${to.y}`);
    from = to;
  }
  return parts.join(' ');
}
