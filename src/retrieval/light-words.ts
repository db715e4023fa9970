import { rootOf } from './terms.ts';

/**
 * Words that stand in questions about anything. In a store of a few hundred texts some of them are rare by chance, so that how
 * often they stand there does not tell how little they say.
 */
const LIGHT = new Set(
  `ask become begin big bit call come current currently day describe different favorite favourite feel find first give go good
  great happen help keep kind know last let like look love mean mention name need new next nice old part people person place plan
  put reason recent recently say see show small someone something sort special start stuff take talk tell thing think time try
  type use want way week work year`
    .split(/\s+/)
    .map(rootOf),
);

/** What finding such a word counts beside finding another. */
const LIGHT_WEIGHT = 0.35;

/** How much a term of a question counts. */
export function weightOfTerm(root: string): number {
  return LIGHT.has(root) ? LIGHT_WEIGHT : 1;
}
