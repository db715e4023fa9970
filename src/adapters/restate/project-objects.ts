// Owns: the work of a project that no run asks for: schedules, mailboxes of agents, and finding what was lost on the way.
import { handlers, type ObjectContext, type ObjectSharedContext, object } from '@restatedev/restate-sdk';
import type { WorkerView } from '../../engine/index.ts';
import { HANDLER, open, openAnywhere, type Projects, sendTo, tryOnce } from './handlers.ts';
import {
  MAILBOX,
  mailboxTarget,
  PROJECT,
  projectTarget,
  runTarget,
  SCHEDULES,
  schedulesTarget,
  type Target,
  WORKERS,
} from './names.ts';
import type { ClusterProject } from './ports.ts';
import {
  type Announcement,
  announce,
  type RegisteredWorker,
  type Verdict,
  viewWorkers,
} from './worker-register.ts';

/** How often the project compares the ledger with the work that Restate drives. */
const RECONCILE_MS = 30_000;
const ROUND = 'round';

interface RoundInput {
  /** The round of a delayed message; missing for a call from outside, which starts a new round. */
  readonly round?: number;
}

/**
 * Keeps one delayed message per object: a call from outside starts a new round, and the message of an earlier round does
 * nothing. Returns undefined if this message is such an earlier one.
 */
async function begin(
  context: ObjectContext,
  project: ClusterProject,
  target: Target,
  input: RoundInput | undefined,
): Promise<((inMs: number) => void) | undefined> {
  const current = (await context.get<number>(ROUND)) ?? 0;
  if (input?.round !== undefined && input.round !== current) return undefined;
  const round = current + 1;
  context.set(ROUND, round);
  return (delay) => sendTo(context, project, target, { round }, { delay: Math.max(0, delay) });
}

export function schedulesObject(projects: Projects) {
  return object({
    name: SCHEDULES,
    handlers: {
      tick: async (context: ObjectContext, input: RoundInput | undefined): Promise<void> => {
        const { project } = open(context, projects, 'tick', SCHEDULES);
        const again = await begin(context, project, schedulesTarget(project.name), input);
        if (again === undefined) return;
        const { runs, nextInMs } = await context.run('tick', () => tryOnce(() => project.tick()));
        for (const run of runs) sendTo(context, project, runTarget(project.name, run), {});
        again(nextInMs);
      },
    },
    options: HANDLER,
  });
}

export function mailboxObject(projects: Projects) {
  return object({
    name: MAILBOX,
    handlers: {
      deliver: async (context: ObjectContext, input: RoundInput | undefined): Promise<void> => {
        const { project, rest } = open(context, projects, 'deliver', MAILBOX);
        const [agent = '', ...name] = rest.split('/');
        const mailbox = { agent, conversation: name.join('/') };
        const again = await begin(context, project, mailboxTarget(project.name, mailbox), input);
        if (again === undefined) return;
        const { nextInMs } = await context.run('turns', () =>
          tryOnce(() => project.answer(mailbox, context.request().attemptCompletedSignal)),
        );
        if (nextInMs !== undefined) again(nextInMs);
      },
    },
    options: HANDLER,
  });
}

/** Sends again what the ledger says could continue. Each state of a run or a turn is sent once. */
export function projectObject(projects: Projects) {
  return object({
    name: PROJECT,
    handlers: {
      reconcile: async (context: ObjectContext, input: RoundInput | undefined): Promise<void> => {
        const { project } = open(context, projects, 'reconcile', PROJECT);
        const again = await begin(context, project, projectTarget(project.name), input);
        if (again === undefined) return;
        const { runs, mailboxes } = await context.run('search', () => tryOnce(() => project.openWork()));
        for (const { run, key: idempotencyKey } of runs)
          sendTo(context, project, runTarget(project.name, run), {}, { idempotencyKey });
        for (const { key: idempotencyKey, ...mailbox } of mailboxes)
          sendTo(context, project, mailboxTarget(project.name, mailbox), {}, { idempotencyKey });
        again(RECONCILE_MS);
      },
    },
    options: HANDLER,
  });
}

/** Ends when no worker answers for some seconds, because the caller has left by then. */
const PROMPT = { retryPolicy: { ...HANDLER.retryPolicy, maxAttempts: 6, onMaxAttempts: 'kill' } } as const;
const REGISTER = 'register';

/** Knows the workers of a project, and answers everybody who has its token. */
export function workersObject(projects: Projects) {
  return object({
    name: WORKERS,
    handlers: {
      announce: handlers.object.exclusive(
        PROMPT,
        async (context: ObjectContext, said: Announcement): Promise<Verdict> => {
          openAnywhere(context, projects, 'announce', WORKERS);
          const known = (await context.get<readonly RegisteredWorker[]>(REGISTER)) ?? [];
          const { register, verdict } = announce(known, said, await context.date.now());
          context.set(REGISTER, register);
          return verdict;
        },
      ),
      list: handlers.object.shared(
        PROMPT,
        async (context: ObjectSharedContext): Promise<readonly WorkerView[]> => {
          openAnywhere(context, projects, 'list', WORKERS);
          const known = (await context.get<readonly RegisteredWorker[]>(REGISTER)) ?? [];
          return viewWorkers(known, await context.date.now());
        },
      ),
    },
    options: HANDLER,
  });
}
