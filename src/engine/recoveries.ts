// Owns: what an event says about recovery from a failure, in one line each. Every view of a run uses it.
import { asObject, type Json } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import type { RecoveryNote } from './types.ts';

export type RecoveryKind =
  | 'retry'
  | 'on_error'
  | 'default_branch'
  | 'fallback_output'
  | 'skipped'
  | 'recovered'
  | 'reused'
  | 'cached'
  | 'repair'
  | 'model_retry'
  | 'fallback_model'
  | 'fallback_rules'
  | 'continued'
  | 'request_failed';

/** A recovery action and its reason. */
export interface Recovery {
  readonly kind: RecoveryKind;
  readonly what: string;
}

type Loose = Readonly<Record<string, Json | undefined>>;

/** The recovery actions that an event of a run records. Events of earlier versions may lack the failure's message. */
export function recoveriesOf({
  type,
  at,
  data,
  body,
}: Pick<LedgerEvent, 'type' | 'at' | 'data' | 'body'>): readonly Recovery[] {
  const content = asObject(body);
  const own = OF_EVENT[type]?.(data, content, at);
  return [
    ...notesOf(asObject(content['model'])['recovered']).map(showNote),
    ...notesOf(content['recovered']).map(showNote),
    ...(own === undefined ? [] : [own]),
  ];
}

/** Recoveries that the type and the data of an event tell. */
const OF_EVENT: Readonly<Record<string, (data: Loose, body: Loose, at: number) => Recovery | undefined>> = {
  'remediation.retried': (data, body, at) => ({
    kind: 'retry',
    what: `retry ${String(data['attempt'])} of ${String(data['state'])} in ${Math.max(0, Number(data['at']) - at)} ms: ${reason(data, body)}`,
  }),
  'remediation.branched': (data, body) =>
    data['code'] === undefined
      ? {
          kind: 'default_branch',
          what: `default branch to ${String(data['to'])}: ${String(body['rationale'] ?? 'no other branch fits')}`,
        }
      : { kind: 'on_error', what: `on_error branch to ${String(data['to'])}: ${reason(data, body)}` },
  'remediation.substituted': (data, body) => ({
    kind: 'fallback_output',
    what: `fallback output of ${String(data['state'])} used: ${reason(data, body)}`,
  }),
  'tool.retried': (data) => ({
    kind: 'recovered',
    what:
      data['by'] === 'engine'
        ? `${String(data['tool'])} called again (attempt ${String(data['attempt'] ?? 2)}): the process stopped before the outcome was recorded, and the call may be repeated`
        : `${String(data['tool'])} called again: a person answered "retry" about its unknown outcome`,
  }),
  'step.completed': ({ tool, reused, cached, key }) => {
    if (reused !== undefined) {
      const { run, step } = asObject(reused);
      return {
        kind: 'reused',
        what: `${String(tool)} not called: run ${String(run)}, step ${String(step)}, recorded the outcome of its idempotency key ${String(key)}`,
      };
    }
    return cached ? fromCache(tool) : undefined;
  },
  'tool.completed': ({ tool, cached }) => (cached ? fromCache(tool) : undefined),
};

function fromCache(tool: Json | undefined): Recovery {
  return {
    kind: 'cached',
    what: `${String(tool)} not called: the cache has its result for the same arguments`,
  };
}

function reason(data: Loose, body: Loose): string {
  const { message, code } = asObject(body['failure']);
  if (message !== undefined) return `${oneLine(String(message))} (${String(code)})`;
  return String(body['rationale'] ?? data['code'] ?? 'a failure');
}

function notesOf(value: Json | undefined): readonly RecoveryNote[] {
  return Array.isArray(value) ? (value as unknown as readonly RecoveryNote[]) : [];
}

function showNote(note: RecoveryNote): Recovery {
  const { kind, attempt, waitMs, subject, message, code } = note;
  const why = `${oneLine(message)}${code === undefined ? '' : ` (${code})`}`;
  switch (kind) {
    case 'retry':
      return {
        kind,
        what: `retry ${attempt ?? 1} of ${subject ?? 'the call'} after ${waitMs ?? 0} ms: ${why}`,
      };
    case 'model_retry':
      return {
        kind,
        what: `retry ${attempt ?? 1} of the model ${subject ?? ''} after ${waitMs ?? 0} ms: ${why}`,
      };
    case 'fallback_model':
      return { kind, what: `fallback model used instead of ${subject ?? 'the first one'}: ${why}` };
    case 'fallback_rules':
      return { kind, what: `done by rules, because the model ${subject ?? ''} cannot be used: ${why}` };
    case 'continued':
      return { kind, what: `answer of the model ${subject ?? ''} continued: ${why}` };
    case 'request_failed':
      return { kind, what: `request ${attempt ?? 1} to ${subject ?? 'the model'} failed: ${why}` };
    case 'repair':
      return { kind, what: `model asked again, because its answer was invalid: ${why}` };
    case 'skipped':
      return { kind, what: `child run ${subject ?? ''} left out: ${why}` };
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
