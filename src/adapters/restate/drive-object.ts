// Owns: how a run is driven on the cluster: one drive at a time per run, its children on any worker, its timers as delayed
// messages. Does not own: what a run does; the ledger records that, and a repeated drive continues from it.
import { type ObjectContext, RestatePromise } from '@restatedev/restate-sdk';
import { type Call, guardedObject, type Served } from './handlers.ts';
import {
  mailboxTarget,
  QUOTA,
  quotaTarget,
  RUN,
  releaseTarget,
  runTarget,
  schedulesTarget,
} from './names.ts';
import type { DriveOutcome } from './ports.ts';

export interface DriveInput {
  /** The caller waits for the answer, so that it needs no message about the end of the run. */
  readonly called?: boolean;
}

export interface DriveAnswer {
  readonly status: string;
  readonly ended: boolean;
  /** The time for which the run or its children wait. */
  readonly dueAt?: number;
}

/** The time of the delayed message that was sent for the run. */
const WAKE = 'wake';

export function driveObject(served: Served) {
  return guardedObject(
    { service: RUN, served },
    {
      drive: {
        kind: 'work',
        handle: async (call: Call, input: DriveInput | undefined): Promise<DriveAnswer> => {
          const called = input?.called === true;
          // The parent of a called run has a permit already.
          if (call.project.runsAtOnce !== undefined && !called)
            await takePermit(call, call.project.runsAtOnce);
          return drive(call, called);
        },
      },
      /** Waits in the queue of the run until no drive is active, however the last one ended. */
      release: {
        kind: 'private',
        handle: async (call: Call): Promise<void> => {
          await call.readClock();
          call.send(quotaTarget(call.project.name, 'release'), { run: call.rest });
        },
      },
    },
  );
}

async function drive(call: Call, called: boolean): Promise<DriveAnswer> {
  const { context, project, rest: run } = call;
  for (;;) {
    const outcome = await call.step('drive', () =>
      project.drive(run, context.request().attemptCompletedSignal),
    );
    for (const mailbox of outcome.mailboxes) call.send(mailboxTarget(project.name, mailbox), {});
    for (const child of outcome.cancelled) call.send(runTarget(project.name, child), {});
    const below = outcome.awaited === undefined ? undefined : await driveChildren(call, outcome.awaited);
    if (below?.areDone) continue;
    if (outcome.ended) tellOthers(call, outcome, called);
    else if (outcome.wake !== undefined) await wakeLater(call, outcome.wake);
    const dueAt = outcome.dueAt ?? below?.dueAt;
    return { status: outcome.status, ended: outcome.ended, ...(dueAt === undefined ? {} : { dueAt }) };
  }
}

type Awaited = NonNullable<DriveOutcome['awaited']>;

/** Drives children on any worker, some at once. `areDone` tells that the parent can continue. */
async function driveChildren(
  call: Call,
  { runs, atOnce, failsFast }: Awaited,
): Promise<{ readonly areDone: boolean; readonly dueAt?: number }> {
  const queue = [...runs];
  const active = new Map<string, RestatePromise<DriveAnswer>>();
  let waiting = 0;
  let dueAt = Number.POSITIVE_INFINITY;
  while (queue.length > 0 || active.size > 0) {
    for (let next = queue[0]; next !== undefined && active.size < atOnce; next = queue[0]) {
      queue.shift();
      active.set(next, call.ask<DriveAnswer>(runTarget(call.project.name, next), { called: true }));
    }
    const { child, answer } = await RestatePromise.race(
      [...active].map(([child, asked]) => asked.map((answer) => ({ child, answer }))),
    );
    active.delete(child);
    // A child that cannot be driven now, such as one whose tools have changed, waits for a person.
    if (answer?.ended !== true) waiting += 1;
    else if (failsFast && answer.status !== 'completed') return { areDone: true };
    dueAt = Math.min(dueAt, answer?.dueAt ?? dueAt);
  }
  return { areDone: waiting === 0, ...(Number.isFinite(dueAt) ? { dueAt } : {}) };
}

function tellOthers(call: Call, { parent, scheduled }: DriveOutcome, called: boolean): void {
  const { context, project } = call;
  context.clear(WAKE);
  if (parent !== undefined && !called) call.send(runTarget(project.name, parent), {});
  if (scheduled) call.send(schedulesTarget(project.name), {});
}

/** Sends one message for each time, however often the run is driven before. */
async function wakeLater(call: Call, { at, inMs }: NonNullable<DriveOutcome['wake']>): Promise<void> {
  const { context, project, rest: run } = call;
  if ((await context.get<number>(WAKE)) === at) return;
  context.set(WAKE, at);
  call.send(runTarget(project.name, run), {}, { delay: inMs });
}

interface Permits {
  readonly active: readonly string[];
  readonly waiting: readonly { readonly run: string; readonly permit: string }[];
}

const NO_PERMITS: Permits = { active: [], waiting: [] };

/** Waits until the project has a place for the run. Restate suspends the handler meanwhile. */
async function takePermit(call: Call, limit: number): Promise<void> {
  const { id: permit, promise } = call.context.awakeable<null>();
  await call.readClock();
  call.send(quotaTarget(call.project.name, 'acquire'), { run: call.rest, permit, limit });
  await promise;
}

interface PermitRequest {
  readonly run: string;
  readonly permit: string;
  readonly limit: number;
}

/** Hands out the places of a project in the order of the requests. */
export function quotaObject(served: Served) {
  return guardedObject(
    { service: QUOTA, served },
    {
      acquire: {
        kind: 'private',
        handle: async (call: Call, { run, permit, limit }: PermitRequest): Promise<void> => {
          const { context, project } = call;
          await call.readClock();
          // Killing a drive in Restate also removes the messages that the drive has sent, so this one is sent from here.
          call.send(releaseTarget(project.name, run), {});
          // A run is driven once at a time, so an earlier request of it is obsolete.
          const { active, waiting } = await permitsWithout(context, run);
          grant(context, { active, waiting: [...waiting, { run, permit }] }, limit);
          context.set('limit', limit);
        },
      },
      release: {
        kind: 'private',
        handle: async ({ context }: Call, { run }: Pick<PermitRequest, 'run'>): Promise<void> => {
          const left = await permitsWithout(context, run);
          grant(context, left, (await context.get<number>('limit')) ?? 1);
        },
      },
    },
  );
}

async function permitsWithout(context: ObjectContext, run: string): Promise<Permits> {
  const { active, waiting } = (await context.get<Permits>('permits')) ?? NO_PERMITS;
  return { active: active.filter((one) => one !== run), waiting: waiting.filter((one) => one.run !== run) };
}

function grant(context: ObjectContext, { active, waiting }: Permits, limit: number): void {
  const granted = waiting.slice(0, Math.max(0, limit - active.length));
  for (const { permit } of granted) context.resolveAwakeable(permit, null);
  const now = {
    active: [...active, ...granted.map(({ run }) => run)],
    waiting: waiting.slice(granted.length),
  };
  context.set('permits', now);
}
