import { onTestFinished } from 'vitest';
import type { ReplicationConfig } from '../../src/config/index.ts';
import type { Owners } from '../../src/engine/index.ts';
import type { Clock } from '../../src/kernel/index.ts';
import type { EventDraft } from '../../src/ledger/index.ts';
import type { OpenLedger } from '../../src/runtime/ledger/open-ledger.ts';
import { openMemory } from '../../src/runtime/memory/memory.ts';
import { Replication } from '../../src/runtime/replication/replication.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openBench } from './open-bench.ts';

const FIRST: Owners = { self: '1@test#0', isAlive: (owner) => owner.startsWith('1@') };

/** A workspace with a real ledger and the sink that its person has named; closed with the test. */
export class ReplicatedWorkspace {
  readonly workspace: string;
  readonly bench: ReturnType<typeof openBench>;
  readonly replication: Replication;
  readonly ledger: OpenLedger;
  readonly memory: ReturnType<typeof openMemory>;
  /** What secrets were asked for, by whom, for where. */
  readonly uses: string[] = [];

  constructor(options: {
    readonly replication?: ReplicationConfig;
    readonly workspace?: string;
    readonly clock?: Clock;
    readonly secrets?: Readonly<Record<string, string>>;
  }) {
    this.workspace = options.workspace ?? tempFolder();
    this.bench = openBench({
      workspace: this.workspace,
      clock: options.clock ?? new ManualClock(),
      owners: FIRST,
      replication: options.replication,
      secret: (name, { tool, host }) => {
        this.uses.push([name, tool, host].join(' ').trim());
        return options.secrets?.[name];
      },
    });
    this.ledger = this.bench.ledger();
    onTestFinished(() => this.ledger.close());
    this.replication = new Replication(this.bench);
    this.memory = openMemory(this.bench);
  }

  async append(stream: string, ...events: EventDraft[]): Promise<void> {
    await this.ledger.events.commit({ actor: 'test', sync: 'normal', appends: [{ stream, events }] });
  }

  /** Many small events, in transactions of ten. */
  async fill(events: number, stream = 'run/long'): Promise<void> {
    for (let done = 0; done < events; done += 10) {
      const drafts = Array.from({ length: Math.min(10, events - done) }, (_, i) => ({
        type: 'step.done',
        data: { n: done + i },
        body: { text: `output of step ${done + i}` },
      }));
      await this.append(stream, ...drafts);
    }
  }
}
