// Owns: which file was meant by a name that does not exist.
import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject, type Json } from '../../kernel/index.ts';
import { call, callFor } from '../findings.ts';

const MAX_SUGGESTED = 3;

/** A run that fails because a bare file name does not exist looks for it in the folders first, and names what it found. */
export function suggestFile(input: PlanInput, decision: Decision): Decision {
  if (decision.kind !== 'fail' || decision.code !== 'files.not_found') return decision;
  const missing = input.evidence.findLast(({ failure }) => failure?.code === 'files.not_found');
  const { path } = asObject(missing?.input);
  if (typeof path !== 'string' || path.includes('/')) return decision;
  const survey = callFor(input, 'files.survey', '.');
  const canLook = input.eligibleTools.some(({ name }) => name === 'files.survey');
  if (survey === undefined)
    return canLook ? call('files.survey', { path: '.' }, `${path} may be in a folder`) : decision;
  const { entries } = asObject(survey.output);
  const found = (Array.isArray(entries) ? (entries as Json[]) : [])
    .map((entry) => String(asObject(entry)['path']))
    .filter((entry) => entry.endsWith(`/${path}`))
    .slice(0, MAX_SUGGESTED);
  if (found.length === 0) return decision;
  return { ...decision, reason: `"${path}" does not exist here. Did you mean ${found.join(' or ')}?` };
}
