// Owns: how a run is driven on the cluster: one drive at a time per run, its children on any worker, its timers as delayed
// messages. Does not own: what a run does; the ledger records that, and a repeated drive continues from it.
import { handlers, type ObjectContext, object, RestatePromise, rpc } from '@restatedev/restate-sdk';
import { callOf, HANDLER, open, type Projects, sendTo, tryOnce } from './handlers.ts';
import { mailboxTarget, QUOTA, RUN, runTarget, schedulesTarget, splitKey } from './names.ts';
import type { ClusterProject, DriveOutcome } from './ports.ts';

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

export function driveObject(projects: Projects) {
  return object({
    name: RUN,
    handlers: {
      drive: async (context: ObjectContext, input: DriveInput | undefined): Promise<DriveAnswer> => {
        const { project, rest: run } = open(context, projects, 'drive', RUN);
        const called = input?.called === true;
        // The parent of a called run has a permit already.
        if (project.runsAtOnce !== undefined && !called) await takePermit(context, project, run);
        return drive(context, project, run, called);
      },
      /** Waits in the queue of the run until no drive is active, however the last one ended. Only handlers can call it. */
      release: handlers.object.exclusive(
        { ingressPrivate: true },
        async (context: ObjectContext): Promise<void> => {
          const { project, rest: run } = splitKey(context.key);
          context.objectSendClient(quotaFace, project).release({ run });
        },
      ),
    },
    options: HANDLER,
  });
}

async function drive(
  context: ObjectContext,
  project: ClusterProject,
  run: string,
  called: boolean,
): Promise<DriveAnswer> {
  for (;;) {
    const outcome = await context.run('drive', () =>
      tryOnce(() => project.drive(run, context.request().attemptCompletedSignal)),
    );
    for (const mailbox of outcome.mailboxes)
      sendTo(context, project, mailboxTarget(project.name, mailbox), {});
    for (const child of outcome.cancelled) sendTo(context, project, runTarget(project.name, child), {});
    const below =
      outcome.awaited === undefined ? undefined : await driveChildren(context, project, outcome.awaited);
    if (below?.areDone) continue;
    if (outcome.ended) tellOthers(context, project, outcome, called);
    else if (outcome.wake !== undefined) await wakeLater(context, project, run, outcome.wake);
    const dueAt = outcome.dueAt ?? below?.dueAt;
    return { status: outcome.status, ended: outcome.ended, ...(dueAt === undefined ? {} : { dueAt }) };
  }
}

type Awaited = NonNullable<DriveOutcome['awaited']>;

/** Drives children on any worker, some at once. `areDone` tells that the parent can continue. */
async function driveChildren(
  context: ObjectContext,
  project: ClusterProject,
  { runs, atOnce, failsFast }: Awaited,
): Promise<{ readonly areDone: boolean; readonly dueAt?: number }> {
  const queue = [...runs];
  const active = new Map<string, RestatePromise<DriveAnswer>>();
  let waiting = 0;
  let dueAt = Number.POSITIVE_INFINITY;
  while (queue.length > 0 || active.size > 0) {
    for (let next = queue[0]; next !== undefined && active.size < atOnce; next = queue[0]) {
      queue.shift();
      active.set(
        next,
        callOf<DriveAnswer>(context, project, runTarget(project.name, next), { called: true }),
      );
    }
    const { child, answer } = await RestatePromise.race(
      [...active].map(([child, call]) => call.map((answer) => ({ child, answer }))),
    );
    active.delete(child);
    // A child that cannot be driven now, such as one whose tools have changed, waits for a person.
    if (answer?.ended !== true) waiting += 1;
    else if (failsFast && answer.status !== 'completed') return { areDone: true };
    dueAt = Math.min(dueAt, answer?.dueAt ?? dueAt);
  }
  return { areDone: waiting === 0, ...(Number.isFinite(dueAt) ? { dueAt } : {}) };
}

function tellOthers(
  context: ObjectContext,
  project: ClusterProject,
  { parent, scheduled }: DriveOutcome,
  called: boolean,
): void {
  context.clear(WAKE);
  if (parent !== undefined && !called) sendTo(context, project, runTarget(project.name, parent), {});
  if (scheduled) sendTo(context, project, schedulesTarget(project.name), {});
}

/** Sends one message for each time, however often the run is driven before. */
async function wakeLater(
  context: ObjectContext,
  project: ClusterProject,
  run: string,
  { at, inMs }: NonNullable<DriveOutcome['wake']>,
): Promise<void> {
  if ((await context.get<number>(WAKE)) === at) return;
  context.set(WAKE, at);
  sendTo(context, project, runTarget(project.name, run), {}, { delay: inMs });
}

interface Permits {
  readonly active: readonly string[];
  readonly waiting: readonly { readonly run: string; readonly permit: string }[];
}

const NO_PERMITS: Permits = { active: [], waiting: [] };

/** Waits until the project has a place for the run. Restate suspends the handler meanwhile. */
async function takePermit(context: ObjectContext, project: ClusterProject, run: string): Promise<void> {
  const { id, promise } = context.awakeable<null>();
  const limit = project.runsAtOnce ?? 1;
  context.objectSendClient(quotaFace, project.name).acquire({ run, permit: id, limit }, rpc.sendOpts({}));
  await promise;
}

/** Hands out the places of a project in the order of the requests. Only handlers can call it. */
export function quotaObject() {
  return object({
    name: QUOTA,
    handlers: {
      acquire: async (
        context: ObjectContext,
        { run, permit, limit }: { readonly run: string; readonly permit: string; readonly limit: number },
      ): Promise<void> => {
        // Killing a drive in Restate also removes the messages that the drive has sent, so this one is sent from here.
        context.objectSendClient(driveFace, `${context.key}/${run}`).release();
        // A run is driven once at a time, so an earlier request of it is obsolete.
        const { active, waiting } = await permitsWithout(context, run);
        grant(context, { active, waiting: [...waiting, { run, permit }] }, limit);
        context.set('limit', limit);
      },
      release: async (context: ObjectContext, { run }: { readonly run: string }): Promise<void> => {
        const left = await permitsWithout(context, run);
        grant(context, left, (await context.get<number>('limit')) ?? 1);
      },
    },
    options: { ...HANDLER, ingressPrivate: true },
  });
}

type QuotaObject = ReturnType<typeof quotaObject>;
const quotaFace: QuotaObject = { name: QUOTA } as QuotaObject;
type DriveObject = ReturnType<typeof driveObject>;
const driveFace: DriveObject = { name: RUN } as DriveObject;

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
