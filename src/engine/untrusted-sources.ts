import { type EpochMs, type Json, textOf } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import type { Evidence, Lineage } from './types.ts';

/** What made a run untrusted. */
export interface UntrustedSource {
  readonly at: EpochMs;
  /** The step that read it; missing for what the run started with. */
  readonly step?: number;
  readonly what: string;
}

const MAX_SHOWN_LENGTH = 200;
/** The input fields that tell where a call reads. */
const PLACES = ['url', 'argv', 'path', 'node', 'query', 'key', 'graph'];

/** Every source of untrusted content in the events of a run, in order. */
export function untrustedSources(events: readonly LedgerEvent[]): readonly UntrustedSource[] {
  const inputs = new Map<unknown, Json | undefined>();
  return events.flatMap((event): UntrustedSource[] => {
    const { step } = event.data;
    const { input } = (event.body ?? {}) as { readonly input?: Json };
    if (input !== undefined) inputs.set(step, input);
    if (event.data['untrusted'] !== true) return [];
    const what = describe(event, inputs.get(step));
    return [{ at: event.at, ...(typeof step === 'number' ? { step } : {}), what }];
  });
}

function describe({ type, data, body }: LedgerEvent, input: Json | undefined): string {
  const { untrustedFrom } = (body ?? {}) as { readonly untrustedFrom?: string };
  if (untrustedFrom !== undefined) return untrustedFrom;
  switch (type) {
    case 'run.started':
      return describeStart(data['lineage'] as Lineage | undefined);
    case 'evidence.recalled': {
      const found = ((body ?? []) as unknown as readonly Evidence[]).filter(({ untrusted }) => untrusted);
      const names = found.map((fact) => fact.untrustedFrom ?? textOf(fact.tool ?? 'memory'));
      return names.length === 0 ? 'recalled content' : names.join('; ');
    }
    case 'child.ended':
      return `child run ${textOf(data['child'] ?? '')}, which had read untrusted content`;
    default:
      return describeCall(textOf(data['tool'] ?? type), input);
  }
}

function describeStart(lineage: Lineage | undefined): string {
  const from = lineage?.parent ?? lineage?.resumedFrom ?? lineage?.forkedFrom?.run;
  if (from !== undefined) return `run ${from}, which started it after reading untrusted content`;
  return 'its goal, which contains text of another agent';
}

function describeCall(tool: string, input: Json | undefined): string {
  const fields = input !== null && typeof input === 'object' && !Array.isArray(input) ? input : {};
  const place = PLACES.map((name) => (fields as Record<string, Json>)[name]).find((one) => one !== undefined);
  if (place === undefined) return `the output of ${tool}`;
  const shown = Array.isArray(place) ? place.map((word) => textOf(word)).join(' ') : textOf(place);
  return `the output of ${tool} (${shown.slice(0, MAX_SHOWN_LENGTH).toWellFormed()})`;
}
