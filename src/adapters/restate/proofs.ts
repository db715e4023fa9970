// Owns: what a call shows to a worker. Restate shows the key of the workers with each request, and each call carries a proof
// that its caller has the token of the project. Does not own: which proofs were used; the ledger of the project knows that.
// I1 A proof counts for one target, one body and one time, and for the first invocation that shows it.
// I2 Restate stores headers, so no token is ever sent, and neither the key nor a proof tells it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type EpochMs, OkaError } from '../../kernel/index.ts';
import type { Target } from './names.ts';
import type { ClusterErrorCode, ClusterProject } from './ports.ts';

/** The header with the proof. */
export const PROOF = 'x-oka-proof';
/** The header with the key of the workers. */
export const WORKER_KEY = 'x-oka-worker-key';

/** Clocks of two machines may differ by this much. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/** One call: what it asks for, and when it is to arrive. */
interface ProvenCall {
  readonly target: Target;
  readonly body: Uint8Array;
  readonly at: EpochMs;
  /** 32 hexadecimal digits, different for each call. */
  readonly nonce: string;
}

const FORM = /^2\.(\d{1,15})\.([0-9a-f]{32})\.([0-9a-f]{64})$/;

export function proofHeaders(token: string, call: ProvenCall): Record<string, string> {
  const at = String(Math.round(call.at));
  return { [PROOF]: `2.${at}.${call.nonce}.${macOf(token, { ...call, at })}` };
}

/** The time and the nonce of a proof; undefined unless it was made for this call with this token. */
export function readProof(
  token: string,
  { target, body }: Pick<ProvenCall, 'target' | 'body'>,
  proof: string | undefined,
): Pick<ProvenCall, 'at' | 'nonce'> | undefined {
  const [, at, nonce, mac] = FORM.exec(proof ?? '') ?? [];
  if (at === undefined || nonce === undefined) return undefined;
  return isSame(macOf(token, { target, body, at, nonce }), mac) ? { at: Number(at), nonce } : undefined;
}

function macOf(
  token: string,
  { target, body, at, nonce }: Omit<ProvenCall, 'at'> & { readonly at: string },
): string {
  const { service, handler, key } = target;
  const digest = createHash('sha256').update(body).digest('hex');
  const parts = ['oka call', at, nonce, service, handler, key, digest];
  return createHmac('sha256', token).update(JSON.stringify(parts)).digest('hex');
}

/** The key of workers that serve these projects. Workers that share an address serve the same ones, so they have the same key. */
export function workerKey(projects: readonly Pick<ClusterProject, 'name' | 'token'>[]): string {
  const tokens = projects
    .map(({ name, token }) => [name, token] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (tokens.length > 0 && tokens.every(([, token]) => token !== ''))
    return createHmac('sha256', JSON.stringify(tokens)).update('oka worker').digest('hex');
  const message = 'A worker needs a project, and each project a token: set OKA_PROJECT_TOKEN.';
  throw new OkaError<ClusterErrorCode>('cluster.invalid', message);
}

/** Compares in constant time. */
export function isSame(expected: string, given: string | undefined): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given ?? '')];
  return a.length === b.length && timingSafeEqual(a, b);
}
