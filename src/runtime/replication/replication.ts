// Owns: copying the ledger to the configured sink. Does not own: how a sink stores it.
// I1 The history of replication is a cache; the sink knows its own position.
// I2 No failure of a sink affects the runs of the workspace.

import { join } from 'node:path';
import type {
  ReplicationApi,
  ReplicationShipped,
  ReplicationStatus,
  ReplicationVerifyAnswer,
} from '../../api/index.ts';
import { machineEnvironment, type OkaConfig, type ReplicationConfig } from '../../config/index.ts';
import { OkaError } from '../../kernel/index.ts';
import {
  followLedger,
  Outbox,
  type OutboxSource,
  type ReplicaSink,
  type ReplicationErrorCode,
  verifyReplica,
  workspaceId,
} from '../../ledger/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { describeSink, openSink, REPLICATED } from './open-sink.ts';
import { outboxSource } from './outbox-source.ts';
import { ReopenedOutbox } from './reopened-outbox.ts';
import { type LastError, ReplicationHistory, replicationFailure } from './replication-history.ts';

export type ReplicationServices = Pick<
  WorkspaceServices,
  'clock' | 'random' | 'owners' | 'redactor' | 'ledger' | 'requireTrust' | 'writable' | 'secret'
> & {
  readonly folder: Pick<WorkspaceServices['folder'], 'directory'>;
  readonly config: () => Promise<Pick<OkaConfig, 'replication'>>;
};

type Follow = Parameters<ReplicationApi['follow']>[0];

const SHIP_TASK = 'ship';
const LEASE = 'replication';
/** Longer than any call of a sink; it matters only if a machine died with its process. */
const LEASE_MS = 120_000;

const FOLDED_TYPES: ReadonlySet<string> = new Set(REPLICATED.flatMap(({ types }) => [...types]));

/** The replication API of one workspace. */
export class Replication implements ReplicationApi {
  readonly #services: ReplicationServices;
  readonly #history: ReplicationHistory;

  constructor(services: ReplicationServices) {
    this.#services = services;
    this.#history = new ReplicationHistory(join(services.folder.directory, 'run'), services);
  }

  async status(): Promise<ReplicationStatus> {
    const { replication } = await this.#services.config();
    if (replication === undefined) return { configured: false };
    const ledger = this.#services.ledger();
    const source = outboxSource(ledger);
    // Read before the sink is opened: using a credential is itself an event.
    const { seq: head } = await source.head();
    const workspace = await workspaceId(source);
    const asked =
      workspace === undefined ? { sink: describeSink(replication) } : await this.#ask(replication, workspace);
    const { seq, error, ...history } = this.#history.of(asked.sink);
    const cursor = asked.cursor ?? seq;
    const lastError = asked.error ?? error;
    const holder = await ledger.leases.holder(LEASE);
    const isShipping =
      holder !== undefined &&
      holder.expiresAt > this.#services.clock.now() &&
      this.#services.owners.isAlive(holder.owner);
    return {
      configured: true,
      sink: asked.sink,
      ...(workspace === undefined ? {} : { workspace }),
      head,
      ...(cursor === undefined ? {} : { cursor, lag: await this.#lag(source, cursor, head) }),
      reached: asked.cursor !== undefined,
      ...history,
      ...(lastError === undefined ? {} : { lastError }),
      ...(isShipping ? { worker: { pid: Number.parseInt(holder.owner, 10) } } : {}),
    };
  }

  async once(signal: AbortSignal = new AbortController().signal): Promise<ReplicationShipped> {
    return this.#using(async (sink, ledger) => {
      await this.#take(ledger);
      try {
        const outbox = new Outbox({ source: outboxSource(ledger), sink });
        const { position, events } = await outbox.shipAll(signal, async (progress) => {
          this.#history.shipped(sink.name, progress.position);
          await this.#keep(ledger);
        });
        this.#history.shipped(sink.name, position);
        return { sink: sink.name, events, cursor: position.seq, head: position.hash };
      } catch (error) {
        if (!signal.aborted) this.#history.failed(sink.name, replicationFailure(error), { failures: 1 });
        throw error;
      } finally {
        await ledger.leases.release(LEASE, this.#services.owners.self);
      }
    });
  }

  async verify(signal: AbortSignal = new AbortController().signal): Promise<ReplicationVerifyAnswer> {
    return this.#using(async (sink, ledger) => {
      const folded = { rows: async () => countRows(ledger), types: FOLDED_TYPES };
      const report = await verifyReplica({ source: outboxSource(ledger), sink, folded }, signal);
      const { workspace, ...rest } = report;
      return { ...rest, sinkName: sink.name, ...(workspace === undefined ? {} : { workspace }) };
    });
  }

  async follow({ signal, onShipped, onWarning, onOutcome, onWaiting = onWarning }: Follow): Promise<void> {
    this.#services.requireTrust();
    const config = await this.#requireConfig();
    const { clock, random, owners } = this.#services;
    const ledger = await this.#services.writable();
    const outbox = new ReopenedOutbox(outboxSource(ledger), () => this.#open(config));
    const nameOf = (): string => outbox.sink?.name ?? describeSink(config);
    try {
      await followLedger({
        outbox,
        clock,
        random,
        signal,
        renewLease: () => this.#keep(ledger),
        onShipped: (progress) => {
          this.#history.shipped(nameOf(), progress.position);
          onShipped?.({ events: progress.events, cursor: progress.position.seq });
        },
        onFailure: ({ failure, failures, nextTryAt }) => {
          const { message } = this.#history.failed(nameOf(), failure, { failures, nextTryAt });
          if (failures === 1) onWarning?.(message);
          onOutcome?.({ ok: false, task: SHIP_TASK, code: failure.code, message, nextTryAt });
        },
        onCaughtUp: () => onOutcome?.({ ok: true, task: SHIP_TASK }),
        onWaiting: () => onWaiting?.('another process ships already; this one waits for its place.'),
      });
    } finally {
      await ledger.leases.release(LEASE, owners.self);
      await outbox.close();
    }
  }

  async #using<T>(work: (sink: ReplicaSink, ledger: OpenLedger) => Promise<T>): Promise<T> {
    this.#services.requireTrust();
    const ledger = this.#services.ledger();
    const sink = await this.#open(await this.#requireConfig());
    try {
      return await work(sink, ledger);
    } finally {
      await sink.close();
    }
  }

  async #requireConfig(): Promise<ReplicationConfig> {
    const { replication } = await this.#services.config();
    if (replication !== undefined) return replication;
    const code: ReplicationErrorCode = 'replication.not_configured';
    throw new OkaError(
      code,
      'replication is not set up; name a sink under "replication" in the config.json of your own Oka folder, as docs/guides/replication.md shows.',
    );
  }

  #open(config: ReplicationConfig): Promise<ReplicaSink> {
    const { redactor, secret } = this.#services;
    return openSink(config, { environment: (name) => machineEnvironment()[name], vault: secret, redactor });
  }

  /** The sink's position, or the error of reading it. */
  async #ask(
    config: ReplicationConfig,
    workspace: string,
  ): Promise<{ sink: string; cursor?: number; error?: LastError }> {
    let sink: ReplicaSink | undefined;
    try {
      this.#services.requireTrust();
      sink = await this.#open(config);
      const { seq } = await sink.position(workspace, new AbortController().signal);
      return { sink: sink.name, cursor: seq };
    } catch (error) {
      return {
        sink: sink?.name ?? describeSink(config),
        error: this.#history.told(replicationFailure(error)),
      };
    } finally {
      await sink?.close();
    }
  }

  async #lag(source: OutboxSource, cursor: number, head: number) {
    const [first] = cursor < head ? await source.read(cursor, 1) : [];
    const since = first !== undefined && 'event' in first ? first.event.at : undefined;
    const ms = since === undefined ? 0 : Math.max(0, this.#services.clock.now() - since);
    return { events: Math.max(0, head - cursor), ms };
  }

  async #take(ledger: OpenLedger): Promise<void> {
    if (await this.#keep(ledger)) return;
    const pid = Number.parseInt((await ledger.leases.holder(LEASE))?.owner ?? '', 10);
    const code: ReplicationErrorCode = 'replication.busy';
    throw new OkaError(code, `process ${pid} ships this ledger already; look with: oka replicate status.`, {
      data: { pid },
      transient: true,
    });
  }

  #keep({ leases }: OpenLedger): Promise<boolean> {
    const { owners, clock } = this.#services;
    return leases.acquire(LEASE, owners.self, clock.now() + LEASE_MS);
  }
}

/** Ships in the background of this process until it is stopped; undefined if replication is not configured. Never rejects. */
export async function startReplication(
  services: ReplicationServices,
  { onWarning }: { readonly onWarning?: (what: string) => void } = {},
): Promise<{ readonly stop: () => Promise<void> } | undefined> {
  const tell = (error: unknown): void => onWarning?.(replicationFailure(error).message);
  try {
    if ((await services.config()).replication === undefined) return undefined;
  } catch (error) {
    tell(error);
    return undefined;
  }
  const ending = new AbortController();
  const following = new Replication(services)
    .follow({ signal: ending.signal, ...(onWarning === undefined ? {} : { onWarning }) })
    .catch(tell);
  return {
    stop: async () => {
      ending.abort();
      await following;
    },
  };
}

function countRows({ database }: OpenLedger): Record<string, number> {
  const tables = REPLICATED.flatMap((projection) => projection.tables).map(({ name }) => name);
  const count = (table: string): number =>
    (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
  return Object.fromEntries(tables.map((table) => [table, count(table)]));
}
