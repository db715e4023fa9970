// Owns: what all handlers share: who may call them, how they call others, and which errors are final.
import {
  type ObjectContext,
  type RestatePromise,
  type Serde,
  serde,
  TerminalError,
} from '@restatedev/restate-sdk';
import { isOkaError, type Json } from '../../kernel/index.ts';
import { LEDGER_ERROR_CODES } from '../../ledger/index.ts';
import { isProven, PROOF, proofHeaders, splitKey, type Target } from './names.ts';
import type { ClusterErrorCode, ClusterProject } from './ports.ts';

export type Projects = (name: string) => ClusterProject | undefined;

// The SDK declares an optional field that its own value has undefined.
const JSON_SERDE = serde.json as unknown as Serde<never>;

const FOREVER = 1_000_000_000;

/**
 * A step may take hours, in which the handler sends nothing: only a lost connection ends an attempt. A handler that only
 * waits is suspended after the inactivity timeout. Retries never end: the ledger or a worker may be away for long.
 */
export const HANDLER = {
  inactivityTimeout: { seconds: 20 },
  abortTimeout: { days: 7 },
  journalRetention: 0,
  idempotencyRetention: { hours: 1 },
  retryPolicy: {
    initialInterval: 200,
    exponentiationFactor: 2,
    maxInterval: { seconds: 5 },
    maxAttempts: FOREVER,
  },
} as const;

/** As `openAnywhere`, on a worker that may take work. Elsewhere the attempt fails, and Restate tries another worker. */
export function open(...call: Parameters<typeof openAnywhere>): {
  readonly project: ClusterProject;
  readonly rest: string;
} {
  const opened = openAnywhere(...call);
  if (opened.project.isServing?.() !== false) return opened;
  throw new Error(`This worker takes no work of project "${opened.project.name}" now.`);
}

/** The project of the called object; ends the call if the caller has not its token. */
export function openAnywhere(
  context: Pick<ObjectContext, 'key' | 'request'>,
  projects: Projects,
  handler: string,
  service: string,
): { readonly project: ClusterProject; readonly rest: string } {
  const { project: name, rest } = splitKey(context.key);
  const project = projects(name);
  if (project === undefined)
    throw refusal(
      'cluster.forbidden',
      `The workers serve no project "${name}". Start one: oka worker <folder>.`,
    );
  const target = { service, handler, key: context.key };
  if (isProven(project.token, target, context.request().headers.get(PROOF))) return { project, rest };
  const next = 'Set OKA_PROJECT_TOKEN to the token of the project.';
  throw refusal('cluster.forbidden', `The caller has not the token of the project "${name}". ${next}`);
}

function refusal(code: ClusterErrorCode, message: string): TerminalError {
  return new TerminalError(JSON.stringify({ code, message, data: {} }), { errorCode: 403 });
}

/** Runs work that Restate repeats after a failure, unless a repetition cannot help. */
export async function tryOnce<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!isOkaError(error) || error.transient || isOkaError(error, LEDGER_ERROR_CODES)) throw error;
    throw new TerminalError(JSON.stringify(error.toJSON()), { errorCode: 422 });
  }
}

export function sendTo(
  context: ObjectContext,
  { token }: ClusterProject,
  target: Target,
  parameter: Json,
  options: { readonly delay?: number; readonly idempotencyKey?: string } = {},
): void {
  const { service, handler: method, key } = target;
  const headers = proofHeaders(token, target);
  const parts = { service, method, key, parameter: parameter as never, headers };
  context.genericSend({ ...parts, inputSerde: JSON_SERDE, ...options });
}

export function callOf<Answer>(
  context: ObjectContext,
  { token }: ClusterProject,
  target: Target,
  parameter: Json,
): RestatePromise<Answer> {
  const { service, handler: method, key } = target;
  const headers = proofHeaders(token, target);
  const parts = { service, method, key, parameter: parameter as never, headers };
  return context.genericCall<never, Answer>({ ...parts, inputSerde: JSON_SERDE, outputSerde: JSON_SERDE });
}
