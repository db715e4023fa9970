import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileVersion, linkRefused } from '../../disk/index.ts';
import { OkaError, systemRefusal } from '../../kernel/index.ts';
import type { EventAddress } from '../../ledger/index.ts';
import { noteErasure } from './erasure-notes.ts';
import { sizeOf } from './read-lines.ts';
import { makeIdentity, readIdentity, renewIdentity, type WorkspaceIdentity } from './workspace-identity.ts';

const FOLDERS = ['objects', 'graphs', 'agents', 'skills', 'procedures', 'memory', 'brain', 'tools', 'run'];
/** Folders that only Oka writes. */
const OKA_ONLY_FOLDERS = ['run', 'memory', 'brain'];
/** Ignores everything in the folder except what users write. */
const GITIGNORE =
  'workspace.json\nhead.json\noka.db*\nrun_ledger.jsonl*\nobjects/\ndamaged/\nforeign-*/\nrun/\ntools/\nmemory/\nbrain/\nvault*\nactive_task_graph.json\n';

/** What belongs to a ledger: database, mirror, artifacts, vault, signed head, derived files and caches, copies of repairs. */
const LEDGER_FILES =
  /^(oka\.db|run_ledger\.jsonl|vault|head\.json|active_task_graph\.json)|^(objects|damaged|memory|brain|run)$/;

/** The `.oka` folder of a workspace, and the places in it. */
export class WorkspaceFolder {
  readonly workspace: string;
  readonly directory: string;
  readonly database: string;
  readonly mirror: string;
  readonly vault: string;
  readonly config: string;
  readonly objects: string;
  /** The file with the workspace's random id. */
  readonly identityFile: string;

  constructor(workspace: string) {
    this.workspace = workspace;
    this.directory = join(workspace, '.oka');
    this.database = join(this.directory, 'oka.db');
    this.mirror = join(this.directory, 'run_ledger.jsonl');
    this.vault = join(this.directory, 'vault');
    this.config = join(this.directory, 'config.json');
    this.objects = join(this.directory, 'objects');
    this.identityFile = join(this.directory, 'workspace.json');
  }

  get exists(): boolean {
    return existsSync(this.directory);
  }

  /** Rejects a workspace that is not an accessible folder. */
  requireFolder(): void {
    try {
      if (!statSync(this.workspace).isDirectory())
        throw new OkaError('config.no_folder', `${this.workspace} is not a folder.`);
      accessSync(this.workspace, constants.R_OK | constants.X_OK);
    } catch (error) {
      if (error instanceof OkaError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      const sentence =
        code === 'ENOENT'
          ? 'does not exist. Pass an existing folder with -C'
          : 'cannot be opened. Check its permissions';
      throw new OkaError('config.no_folder', `${this.workspace} ${sentence}.`, {
        data: { folder: this.workspace, code: code ?? null },
      });
    }
  }

  /**
   * Rejects what a cloned folder may contain instead of Oka's own files: links, which could redirect writes to anywhere, and
   * pipes and the like, which would make a reader wait for ever.
   */
  refuseLinks(): void {
    const own = [
      this.directory,
      this.database,
      `${this.database}-wal`,
      `${this.database}-shm`,
      this.mirror,
      this.vault,
      this.config,
      this.objects,
      this.identityFile,
      join(this.directory, 'head.json'),
      ...OKA_ONLY_FOLDERS.map((name) => join(this.directory, name)),
      ...this.#inRun(),
    ];
    for (const path of own) refuseSpecial(path);
  }

  /** Files of processes: logs, records, caches. */
  #inRun(): readonly string[] {
    const run = join(this.directory, 'run');
    if (lstatSync(run, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(run).map((name) => join(run, name));
  }

  /** What tells this workspace from another one at the same path. */
  identity(): WorkspaceIdentity {
    return readIdentity(this.identityFile, this.workspace);
  }

  /** Takes rights on the folder and its databases from others, also where a clone or an archive brought them. */
  makePrivate(): void {
    this.refuseLinks();
    const files = [this.database, `${this.database}-wal`, `${this.database}-shm`, this.mirror, this.vault];
    try {
      limitMode(this.directory, 0o700);
      for (const file of files) if (existsSync(file)) limitMode(file, 0o600);
    } catch (error) {
      throw unwritable(this.directory, error);
    }
  }

  /** Tells whether the project's configuration file has changed. */
  get configVersion(): string {
    return fileVersion(this.config);
  }

  /** Tells whether a file has changed; its path is relative to the workspace. */
  versionOf(path: string): string {
    return fileVersion(resolve(this.workspace, path));
  }

  /** Gives a copy of a workspace an id of its own. */
  renewIdentity(): void {
    renewIdentity(this.identityFile);
  }

  /** The id of the workspace; workspaces of earlier versions get one here. */
  ensureIdentity(): string {
    makeIdentity(this.identityFile);
    const { id } = this.identity();
    if (id !== undefined) return id;
    throw new OkaError(
      'config.malformed',
      `${this.identityFile} has no valid id. Remove it, then trust the folder again: oka init --trust.`,
      { data: { file: this.identityFile } },
    );
  }

  /** A text that differs when the mirror or the vault has changed. */
  get filesVersion(): string {
    return `${fileVersion(this.mirror)} ${fileVersion(this.vault)}`;
  }

  get hasMirror(): boolean {
    return existsSync(this.mirror);
  }

  get hasVault(): boolean {
    return existsSync(this.vault);
  }

  /** Creates what is missing. True when the workspace is new. */
  create(): boolean {
    this.requireFolder();
    this.refuseLinks();
    const fresh = !this.exists;
    try {
      if (fresh) mkdirSync(this.directory, { mode: 0o700 });
      for (const folder of FOLDERS) mkdirSync(join(this.directory, folder), { recursive: true, mode: 0o700 });
      const ignore = join(this.directory, '.gitignore');
      if (!existsSync(ignore)) writeFileSync(ignore, GITIGNORE);
      makeIdentity(this.identityFile);
    } catch (error) {
      throw unwritable(this.directory, error);
    }
    return fresh;
  }

  /** A missing database with an existing mirror is damage, not an empty workspace. */
  requireDatabase(): void {
    if (sizeOf(this.database) > 0 || sizeOf(this.mirror) === 0) return;
    throw new OkaError(
      'ledger.database_missing',
      `${this.database} is missing or empty, but its mirror run_ledger.jsonl is not. Nothing was changed. To restore it: oka ledger repair.`,
      { data: { database: this.database, mirror: this.mirror } },
    );
  }

  /** Installs a rebuilt database; renames the old one and returns its new name. */
  replaceDatabase(rebuilt: string, suffix: string): string | undefined {
    let backup: string | undefined;
    if (sizeOf(this.database) > 0) {
      backup = `${this.database}.${suffix}`;
      for (const tail of ['', '-wal'])
        if (existsSync(this.database + tail)) renameSync(this.database + tail, backup + tail);
    }
    for (const tail of ['-wal', '-shm']) rmSync(this.database + tail, { force: true });
    renameSync(rebuilt, this.database);
    for (const tail of ['-wal', '-shm']) rmSync(rebuilt + tail, { force: true });
    return backup;
  }

  /** Moves the ledger with its artifacts, vault and caches into a new folder in `.oka`. Returns its path. */
  moveLedgerAside(suffix: string): string {
    const aside = join(this.directory, `foreign-${suffix}`);
    mkdirSync(aside, { mode: 0o700 });
    for (const name of readdirSync(this.directory))
      if (LEDGER_FILES.test(name)) renameSync(join(this.directory, name), join(aside, name));
    for (const name of FOLDERS) mkdirSync(join(this.directory, name), { recursive: true, mode: 0o700 });
    return aside;
  }

  /** Copies the mirror before it is rewritten. Returns the name of the copy. */
  backUpMirror(suffix: string): string {
    const backup = `${this.mirror}.${suffix}`;
    copyFileSync(this.mirror, backup);
    return backup;
  }

  removeMirror(): void {
    rmSync(this.mirror, { force: true });
  }

  /** Moves the file of a damaged blob away. Returns its new name; undefined if it does not exist. */
  moveBlobAside(digest: string): string | undefined {
    const path = join(this.objects, digest.slice(0, 2), digest.slice(2));
    if (!existsSync(path)) return undefined;
    const backup = `${this.directory}/damaged/${digest}`;
    mkdirSync(join(this.directory, 'damaged'), { recursive: true, mode: 0o700 });
    renameSync(path, backup);
    return backup;
  }

  /** Copies the vault before a repair. Returns the name of the copy; undefined if there is no vault. */
  backUpVault(suffix: string): string | undefined {
    if (!this.hasVault) return undefined;
    const backup = `${this.vault}.${suffix}`;
    copyFileSync(this.vault, backup);
    return backup;
  }

  removeVault(): void {
    rmSync(this.vault, { force: true });
  }

  /** Removes backups made by repairs, because they may hold content that a user wants erased. */
  /** Notes an erasure until the returned function is called, so that the next command finishes one that a crash interrupted. */
  noteErasure(events: readonly EventAddress[]): () => void {
    return noteErasure(this.directory, events);
  }

  discardBackups(): void {
    const backups = /^(oka\.db|run_ledger\.jsonl|vault)\.(before-(rebuild|repair)|beyond)-|^damaged$/;
    for (const name of readdirSync(this.directory))
      if (backups.test(name)) rmSync(join(this.directory, name), { recursive: true, force: true });
  }

  discard(file: string): void {
    for (const tail of ['', '-wal', '-shm']) rmSync(file + tail, { force: true });
  }

  sizes(): { readonly database: number; readonly log: number; readonly mirror: number } {
    return {
      database: sizeOf(this.database),
      log: sizeOf(`${this.database}-wal`),
      mirror: sizeOf(this.mirror),
    };
  }

  disk(): { readonly freeBytes: number; readonly totalBytes: number } {
    const { bavail, bsize, blocks } = statfsSync(this.exists ? this.directory : this.workspace);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  }
}

function refuseSpecial(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  if (found.isSymbolicLink()) throw linkRefused(path);
  const message = `${path} is no file and no folder. Move it away, then run the command again.`;
  throw new OkaError('config.unreadable', message, { data: { path } });
}

/** Changes a mode only where it grants more, so that it works on a read-only disk that is private already. */
function limitMode(path: string, mode: number): void {
  if ((statSync(path).mode & 0o777 & ~mode) !== 0) chmodSync(path, mode);
}

function unwritable(folder: string, error: unknown): OkaError {
  const { code } = error as NodeJS.ErrnoException;
  const { why, next } = systemRefusal(code) ?? {
    why: 'the system refused',
    next: 'Check the folder, then run the command again',
  };
  return new OkaError('config.unwritable', `${folder} cannot be created: ${why}. ${next}.`, {
    data: { folder, code: code ?? null },
    cause: error,
  });
}
