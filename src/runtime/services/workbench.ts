// Owns: opening what work on one workspace needs, once each, and only where the person trusts it. Does not own: what is
// asked of it.
import { processOwners } from '../../adapters/processes/index.ts';
import { isDiskRefusal } from '../../adapters/sqlite/index.ts';
import { sweepDaily, UserFolder, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { TextListener } from '../../agent/index.ts';
import type { DoRequest, EventView, RunAnswer } from '../../api/index.ts';
import type { OkaConfig } from '../../config/index.ts';
import type { Engine, Owners, RunRequest, RunState, Tool } from '../../engine/index.ts';
import {
  type Clock,
  createRedactor,
  OkaError,
  type Random,
  type RedactingStream,
  type Redactor,
  sortableIds,
  systemClock,
  systemRandom,
} from '../../kernel/index.ts';
import type { EventAddress, EventStore } from '../../ledger/index.ts';
import type { NodeVersions, ReadPackText } from '../../memory/index.ts';
import type { Embedder } from '../../retrieval/index.ts';
import type { GraphRunner } from '../../tools/index.ts';
import { closeTree } from '../context/open-trees.ts';
import { type LedgerPurpose, OpenLedger } from '../ledger/open-ledger.ts';
import type { ContextPacks, PackExtras } from '../memory/context-pack.ts';
import { staying } from '../runs/staying.ts';
import type { TaskGraphFile } from '../runs/task-graph-file.ts';
import type { Surroundings } from './surroundings.ts';
import { answerRun, viewEvent } from './views.ts';

declare const __OKA_VERSION__: string;

const SWEEP_MS = 24 * 3_600_000;

const heavyParts = () => import('./heavy-parts.ts');

export interface WorkbenchOptions {
  readonly workspace: string;
  /** The person's own folder, where trust and grants are kept. */
  readonly home: string;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly owners?: Owners;
  readonly wrapEvents?: (store: EventStore) => EventStore;
  /** Called with what was repaired when the ledger was opened. */
  readonly onRepaired?: (what: string) => void;
  /** Called where what is shown may lack the newest events, with the reason. */
  readonly onIncomplete?: (what: string) => void;
  /** Learns what went wrong in the background, and will be tried again or done without. */
  readonly onTrouble?: (what: string) => void;
  /** What others bring to what agents are told. */
  readonly packExtras?: () => PackExtras;
  /** Where runs find the graphs that they start. */
  readonly graphs: () => Promise<GraphRunner>;
}

type Watching = Pick<DoRequest, 'patienceMs' | 'signal' | 'onEvent' | 'onText'>;

export class Workbench {
  readonly folder: WorkspaceFolder;
  readonly user: UserFolder;
  readonly clock: Clock;
  readonly random: Random;
  readonly owners: Owners;
  /** One for the process: what it was told is replaced wherever it turns up. */
  readonly redactor: Redactor = createRedactor();
  /** Makes the vectors of texts, where the person has chosen a model for that. */
  embedder?: Embedder;
  readonly #options: WorkbenchOptions;
  readonly #listeners = new Set<TextListener>();
  #ledger: OpenLedger | undefined;
  #isWriting = false;
  /** How the mirror related to the database when the ledger was opened. */
  #mirrorState: ReturnType<OpenLedger['mirror']['compareEnds']> = 'sound';
  readonly #replaced: OpenLedger[] = [];
  #sweptAt = Number.NEGATIVE_INFINITY;
  #engine: Promise<Engine> | undefined;
  #surroundings: Promise<Surroundings> | undefined;
  #packs: Promise<ContextPacks> | undefined;
  #tasks: TaskGraphFile | undefined;

  constructor(options: WorkbenchOptions) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? systemRandom;
    this.owners = options.owners ?? processOwners();
    this.folder = new WorkspaceFolder(options.workspace);
    this.user = new UserFolder(options.home, this.clock);
  }

  requireWorkspace(): WorkspaceFolder {
    this.folder.requireFolder();
    this.folder.refuseLinks();
    if (this.folder.exists) return this.folder;
    throw new OkaError(
      'config.no_workspace',
      `there is no Oka workspace in ${this.folder.workspace}; make one with: oka init --trust.`,
      { data: { folder: this.folder.workspace } },
    );
  }

  requireTrust = (): void => {
    this.folder.requireFolder();
    this.folder.refuseLinks();
    if (this.folder.exists && this.user.isTrusted(this.folder.workspace)) return;
    throw new OkaError(
      'config.not_trusted',
      `${this.folder.workspace} is not trusted yet, so nothing in it may act. If you trust it, run: oka init --trust.`,
      { data: { workspace: this.folder.workspace } },
    );
  };

  /** The ledger, for looking; also where the disk cannot be written. */
  ledger = (alwaysSync = false): OpenLedger => {
    if (this.#ledger === undefined) {
      const ledger = this.#openForLooking(alwaysSync);
      const { incomplete, refusal } = ledger.reading ?? {};
      this.#ledger = ledger;
      this.#mirrorState = ledger.mirror.compareEnds();
      if (incomplete !== undefined) this.#options.onIncomplete?.(incomplete);
      else if (refusal !== undefined)
        this.tellTrouble(`${refusal.message} It is read as it was when this command began.`);
    }
    return this.#ledger;
  };

  /** A command that only reads shows what the database has; that it lacks something must be said. */
  #warnOfMirror(): void {
    if (this.#mirrorState === 'sound' || this.#isWriting) return;
    this.tellTrouble(
      this.#mirrorState === 'ahead'
        ? 'run_ledger.jsonl has events that the database does not have. To recover them: oka ledger repair.'
        : 'The database and run_ledger.jsonl contradict each other. To see both and choose: oka ledger repair.',
    );
    this.#mirrorState = 'sound';
  }

  /** A ledger for looking whose database may be changed at will, such as by a search that has to make its index. */
  ledgerCopy = (): OpenLedger => {
    const ledger = this.ledger();
    if (ledger.reading?.mode !== 'copy' && ledger.reading?.mode !== 'empty')
      this.#replaceLedger(this.#openLedger('copy'));
    return this.ledger();
  };

  /** Opens the ledger anew, such as for looking after writing was refused. */
  reopen(purpose: 'read' | 'write'): void {
    this.#replaceLedger(this.#openLedger(purpose));
  }

  /** Where the disk can be written, looking into a trusted workspace makes its database or migrates it first. */
  #openForLooking(alwaysSync: boolean): OpenLedger {
    const isNew = this.requireWorkspace().sizes().database === 0;
    const looked = isNew ? undefined : this.#openLedger('read', alwaysSync);
    const isCopy = looked?.reading?.mode === 'copy' && looked.reading.refusal === undefined;
    if ((isNew || isCopy) && this.user.isTrusted(this.folder.workspace)) {
      try {
        const ledger = this.#openLedger('write', alwaysSync);
        if (looked) this.#replaced.push(looked);
        return ledger;
      } catch (error) {
        if (!isDiskRefusal(error)) throw error;
      }
    }
    return looked ?? this.#openLedger('read', alwaysSync);
  }

  #openLedger(purpose: LedgerPurpose, alwaysSync = false): OpenLedger {
    const { wrapEvents } = this.#options;
    const ports = {
      clock: this.clock,
      random: this.random,
      owners: this.owners,
      redactor: this.redactor,
      alwaysSync,
      onWarning: (message: string) => this.tellTrouble(message),
      ...(wrapEvents ? { wrapEvents } : {}),
    };
    return new OpenLedger(this.requireWorkspace(), ports, purpose);
  }

  /** What was opened before may still be in use, and is closed with the rest. */
  #replaceLedger(ledger: OpenLedger): void {
    if (this.#ledger !== undefined) this.#replaced.push(this.#ledger);
    this.#ledger = ledger;
  }

  /** The ledger, ready to be written. */
  async writable(alwaysSync = false): Promise<OpenLedger> {
    this.#isWriting = true;
    if (this.#ledger?.isWritable !== true) this.#replaceLedger(this.#openLedger('write', alwaysSync));
    const ledger = this.ledger(alwaysSync);
    for (const what of await ledger.startWriting()) this.#options.onRepaired?.(what);
    this.#sweep();
    return ledger;
  }

  /** Removes what killed processes left, once a day for all processes. */
  #sweep(): void {
    const now = this.clock.now();
    if (now < this.#sweptAt + SWEEP_MS) return;
    this.#sweptAt = now;
    const { workspace, directory } = this.folder;
    try {
      sweepDaily({ workspace, directory, home: this.#options.home }, now);
    } catch (error) {
      // What is left costs space only.
      this.tellTrouble(`temporary files could not be removed: ${(error as Error).message}`);
    }
  }

  /** What runs find around them: models, tools of others, secrets, policy, skills, agents. */
  surroundings(): Promise<Surroundings> {
    this.#surroundings ??= heavyParts().then(
      ({ Surroundings }) =>
        new Surroundings({
          folder: this.folder,
          user: this.user,
          home: this.#options.home,
          version: __OKA_VERSION__,
          clock: this.clock,
          random: this.random,
          ids: sortableIds(this.clock, this.random),
          owner: this.owners.self,
          redactor: this.redactor,
          ledger: this.ledger,
          writable: () => {
            this.requireTrust();
            return this.writable();
          },
          requireTrust: this.requireTrust,
          pack: async (about) => (await this.packs()).build(about),
          ...(this.#options.onTrouble ? { onTrouble: this.#options.onTrouble } : {}),
        }),
    );
    return this.#surroundings;
  }

  /** What runs are shown of all that is known. */
  packs(): Promise<ContextPacks> {
    this.#packs ??= this.chooseEmbedder()
      .then(() => import('../memory/context-pack.ts'))
      .then(({ contextPacks }) => contextPacks(this, this.#options.packExtras?.()));
    return this.#packs;
  }

  async config(): Promise<OkaConfig> {
    return (await this.surroundings()).config();
  }

  /** Every tool that runs of this workspace can call. */
  async tools(): Promise<readonly Tool[]> {
    return (await this.surroundings()).tools();
  }

  /** An engine that only loads and explains; nothing of the workspace's own configuration is read for it. */
  async reading(): Promise<Engine> {
    if (this.#engine !== undefined) return this.#engine;
    const { openReadingEngine } = await heavyParts();
    return openReadingEngine(this.#parts(this.ledger()));
  }

  /** An engine that may act: only in a workspace that the person trusts. */
  async acting(): Promise<Engine> {
    this.requireTrust();
    this.#engine ??= (async () => {
      const surroundings = await this.surroundings();
      const config = await surroundings.config();
      const ledger = await this.writable(config.alwaysSync);
      await surroundings.primeRedactor();
      const { openEngine } = await heavyParts();
      await this.chooseEmbedder();
      const { workspaceCapabilities } = await import('./workspace-capabilities.ts');
      const known = () => workspaceCapabilities(this);
      await this.#followTasks(ledger);
      return openEngine({ ...this.#parts(ledger), ...(await this.#acting(surroundings, config)), known });
    })();
    return this.#engine;
  }

  /** An engine whose effects stay in this process, and the files as it would leave them. */
  async beside() {
    this.requireTrust();
    const surroundings = await this.surroundings();
    const config = await surroundings.config();
    const ledger = this.ledger(config.alwaysSync);
    await surroundings.primeRedactor();
    const { openBeside } = await heavyParts();
    const { besideCapabilities } = await import('./workspace-capabilities.ts');
    const known = (events: EventStore) => besideCapabilities(this, events);
    return openBeside({ ...this.#parts(ledger), ...(await this.#acting(surroundings, config)), known });
  }

  #parts(ledger: OpenLedger) {
    const { folder, user, clock, random, owners, redactor } = this;
    const readPack: ReadPackText = async (item) => (await this.packs()).read(item);
    return { folder, user, ledger, redactor, readPack, ports: { clock, random, owners } };
  }

  async #acting(surroundings: Surroundings, config: OkaConfig) {
    const onText: TextListener = (piece) => {
      for (const listener of this.#listeners) listener(piece);
    };
    const { recallAll } = await import('./recall-all.ts');
    const recall = await recallAll(this, surroundings);
    return { surroundings, config, onText, recall, graphs: this.#options.graphs };
  }

  /** Keeps `active_task_graph.json` for as long as this process may act. */
  async #followTasks(ledger: OpenLedger): Promise<void> {
    const { followTasks } = await import('../runs/task-graph-file.ts');
    this.#tasks = await followTasks({
      directory: this.folder.directory,
      events: ledger.events,
      runs: ledger.runs,
      onTrouble: (what) => this.tellTrouble(what),
      onRepaired: (what) => this.#options.onRepaired?.(what),
    });
  }

  answer(run: RunState): RunAnswer {
    return answerRun(run, this.owners);
  }

  /** Shows events as they are stored, and words as they come, while `work` goes on. */
  async watching<T>(
    {
      onEvent,
      onText,
    }: {
      readonly onEvent?: ((event: EventView) => void) | undefined;
      readonly onText?: ((text: string) => void) | undefined;
    },
    work: () => Promise<T>,
  ): Promise<T> {
    const stop =
      onEvent &&
      this.ledger().store.subscribe((events) => {
        for (const event of events) onEvent(viewEvent(event));
      });
    const listen = onText && this.#listener(onText);
    if (listen) this.#listeners.add(listen);
    try {
      return await work();
    } finally {
      stop?.();
      if (listen) this.#listeners.delete(listen);
    }
  }

  /** Hears what models say, without its secrets, until the answer is called. */
  hear(hear: (piece: { readonly run: string; readonly text: string }) => void): () => void {
    const listeners = new Map<string, TextListener>();
    const listen: TextListener = (piece) => {
      const one = listeners.get(piece.run) ?? this.#listener((text) => hear({ run: piece.run, text }));
      listeners.set(piece.run, one);
      one(piece);
      if (piece.last) listeners.delete(piece.run);
    };
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  /** Passes words on without their secrets; each answer ends with a line of its own. */
  #listener(onText: (text: string) => void): TextListener {
    const streams = new Map<string, RedactingStream>();
    return ({ run, text, last }) => {
      const stream = streams.get(run) ?? this.redactor.redactingStream();
      streams.set(run, stream);
      const words = last ? stream.end() : stream.push(text);
      if (words !== '') onText(words);
      if (last) streams.delete(run);
    };
  }

  /** Starts a run and stays with it until it ends or has to wait; or only says what it would do. */
  async start(request: RunRequest, options: Watching & { readonly simulate?: boolean }): Promise<RunAnswer> {
    if (options.simulate) return this.simulate(async () => request, options);
    const engine = await this.acting();
    return this.watching(options, async () => this.answer(await engine.run(request, staying(options))));
  }

  async simulate(prepare: (engine: Engine) => Promise<RunRequest>, watching: Watching): Promise<RunAnswer> {
    const { onEvent, onText } = watching;
    const { options, overlay } = await this.beside();
    const { Engine } = await heavyParts();
    const engine = new Engine({ ...options, simulate: true });
    if (onEvent) engine.parts.events.subscribe((events) => events.map(viewEvent).forEach(onEvent));
    const simulated = await this.watching({ onText }, async () =>
      engine.run(await prepare(engine), staying(watching)),
    );
    return { ...this.answer(simulated), wouldChange: overlay.changes() };
  }

  /** Takes what was erased out of what was made of it. */
  afterErasure = async (events: readonly EventAddress[]): Promise<void> => {
    const { Maintenance } = await import('../maintenance/maintenance.ts');
    await new Maintenance(this).afterErasure(events);
  };

  /** Finds out which embedder memory uses; called before memory is opened. */
  async chooseEmbedder(): Promise<void> {
    const config = await this.config();
    if (config.embedder === undefined || this.embedder !== undefined) return;
    const { configuredEmbedder } = await import('../memory/configured-embedder.ts');
    const models = (await this.surroundings()).models(config);
    this.embedder = configuredEmbedder(config.embedder, (model) => models.find(model));
  }

  /** Which version of a workspace node is there now. */
  readonly nodes: NodeVersions = {
    versionOf: async (path) => {
      const { treeOf } = await import('../context/context.ts');
      return treeOf(this).versionOf(path);
    },
  };

  tellTrouble(what: string): void {
    this.#options.onTrouble?.(what);
  }

  /** Stops working on runs at their next boundary. */
  async letGo(): Promise<void> {
    // An engine that could not be opened has told so to whoever asked for it.
    const engine = await this.#engine?.catch(() => undefined);
    await engine?.close();
  }

  async close(): Promise<void> {
    this.#warnOfMirror();
    await this.letGo();
    await this.#tasks?.close();
    closeTree(this.folder);
    await (await this.#surroundings)?.close();
    for (const ledger of this.#replaced.splice(0)) await ledger.close();
    await this.#ledger?.close();
    this.#engine = undefined;
    this.#tasks = undefined;
    this.#ledger = undefined;
  }
}
