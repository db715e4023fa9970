// Owns: what all handlers share: who may call them, how they call others, and which errors are final.
// I1 `guardedObject` is the only place that makes a handler, and its first act is to check the caller.
import {
  handlers,
  type ObjectContext,
  object,
  type RestatePromise,
  type Serde,
  serde,
  TerminalError,
} from '@restatedev/restate-sdk';
import { type Clock, isOkaError, type Json } from '../../kernel/index.ts';
import { LEDGER_ERROR_CODES } from '../../ledger/index.ts';
import { RAW_JSON, splitKey, type Target, toBody } from './names.ts';
import type { ClusterErrorCode, ClusterProject } from './ports.ts';
import { CLOCK_SKEW_MS, PROOF, proofHeaders, readProof } from './proofs.ts';

/** What a worker serves. */
export interface Served {
  readonly projects: (name: string) => ClusterProject | undefined;
  readonly clock: Clock;
}

const FOREVER = 1_000_000_000;
const DAY_MS = 86_400_000;

/**
 * A step may take hours, in which the handler sends nothing: only a lost connection ends an attempt. A handler that only
 * waits is suspended after the inactivity timeout. Retries never end: the ledger or a worker may be away for long.
 */
const HANDLER = {
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

/** Which calls a handler takes, and where. */
const KINDS = {
  /** Only a worker that may take work does it. A message waits while there is none; a later one is found in the ledger again. */
  work: { validForMs: 30 * DAY_MS, isWork: true, options: {} },
  /** Only handlers can call it. Its messages wait as long as a run takes, so their time has no limit. */
  private: { validForMs: Number.POSITIVE_INFINITY, isWork: false, options: { ingressPrivate: true } },
  /** Ends when no worker answers for some seconds, because the caller has left by then. */
  prompt: {
    validForMs: 60_000,
    isWork: false,
    options: { retryPolicy: { ...HANDLER.retryPolicy, maxAttempts: 6, onMaxAttempts: 'kill' } },
  },
} as const;

interface GuardedHandler {
  readonly kind: keyof typeof KINDS;
  /** May run at any time, and changes nothing. */
  readonly isShared?: true;
  handle(call: Call, input: never): Promise<unknown>;
}

/** A virtual object whose handlers run only for callers that have the token of the project. */
export function guardedObject(
  { service, served }: { readonly service: string; readonly served: Served },
  guarded: Readonly<Record<string, GuardedHandler>>,
) {
  const made = Object.entries(guarded).map(([handler, { kind, isShared, handle }]) => {
    const run = async (context: ObjectContext, body: Uint8Array): Promise<unknown> => {
      const call = await admit(context, served, { target: { service, handler, key: context.key }, kind });
      return handle(call, parse(body));
    };
    const options = { ...KINDS[kind].options, input: RAW_JSON };
    return [
      handler,
      isShared ? handlers.object.shared(options, run as never) : handlers.object.exclusive(options, run),
    ];
  });
  return object({ name: service, handlers: Object.fromEntries(made), options: HANDLER });
}

async function admit(
  context: ObjectContext,
  { projects, clock }: Served,
  { target, kind }: { readonly target: Target; readonly kind: keyof typeof KINDS },
): Promise<Call> {
  const { project: name, rest } = splitKey(target.key);
  const project = projects(name);
  if (project === undefined)
    throw refusal(`The workers serve no project "${name}". Start one: oka worker <folder>.`);
  const { body, headers, id: invocation } = context.request();
  const proof = readProof(project.token, { target, body }, headers.get(PROOF));
  if (proof === undefined) {
    const next = 'Set OKA_PROJECT_TOKEN to the token of the project.';
    throw refusal(`The caller has not the token of the project "${name}", or not for this call. ${next}`);
  }
  const { validForMs, isWork } = KINDS[kind];
  const now = clock.now();
  const isTimely = now >= proof.at - CLOCK_SKEW_MS && now <= proof.at + validForMs + CLOCK_SKEW_MS;
  // A worker whose clock is behind accepts it for longer than one whose clock is ahead remembers it.
  const until = Math.max(now, proof.at) + Math.min(validForMs, KINDS.work.validForMs) + 2 * CLOCK_SKEW_MS;
  if (!(await project.useProof({ nonce: proof.nonce, invocation, until, isTimely })))
    throw refusal(
      isTimely
        ? `This call of project "${name}" was made before. A proof counts once: repeat the command.`
        : `This call of project "${name}" is not for this time. Set the clocks of its machines: they differ, or it has waited for too long.`,
    );
  if (isWork && project.isServing?.() === false)
    // The attempt fails, and Restate tries another worker.
    throw new Error(`This worker takes no work of project "${name}" now.`);
  return new Call({ context, project, rest, clock, at: proof.at });
}

function parse(body: Uint8Array): never {
  return (body.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(body))) as never;
}

function refusal(message: string): TerminalError {
  const code: ClusterErrorCode = 'cluster.forbidden';
  return new TerminalError(JSON.stringify({ code, message, data: {} }), { errorCode: 403 });
}

/** Runs work that Restate repeats after a failure, unless a repetition cannot help. */
async function tryOnce<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!isOkaError(error) || error.transient || isOkaError(error, LEDGER_ERROR_CODES)) throw error;
    throw new TerminalError(JSON.stringify(error.toJSON()), { errorCode: 422 });
  }
}

interface SendOptions {
  readonly delay?: number;
  readonly idempotencyKey?: string;
}

/** A call whose caller has the token of the project. What it sends is the same in each attempt, its proofs included. */
export class Call {
  readonly context: ObjectContext;
  readonly project: ClusterProject;
  /** The key of the object without the project. */
  readonly rest: string;
  readonly #clock: Clock;
  #at: number;

  constructor(
    parts: Pick<Call, 'context' | 'project' | 'rest'> & { readonly clock: Clock; readonly at: number },
  ) {
    this.context = parts.context;
    this.project = parts.project;
    this.rest = parts.rest;
    this.#clock = parts.clock;
    this.#at = parts.at;
  }

  /** Does something once. Messages after it have the time of its end. */
  async step<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
    const { answer, at } = await this.context.run(name, () =>
      tryOnce(async () => ({ answer: await work(), at: this.#clock.now() })),
    );
    this.#at = at;
    return answer;
  }

  /** Gives messages the time of now. */
  async readClock(): Promise<number> {
    this.#at = await this.context.date.now();
    return this.#at;
  }

  send(target: Target, parameter: Json, options: SendOptions = {}): void {
    this.context.genericSend({ ...this.#message(target, parameter, options.delay), ...options });
  }

  ask<Answer>(target: Target, parameter: Json): RestatePromise<Answer> {
    // The SDK declares an optional field that its own value has undefined.
    const outputSerde = serde.json as unknown as Serde<Answer>;
    return this.context.genericCall<Uint8Array, Answer>({ ...this.#message(target, parameter), outputSerde });
  }

  #message({ service, handler, key }: Target, parameter: Json, delay = 0) {
    const body = toBody(parameter);
    const nonce = this.context.rand.uuidv4().replaceAll('-', '');
    const proven = { target: { service, handler, key }, body, at: this.#at + delay, nonce };
    const headers = proofHeaders(this.project.token, proven);
    return { service, method: handler, key, parameter: body, headers, inputSerde: RAW_JSON };
  }
}
