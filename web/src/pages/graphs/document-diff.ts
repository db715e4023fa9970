import { createTwoFilesPatch } from 'diff';
import type { GraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { textOf } from './document/editor-state.ts';

/** The unified difference of two graphs as text; empty if they are equal. */
export function documentDiff(before: GraphDocument, after: GraphDocument): string {
  const [old, now] = [textOf(before), textOf(after)];
  if (old === now) return '';
  return createTwoFilesPatch('before', 'after', `${old}\n`, `${now}\n`, undefined, undefined, { context: 2 });
}
