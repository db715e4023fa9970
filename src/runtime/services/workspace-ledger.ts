// Owns: the one open ledger of a process, for reading or writing, and its replacement when the purpose changes.
import { isDiskRefusal } from '../../adapters/sqlite/index.ts';
import {
  sweepDaily,
  sweepLeft,
  type UserFolder,
  unfinishedErasures,
  type WorkspaceFolder,
} from '../../adapters/workspace/index.ts';
import { ledgerLocation } from '../../config/index.ts';
import { isOkaError, type Warn } from '../../kernel/index.ts';
import type { EventAddress } from '../../ledger/index.ts';
import { openCopiedLedger } from '../ledger/copied-ledger.ts';
import { openHeads } from '../ledger/open-heads.ts';
import type { LedgerPorts, LedgerPurpose, OpenLedger } from '../ledger/open-ledger.ts';
import { PostgresLedger } from '../ledger/postgres-ledger.ts';
import { SqliteLedger } from '../ledger/sqlite-ledger.ts';

const SWEEP_MS = 24 * 3_600_000;
const SWEEP_LEFT_MS = 60_000;

export interface WorkspaceLedgerOptions extends Omit<LedgerPorts, 'alwaysSync' | 'onWarning'> {
  readonly folder: WorkspaceFolder;
  readonly user: UserFolder;
  readonly home: string;
  readonly requireWorkspace: () => WorkspaceFolder;
  readonly warn: Warn;
  /** Called with erased events when an erasure that a crash interrupted is finished. */
  readonly onErased: (events: readonly EventAddress[]) => Promise<void>;
  /** Why only what this machine knows of a ledger on a server is opened. */
  readonly away?: string | undefined;
}

export class WorkspaceLedger {
  readonly #options: WorkspaceLedgerOptions;
  #ledger: OpenLedger | undefined;
  #isWriting = false;
  /** How the mirror compared with the database when the ledger was opened. */
  #mirrorState: ReturnType<OpenLedger['mirror']['compareEnds']> = 'sound';
  #hasFinishedErasures = false;
  readonly #replaced: OpenLedger[] = [];
  #sweptAt = Number.NEGATIVE_INFINITY;
  #sweptLeftAt = Number.NEGATIVE_INFINITY;

  constructor(options: WorkspaceLedgerOptions) {
    this.#options = options;
  }

  /** Undefined if the ledger is in the workspace. */
  get #location(): ReturnType<typeof ledgerLocation> {
    const { home, folder } = this.#options;
    const { workspace } = folder;
    return ledgerLocation({ home, workspace, id: folder.exists ? folder.identity().id : undefined });
  }

  get isOnServer(): boolean {
    return this.#location !== undefined;
  }

  get isWritable(): boolean {
    return this.#ledger?.isWritable === true;
  }

  /** The ledger for reading; works on a read-only disk. */
  read(alwaysSync = false): OpenLedger {
    if (this.#ledger === undefined) {
      const ledger = this.#openForReading(alwaysSync);
      const { incomplete, refusal } = ledger.reading ?? {};
      this.#ledger = ledger;
      this.#sweepLeft();
      this.#mirrorState = ledger.mirror.compareEnds();
      if (incomplete !== undefined) this.#options.warn(incomplete, { code: 'ledger.incomplete' });
      else if (refusal !== undefined)
        this.#options.warn(`${refusal.message} It is read as it was when this command began.`);
    }
    return this.#ledger;
  }

  /** A ledger for reading whose database may be changed. */
  copy(): OpenLedger {
    const { reading } = this.read();
    if (reading?.mode !== 'copy' && reading?.mode !== 'empty') this.#replace(this.#open('copy'));
    return this.read();
  }

  async write(alwaysSync = false): Promise<OpenLedger> {
    this.#isWriting = true;
    if (!this.isWritable) this.#replace(this.#open('write', alwaysSync));
    const ledger = this.read(alwaysSync);
    for (const what of await ledger.startWriting()) this.#options.warn(what, { code: 'ledger.repaired' });
    await this.#finishErasures(ledger);
    this.#sweep();
    return ledger;
  }

  /** Once per process. What it calls opens the ledger again. */
  async #finishErasures(ledger: OpenLedger): Promise<void> {
    if (this.#hasFinishedErasures) return;
    this.#hasFinishedErasures = true;
    const { folder, onErased } = this.#options;
    const unfinished = unfinishedErasures(folder.directory);
    if (unfinished === undefined) return;
    const finished = folder.noteErasure(unfinished.events);
    unfinished.finish();
    await ledger.settleErasure();
    await onErased(unfinished.events);
    finished();
  }

  /** Finishes an erasure that a crash interrupted, also where a command only read. */
  async finishErasure(): Promise<void> {
    const { user, folder, warn } = this.#options;
    if (
      this.#ledger === undefined ||
      unfinishedErasures(folder.directory) === undefined ||
      !user.isTrusted(folder)
    )
      return;
    try {
      await this.write();
    } catch (error) {
      if (!isOkaError(error)) throw error;
      warn(`Files of the workspace still hold what was erased: ${error.message}`);
    }
  }

  /** On a writable disk, reading a trusted workspace creates or migrates its database first. */
  #openForReading(alwaysSync: boolean): OpenLedger {
    const { folder, user, requireWorkspace } = this.#options;
    if (this.#location !== undefined) return this.#open('write', alwaysSync);
    const isNew = requireWorkspace().sizes().database === 0;
    const opened = isNew ? undefined : this.#open('read', alwaysSync);
    const isCopy = opened?.reading?.mode === 'copy' && opened.reading.refusal === undefined;
    if ((isNew || isCopy) && user.isTrusted(folder)) {
      try {
        const ledger = this.#open('write', alwaysSync);
        if (opened) this.#replaced.push(opened);
        return ledger;
      } catch (error) {
        if (!isDiskRefusal(error)) throw error;
      }
    }
    return opened ?? this.#open('read', alwaysSync);
  }

  #open(purpose: LedgerPurpose, alwaysSync = false): OpenLedger {
    const { requireWorkspace, warn, user, home, ...ports } = this.#options;
    const folder = requireWorkspace();
    const heads = user.isTrusted(folder) ? { heads: openHeads({ home, folder, clock: ports.clock }) } : {};
    if (this.#location !== undefined) {
      const location = { ...this.#location, home };
      if (ports.away !== undefined) return openCopiedLedger(folder, ports, location, ports.away);
      return new PostgresLedger(folder, { ...ports, ...heads, onWarning: warn }, location);
    }
    return new SqliteLedger(folder, { ...ports, ...heads, alwaysSync, onWarning: warn }, purpose);
  }

  /** A replaced ledger may still be in use; `close` closes it. */
  #replace(ledger: OpenLedger): void {
    if (this.#ledger !== undefined) this.#replaced.push(this.#ledger);
    this.#ledger = ledger;
  }

  #sweepLeft(): void {
    const { folder, user, home, clock } = this.#options;
    if (clock.now() < this.#sweptLeftAt + SWEEP_LEFT_MS || !user.isTrusted(folder)) return;
    this.#sweptLeftAt = clock.now();
    try {
      sweepLeft({ workspace: folder.workspace, directory: folder.directory, home });
    } catch {
      // Reading also works on a disk that cannot be written.
    }
  }

  /** Removes the temporary files of killed processes: those that name their process, and once a day all others. */
  #sweep(): void {
    const { folder, home, clock, warn } = this.#options;
    const now = clock.now();
    this.#sweepLeft();
    if (now < this.#sweptAt + SWEEP_MS) return;
    this.#sweptAt = now;
    const { workspace, directory } = folder;
    try {
      sweepDaily({ workspace, directory, home }, now);
    } catch (error) {
      // Leftover files only cost space.
      warn(`temporary files could not be removed: ${(error as Error).message}`);
    }
  }

  /** A command that only reads shows the database; the user must learn that it lacks events. */
  warnOfMirror(): void {
    if (this.#mirrorState === 'sound' || this.#isWriting) return;
    this.#options.warn(
      this.#mirrorState === 'ahead'
        ? 'run_ledger.jsonl has events that the database does not have. To recover them: oka ledger repair.'
        : 'The database and run_ledger.jsonl contradict each other. To see both and choose: oka ledger repair.',
      { code: this.#mirrorState === 'ahead' ? 'ledger.incomplete' : 'ledger.diverged' },
    );
    this.#mirrorState = 'sound';
  }

  stopWaiting(): void {
    this.#ledger?.stopWaiting();
  }

  async close(): Promise<void> {
    for (const ledger of this.#replaced.splice(0)) await ledger.close();
    await this.#ledger?.close();
    this.#ledger = undefined;
  }
}
