import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import type { Warning } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { OpenWorkspace } from '../../src/runtime/services/open-workspace.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { trustFolder } from '../support/trust-folder.ts';

/** A workspace with a user folder, opened in this process. */
export class TrustedPlace {
  readonly root: string;
  readonly home: string;
  readonly clock = new ManualClock();
  /** What was reported as not approved. */
  readonly withheld: string[] = [];
  readonly warnings: string[] = [];
  #oka: Oka | undefined;

  constructor(root = join(tempFolder(), 'garden'), home = join(tempFolder(), 'home')) {
    this.root = root;
    this.home = home;
    mkdirSync(root, { recursive: true });
    this.put('README.md', '# Garden\n');
    onTestFinished(() => this.close());
  }

  /** One process: it stays open until `close`. */
  get oka(): Oka {
    this.#oka ??= new Oka(this.#options());
    return this.#oka;
  }

  /** The services of another process. */
  services(): OpenWorkspace {
    const graphs = () => Promise.reject(new Error('no graphs here'));
    const services = new OpenWorkspace({ ...this.#options(), graphs });
    onTestFinished(() => services.close());
    return services;
  }

  #options() {
    return {
      workspace: this.root,
      home: this.home,
      clock: this.clock,
      onWarning: ({ code, message }: Warning) =>
        void (code === 'config.withheld' ? this.withheld : this.warnings).push(message),
    };
  }

  async close(): Promise<void> {
    await this.#oka?.close();
    this.#oka = undefined;
  }

  async trust(): Promise<this> {
    await this.oka.init({ trust: true });
    return this;
  }

  /** Trusts the folder by an old record, so that its ledger stays where it is. */
  trustAsBefore(): this {
    trustFolder(this.home, this.root);
    return this;
  }

  /** Approves everything, as a person who answers yes. */
  async approve(): Promise<void> {
    const { digest } = await this.oka.trust.show();
    await this.oka.trust.approve({ digest });
  }

  do(goal = 'read README.md', more: { readonly model?: string } = {}): Promise<RunAnswer> {
    return this.oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0, ...more });
  }

  put(path: string, content: string | object): void {
    const file = this.at(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  at(path: string): string {
    return join(this.root, path);
  }

  has(path: string): boolean {
    return existsSync(this.at(path));
  }

  trustFile(): { workspaces: Record<string, Record<string, unknown>> } {
    return JSON.parse(readFileSync(join(this.home, 'trust.json'), 'utf8'));
  }

  /** Replaces the folder with an identical copy. */
  async replaceByCopy(): Promise<void> {
    await this.close();
    const away = join(tempFolder(), 'away');
    renameSync(this.root, away);
    cpSync(away, this.root, { recursive: true });
  }
}

export const hook = (marker: string, on = 'before_run') => ({
  on,
  command: ['touch', marker],
  sandbox: { write: ['.'] },
});

export function graph(id: string, marker: string, extra: object = {}): object {
  return {
    id,
    name: id,
    version: 1,
    start: 'start',
    execution_defaults: { guarantee_mode: 'bounded' },
    nodes: [
      { node_id: 'start', type: 'start', next: 'a' },
      { node_id: 'a', type: 'transform', expression: JSON.stringify(marker), next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
    ...extra,
  };
}
