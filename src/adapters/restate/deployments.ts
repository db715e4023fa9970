// Owns: the addresses of workers at Restate: registering one, and replacing those at which nobody answers. A call that has begun
// stays at its deployment, so a run of a dead address continues only if that deployment gets another address.
import { connect } from 'node:http2';
import { backoffMs, type Clock, OkaError, waitUntil } from '../../kernel/index.ts';
import { RUN } from './names.ts';
import type { ClusterErrorCode } from './ports.ts';
import { WORKER_KEY } from './proofs.ts';

const PAUSES = { firstMs: 200, longestMs: 2_000 };
const REGISTERS_WITHIN_MS = 60_000;
const PROBE_MS = 2_000;
const ASK_MS = 5_000;

interface Deployment {
  readonly id: string;
  readonly uri: string;
  /** What Restate sends there with each request. */
  readonly additional_headers?: Readonly<Record<string, string>>;
  readonly services: readonly { readonly name: string }[];
}

interface Place {
  readonly admin: string;
  readonly address: string;
  /** See `workerKey`. */
  readonly key: string;
}

const headersOf = ({ key }: Place): Record<string, string> => ({ [WORKER_KEY]: key });

/** The admin interface of Restate, for a worker that is reached at an address. */
export class Deployments {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Whether Restate can reach a worker now. */
  async hasLiving(): Promise<boolean> {
    const found = await Promise.all((await this.#list()).map(answers));
    return found.includes(true);
  }

  /** Whether Restate knows the address of this worker, and its key. */
  async isRegistered(): Promise<boolean> {
    return (await this.#list()).some((one) => this.#isOwn(one) && this.#hasKey(one));
  }

  /** Gives Restate the key of this worker, if its address was registered with another one. */
  async replaceKey(): Promise<void> {
    for (const one of await this.#list())
      if (this.#isOwn(one) && !this.#hasKey(one)) await this.#takeOver(one);
  }

  /**
   * Gives the deployments at which nobody answers the address and the key of this worker, so that it continues their calls, and
   * removes those that no call needs any more.
   */
  async replaceDead(): Promise<void> {
    const all = await this.#list();
    const [own, ...more] = all.filter((one) => this.#isOwn(one));
    for (const one of all)
      if (!this.#isOwn(one) && !(await answers(one))) {
        await this.#takeOver(one);
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

  #hasKey({ additional_headers: headers }: Deployment): boolean {
    return headers?.[WORKER_KEY] === this.#place.key;
  }

  async #takeOver({ id }: Deployment): Promise<void> {
    const { address: uri } = this.#place;
    const headers = headersOf(this.#place);
    await this.#ask(`/deployments/${id}`, 'PATCH', { uri, additional_headers: headers });
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

/** Whether a worker answers there to what Restate sends, and not only something in front of it. */
function answers({ uri, additional_headers: headers }: Deployment): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(uri);
    const settle = (isLiving: boolean): void => {
      session.destroy();
      resolve(isLiving);
    };
    session.setTimeout(PROBE_MS, () => settle(false));
    session.once('error', () => settle(false)).once('close', () => settle(false));
    const request = session.request({ ...headers, ':path': '/health' });
    request
      .once('response', ({ ':status': status }) => settle(status !== 401))
      .once('error', () => settle(false));
  });
}

/**
 * Registers the address of a worker as a deployment. The same address with the same handlers changes nothing. At an address that
 * this worker shares with nobody, other handlers are those of an earlier build.
 */
export async function registerWorker(
  { isShared = false, ...place }: Place & { readonly isShared?: boolean },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const { admin, address } = place;
  const giveUpAt = clock.now() + REGISTERS_WITHIN_MS;
  let isOverwriting = false;
  for (let attempt = 1; !signal.aborted; attempt++) {
    const problem = await tryToRegister({ ...place, force: isOverwriting }, signal).catch((error: Error) => ({
      text: String(error.cause ?? error.message),
      isFinal: false,
    }));
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
  { force, ...place }: Place & { readonly force: boolean },
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isFinal: boolean } | undefined> {
  const response = await fetch(new URL('/deployments', place.admin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: place.address, force, additional_headers: headersOf(place) }),
    signal,
  });
  const text = await response.text();
  if (response.ok) return void (await new Deployments(place).replaceKey());
  // Conflict: this address has other handlers.
  return { text: `${response.status} ${text}`, isFinal: response.status === 409 };
}
