// Owns: what a worker does for one workspace. Does not own: when and where it is done; the cluster decides that.
import type {
  ClusterProject,
  DriveOutcome,
  Fingerprint,
  Mailbox,
  OpenWork,
} from '../../adapters/restate/index.ts';
import { SqlUsedProofs } from '../../adapters/sql/index.ts';
import { conversationOf } from '../../chat/index.ts';
import {
  agentOf,
  dueAt,
  type Engine,
  loadRun,
  type OpenChildren,
  type RunState,
  resolvedOutcome,
  statusOf,
} from '../../engine/index.ts';
import { digestOfJson } from '../../kernel/index.ts';
import type { Chat } from '../chat/chat.ts';
import type { Graphs } from '../graphs/graphs.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { type ExecutionPlace, executionPlace } from './execution-backend.ts';

declare const __OKA_VERSION__: string;

const PAGE = 200;

/** A project, and where its cluster is. */
export interface ServedProject extends ClusterProject {
  readonly place: ExecutionPlace;
  /** The database of the ledger on this machine; different for each ledger. */
  readonly ledgerFile: string;
  /** What has to be the same on all workers of the project. */
  fingerprint(): Fingerprint;
}

interface Parts {
  readonly chat: () => Promise<Chat>;
  readonly graphs: () => Promise<Graphs>;
}

export async function openProject(services: WorkspaceServices, parts: Parts): Promise<ServedProject> {
  services.requireTrust();
  const place = await executionPlace(services);
  const engine = await services.acting();
  const { clock } = services;
  const proofs = new SqlUsedProofs(services.ledger().tables, clock);
  const touched = new Set<string>();
  services.ledger().store.subscribe((events) => {
    for (const { stream } of events) {
      const name = conversationOf(stream);
      if (name !== undefined) touched.add(name);
    }
  });
  const untilDue = (at: number): number => Math.max(0, at - clock.now());
  return {
    place,
    ledgerFile: services.ledger().databaseFile,
    fingerprint: () => ({
      policy: engine.parts.policy.version,
      trust: digestOfJson(
        services.trust
          .approved()
          .map(({ kind, name, digest }) => `${kind} ${name} ${digest}`)
          .sort(),
      ),
      // Versions that differ in the last number understand each other's records.
      version: __OKA_VERSION__.split('.').slice(0, 2).join('.'),
    }),
    name: place.project,
    token: place.tokenValue,
    runsAtOnce: place.runsAtOnce,
    useProof: (proof) => proofs.use(proof),
    drive: async (run, signal) => {
      // Also loads new tools, hooks and secrets.
      const outcome = await driveRun(await services.acting(), run, signal);
      const mailboxes = [...outcome.mailboxes, ...(await queuedIn(parts.chat, [...touched]))];
      touched.clear();
      return { ...outcome, mailboxes };
    },
    tick: async () => {
      const { runs, nextAt } = await (await parts.graphs()).schedules.fireDue();
      return { runs, nextInMs: untilDue(nextAt) };
    },
    answer: async ({ agent, conversation }, signal) => {
      const nextAt = await (await parts.chat()).answerOpen(agent, conversation, signal);
      return nextAt === undefined ? {} : { nextInMs: untilDue(nextAt) };
    },
    openWork: () => findOpenWork(services, engine, parts.chat),
  };
}

async function driveRun(engine: Engine, id: string, signal: AbortSignal): Promise<DriveOutcome> {
  const cancelled: string[] = [];
  let awaited: OpenChildren | undefined;
  const onChildren = (children: OpenChildren): void => {
    if (children.awaited) awaited = children;
    else cancelled.push(...children.runs);
  };
  const run = await engine.drive(id, { patienceMs: 0, takesOver: true, onChildren, signal });
  if (canContinue(run)) {
    const message = `Run ${id} was released before it ended, because its worker stops or lost it. It continues on another one.`;
    throw new Error(message);
  }
  const now = engine.parts.clock.now();
  const wakeAt = run.paused ? undefined : dueAt(run);
  const isForPerson = run.waiting?.for === 'approval' || run.waiting?.for === 'answer';
  const mailbox = run.ended ? mailboxOf(run) : undefined;
  return {
    status: statusOf(run),
    ended: run.ended !== undefined,
    cancelled,
    ...(awaited === undefined || run.paused ? {} : { awaited: plain(awaited) }),
    ...(wakeAt === undefined ? {} : { wake: { at: wakeAt, inMs: Math.max(0, wakeAt - now) } }),
    ...(wakeAt === undefined || isForPerson ? {} : { dueAt: wakeAt }),
    ...(run.lineage.parent === undefined ? {} : { parent: run.lineage.parent }),
    mailboxes: mailbox === undefined ? [] : [mailbox],
    scheduled: run.vars['firing_id'] !== undefined,
  };
}

function plain({ runs, atOnce, failsFast }: OpenChildren): NonNullable<DriveOutcome['awaited']> {
  return { runs, atOnce, failsFast };
}

function canContinue(run: RunState): boolean {
  return !run.ended && !run.paused && run.waiting === undefined;
}

/** The mailbox whose turn the run answers. */
function mailboxOf({ vars, lineage }: RunState): Mailbox | undefined {
  const { conversation } = vars;
  const agent = agentOf(vars);
  if (typeof conversation !== 'string' || agent === undefined || lineage.parent !== undefined)
    return undefined;
  return { agent, conversation };
}

/** The mailboxes of messages that runs of this worker have sent. */
async function queuedIn(chat: Parts['chat'], names: readonly string[]): Promise<readonly Mailbox[]> {
  if (names.length === 0) return [];
  const open = await (await chat()).openTurns(names);
  return open.flatMap(({ agent, conversation, status }) =>
    status === 'queued' ? { agent, conversation } : [],
  );
}

/** Runs that could continue and turns that are open, whether the cluster knows of them or not. */
async function findOpenWork(
  services: WorkspaceServices,
  engine: Engine,
  chat: Parts['chat'],
): Promise<OpenWork> {
  const { runs } = services.ledger();
  const statuses = ['pending', 'running', 'waiting'] as const;
  const found: { run: string; key: string }[] = [];
  for (let page = await runs.list({ statuses, limit: PAGE }); page.length > 0; ) {
    for (const { id } of page) {
      const run = await loadRun(id, engine.parts);
      if (isReady(run, services.clock.now())) found.push({ run: id, key: `${id}/${run.index}` });
    }
    const last = page.at(-1) as (typeof page)[number];
    page = await runs.list({ statuses, limit: PAGE, after: { at: last.startedAt, id: last.id } });
  }
  const mailboxes = (await (await chat()).openTurns()).map(
    ({ id, agent, conversation, status, attempts }) => ({
      agent,
      conversation,
      key: `${id}/${status}/${attempts}`,
    }),
  );
  return { runs: found, mailboxes };
}

function isReady(run: RunState, now: number): boolean {
  if (run.ended || run.paused) return false;
  const { waiting } = run;
  if (waiting === undefined || run.cancelRequested !== undefined) return true;
  if (waiting.for === 'outcome' && resolvedOutcome(waiting, run, now) !== undefined) return true;
  const at = dueAt(run);
  return at !== undefined && at <= now;
}
