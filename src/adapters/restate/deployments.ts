// Owns: the addresses of workers at Restate: registering one, and replacing those at which nobody answers. A call that has begun
// stays at its deployment, so a run of a dead address continues only if that deployment gets another address.
import { connect } from 'node:http2';
import { backoffMs, type Clock, OkaError, waitUntil } from '../../kernel/index.ts';
import { RUN } from './names.ts';
import type { ClusterErrorCode } from './ports.ts';

const PAUSES = { firstMs: 200, longestMs: 2_000 };
const REGISTERS_WITHIN_MS = 60_000;
const PROBE_MS = 2_000;
const ASK_MS = 5_000;

interface Deployment {
  readonly id: string;
  readonly uri: string;
  readonly services: readonly { readonly name: string }[];
}

interface Place {
  readonly admin: string;
  readonly address: string;
}

/** The admin interface of Restate, for a worker that is reached at an address. */
export class Deployments {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Whether Restate can reach a worker now. */
  async hasLiving(): Promise<boolean> {
    const found = await Promise.all((await this.#list()).map(({ uri }) => answersAt(uri)));
    return found.includes(true);
  }

  async isRegistered(): Promise<boolean> {
    return (await this.#list()).some((one) => this.#isOwn(one));
  }

  /**
   * Gives the deployments at which nobody listens the address of this worker, so that it continues their calls, and removes
   * those that no call needs any more.
   */
  async replaceDead(): Promise<void> {
    const { address: uri } = this.#place;
    const all = await this.#list();
    const [own, ...more] = all.filter((one) => this.#isOwn(one));
    for (const one of all)
      if (!this.#isOwn(one) && !(await answersAt(one.uri))) {
        await this.#ask(`/deployments/${one.id}`, 'PATCH', { uri });
        more.push(one);
      }
    if (own === undefined) return;
    for (const { id } of more) {
      const query = `SELECT id FROM sys_invocation WHERE pinned_deployment_id = '${id}' AND status <> 'completed' LIMIT 1`;
      const { rows } = (await this.#ask('/query', 'POST', { query })) as { rows: readonly unknown[] };
      if (rows.length === 0) await this.#ask(`/deployments/${id}?force=true`, 'DELETE');
    }
  }

  #isOwn({ uri }: Deployment): boolean {
    return new URL(uri).href === new URL(this.#place.address).href;
  }

  async #list(): Promise<readonly Deployment[]> {
    const { deployments } = (await this.#ask('/deployments', 'GET')) as {
      deployments: readonly Deployment[];
    };
    return deployments.filter(({ services }) => services.some(({ name }) => name === RUN));
  }

  async #ask(path: string, method: string, body?: object): Promise<unknown> {
    const response = await fetch(new URL(path, this.#place.admin), {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      signal: AbortSignal.timeout(ASK_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Restate answered ${response.status} to ${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

/** Whether a worker answers there, and not only something in front of it. */
function answersAt(uri: string): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(uri);
    const settle = (answers: boolean): void => {
      session.destroy();
      resolve(answers);
    };
    session.setTimeout(PROBE_MS, () => settle(false));
    session.once('error', () => settle(false)).once('close', () => settle(false));
    const request = session.request({ ':path': '/health' });
    request.once('response', () => settle(true)).once('error', () => settle(false));
  });
}

/**
 * Registers the address of a worker as a deployment. The same address with the same handlers changes nothing. At an address that
 * this worker shares with nobody, other handlers are those of an earlier build.
 */
export async function registerWorker(
  { admin, address, isShared = false }: Place & { readonly isShared?: boolean },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const giveUpAt = clock.now() + REGISTERS_WITHIN_MS;
  let isOverwriting = false;
  for (let attempt = 1; !signal.aborted; attempt++) {
    const problem = await tryToRegister({ admin, address, force: isOverwriting }, signal).catch(
      (error: Error) => ({
        text: String(error.cause ?? error.message),
        isFinal: false,
      }),
    );
    if (problem === undefined) return;
    const data = { admin, address };
    if (problem.isFinal && !isShared && !isOverwriting) {
      isOverwriting = true;
      continue;
    }
    if (problem.isFinal) {
      const message = `Restate refused the worker at ${address}: ${problem.text}. A worker of another build needs another address: oka worker --advertise.`;
      throw new OkaError<ClusterErrorCode>('cluster.invalid', message, { data });
    }
    if (clock.now() > giveUpAt) {
      const message = `Cannot register at Restate (${admin}): ${problem.text}. Start Restate, or set execution.admin or OKA_RESTATE_ADMIN.`;
      throw new OkaError<ClusterErrorCode>('cluster.unreachable', message, { data, transient: true });
    }
    await waitUntil(clock, clock.now() + backoffMs(attempt, PAUSES), [signal]);
  }
}

async function tryToRegister(
  { admin, address: uri, force }: Place & { readonly force: boolean },
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isFinal: boolean } | undefined> {
  const response = await fetch(new URL('/deployments', admin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri, force }),
    signal,
  });
  const text = await response.text();
  if (response.ok) return undefined;
  // Conflict: this address has other handlers.
  return { text: `${response.status} ${text}`, isFinal: response.status === 409 };
}
