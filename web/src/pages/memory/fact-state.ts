import type { Answer } from '../../api/query.ts';

export type Fact = Answer<'/v1/memory/facts'>['items'][number];

/** Whether a fact is in use: a replaced or expired one is not found by a search. */
export function factState(
  {
    supersededBy,
    expiresAt,
    stale,
    status,
  }: Pick<Fact, 'supersededBy' | 'expiresAt' | 'stale'> & Partial<Pick<Fact, 'status'>>,
  now: number,
): 'valid' | 'stale' | 'candidate' | 'superseded' | 'expired' {
  if (supersededBy !== undefined) return 'superseded';
  if (expiresAt !== undefined && expiresAt <= now) return 'expired';
  if (stale) return 'stale';
  return status === 'candidate' ? 'candidate' : 'valid';
}

/** The run that stated a fact, if a run did. */
export function runOfSource(source: string | undefined): string | undefined {
  return /^run ([0-9a-z]{26})\b/.exec(source ?? '')?.[1];
}
