// Owns: the work of a project that no run asks for: schedules, mailboxes of agents, and finding what was lost on the way.
import type { ObjectContext } from '@restatedev/restate-sdk';
import type { WorkerView } from '../../engine/index.ts';
import { type Call, guardedObject, type Served } from './handlers.ts';
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
  call: Call,
  target: Target,
  input: RoundInput | undefined,
): Promise<((inMs: number) => void) | undefined> {
  const current = (await call.context.get<number>(ROUND)) ?? 0;
  if (input?.round !== undefined && input.round !== current) return undefined;
  const round = current + 1;
  call.context.set(ROUND, round);
  return (delay) => call.send(target, { round }, { delay: Math.max(0, delay) });
}

export function schedulesObject(served: Served) {
  const tick = async (call: Call, input: RoundInput | undefined): Promise<void> => {
    const { project } = call;
    const again = await begin(call, schedulesTarget(project.name), input);
    if (again === undefined) return;
    const { runs, nextInMs } = await call.step('tick', () => project.tick());
    for (const run of runs) call.send(runTarget(project.name, run), {});
    again(nextInMs);
  };
  return guardedObject({ service: SCHEDULES, served }, { tick: { kind: 'work', handle: tick } });
}

export function mailboxObject(served: Served) {
  const deliver = async (call: Call, input: RoundInput | undefined): Promise<void> => {
    const { context, project, rest } = call;
    const [agent = '', ...name] = rest.split('/');
    const mailbox = { agent, conversation: name.join('/') };
    const again = await begin(call, mailboxTarget(project.name, mailbox), input);
    if (again === undefined) return;
    const { nextInMs } = await call.step('turns', () =>
      project.answer(mailbox, context.request().attemptCompletedSignal),
    );
    if (nextInMs !== undefined) again(nextInMs);
  };
  return guardedObject({ service: MAILBOX, served }, { deliver: { kind: 'work', handle: deliver } });
}

/** Sends again what the ledger says could continue. Each state of a run or a turn is sent once. */
export function projectObject(served: Served) {
  const reconcile = async (call: Call, input: RoundInput | undefined): Promise<void> => {
    const { project } = call;
    const again = await begin(call, projectTarget(project.name), input);
    if (again === undefined) return;
    const { runs, mailboxes } = await call.step('search', () => project.openWork());
    for (const { run, key: idempotencyKey } of runs)
      call.send(runTarget(project.name, run), {}, { idempotencyKey });
    for (const { key: idempotencyKey, ...mailbox } of mailboxes)
      call.send(mailboxTarget(project.name, mailbox), {}, { idempotencyKey });
    again(RECONCILE_MS);
  };
  return guardedObject({ service: PROJECT, served }, { reconcile: { kind: 'work', handle: reconcile } });
}

const REGISTER = 'register';

/** Knows the workers of a project, and answers everybody who has its token. */
export function workersObject(served: Served) {
  const known = async (context: ObjectContext): Promise<readonly RegisteredWorker[]> =>
    (await context.get<readonly RegisteredWorker[]>(REGISTER)) ?? [];
  return guardedObject(
    { service: WORKERS, served },
    {
      announce: {
        kind: 'prompt',
        handle: async (call: Call, said: Announcement): Promise<Verdict> => {
          const { register, verdict } = announce(await known(call.context), said, await call.readClock());
          call.context.set(REGISTER, register);
          return verdict;
        },
      },
      list: {
        kind: 'prompt',
        isShared: true,
        handle: async (call: Call): Promise<readonly WorkerView[]> =>
          viewWorkers(await known(call.context), await call.readClock()),
      },
    },
  );
}
