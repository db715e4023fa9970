// Owns: the newest signed heads of a ledger: in OKA_HOME/heads, in a second folder that the user names, and beside the ledger.
// I1 A head is signed only after its events are stored durably, so a ledger can be newer than its signed head, never older.
// I2 OKA_HOME and the second folder decide. The copy beside the ledger only shows that a copied or restored one is the user's.
// I3 A head is kept under every name of its ledger (its id and its place), so that neither name can be lost alone.
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, replaceFile, temporaryFor, writeNewFile } from '../../disk/index.ts';
import { type Clock, digestOf } from '../../kernel/index.ts';
import {
  type ExportSignature,
  type LedgerHead,
  type SignedHead,
  signedExportText,
  signedText,
} from '../../ledger/index.ts';
import { readJsonFile } from './json-file.ts';
import { isSignedBy, SigningKey } from './signing-key.ts';
import type { WorkspaceFolder } from './workspace-folder.ts';

/** A signed head as it was found: `forged` if its signature is wrong or belongs to another key or workspace. */
export type FoundHead =
  | { readonly state: 'none' }
  | { readonly state: 'forged' }
  | { readonly state: 'valid'; readonly head: SignedHead };

/** Every head of a ledger that is known, newest first. */
export interface KnownHeads {
  readonly heads: readonly SignedHead[];
  /** Files whose signature is wrong. */
  readonly forged: readonly string[];
  /** The second folder, if it cannot be read now. */
  readonly unreadable?: string;
}

interface SignedHeadsParts {
  readonly home: string;
  readonly folder: WorkspaceFolder;
  readonly clock: Clock;
  /** The server and schema of a ledger that is not in the workspace. */
  readonly server?: string | undefined;
  /** A folder that other machines may share, for example on another disk. */
  readonly secondFolder?: string | undefined;
}

export class SignedHeads {
  readonly #parts: SignedHeadsParts;
  readonly #key: SigningKey;

  constructor(parts: SignedHeadsParts) {
    this.#parts = parts;
    this.#key = new SigningKey(parts.home);
  }

  /** `start` is the chain value of the ledger's first event, if it has one. */
  known(start?: string): KnownHeads {
    const names = this.#names(start);
    const found = names.map((name) => this.#read(this.#anchorFile(name), name, true));
    let unreadable: string | undefined;
    try {
      for (const name of names)
        for (const file of this.#sharedFiles(name)) found.push(this.#read(file, name, false));
    } catch {
      unreadable = this.#parts.secondFolder;
    }
    return {
      heads: found
        .flatMap((one) => (one.state === 'valid' ? [one.head] : []))
        .sort((one, other) => other.seq - one.seq),
      forged: found.flatMap((one) => (one.state === 'forged' ? [one.file] : [])),
      ...(unreadable === undefined ? {} : { unreadable }),
    };
  }

  /** Whether the user's folder has a head under the id of the workspace, and not only under its path. */
  isKnownById(): boolean {
    const { id } = this.#parts.folder.identity();
    return id !== undefined && this.#read(this.#anchorFile(id), id, true).state !== 'none';
  }

  /** The signed head beside the ledger. Valid only if the user's own key signed it. */
  beside(): FoundHead {
    return this.#read(this.#besideFile, undefined, true);
  }

  /** Signs a head whose events are stored. Keeps a newer one that another process has signed, unless `always`. */
  sign(
    { seq, hash }: LedgerHead,
    { always = false, start }: { readonly always?: boolean; readonly start?: string | undefined } = {},
  ): void {
    const { home, folder, server, secondFolder } = this.#parts;
    const id = folder.ensureIdentity();
    makePrivateFolder(join(home, 'heads'));
    for (const name of this.#names(start)) {
      const file = this.#anchorFile(name);
      const found = this.#read(file, name, true);
      if (!always && found.state === 'valid' && found.head.seq >= seq) continue;
      const text = `${JSON.stringify(this.seal(name, { seq, hash }))}\n`;
      replaceFile(file, text);
      if (name === id && server === undefined) this.#writeBeside(text);
      if (secondFolder === undefined) continue;
      // A person who accepts a ledger accepts it for every machine that shares the folder.
      if (always) for (const shared of this.#sharedFiles(name)) rmSync(shared);
      const own = this.#sharedFile(name);
      replaceFile(own, text);
    }
  }

  /** Forgets the head of this path, where the user begins another ledger there. */
  forgetPath(): void {
    rmSync(this.#anchorFile(this.#pathName()), { force: true });
  }

  /** A signed head, without storing it. */
  seal(workspace: string, { seq, hash }: LedgerHead): SignedHead {
    const about = { workspace, seq, hash, at: this.#parts.clock.now() };
    return { ...about, ...this.#key.sign(signedText(about)) };
  }

  /** Signs an exported run of this workspace. */
  sealExport(run: string, digest: string): ExportSignature {
    const about = { workspace: this.#parts.folder.ensureIdentity(), at: this.#parts.clock.now() };
    return { ...about, ...this.#key.sign(signedExportText({ ...about, run, digest })) };
  }

  /** Whether the user's own key has signed this head. */
  isOwn(head: SignedHead): boolean {
    return head.key === this.#key.publicKey && isSigned(head);
  }

  /** The names of the ledger: the id and the path of its workspace; on a server, its first event and its address. */
  #names(start?: string): readonly string[] {
    const { folder, server } = this.#parts;
    if (server !== undefined)
      return [
        `server-${digestOf(server).slice(0, 32)}`,
        ...(start === undefined ? [] : [`ledger-${start.slice(0, 32)}`]),
      ];
    const { id } = folder.identity();
    return [...(id === undefined ? [] : [id]), this.#pathName()];
  }

  /** With the inode, because another folder may be at the same path later. */
  #pathName(): string {
    const { path, inode } = this.#parts.folder.identity();
    return `path-${digestOf(`${path} ${inode}`).slice(0, 32)}`;
  }

  get #besideFile(): string {
    return join(this.#parts.folder.directory, 'head.json');
  }

  #anchorFile(name: string): string {
    return join(this.#parts.home, 'heads', `${name}.json`);
  }

  /** Each key has a file of its own, so that machines do not overwrite the heads of each other. */
  #sharedFile(name: string): string {
    const key = digestOf(this.#key.publicKey ?? '').slice(0, 12);
    return join(this.#parts.secondFolder as string, `${name}.${key}.json`);
  }

  #sharedFiles(name: string): readonly string[] {
    const { secondFolder } = this.#parts;
    if (secondFolder === undefined) return [];
    return readdirSync(secondFolder)
      .filter((file) => file.startsWith(`${name}.`) && file.endsWith('.json'))
      .map((file) => join(secondFolder, file));
  }

  #writeBeside(text: string): void {
    const temporary = temporaryFor(this.#besideFile);
    rmSync(temporary, { force: true });
    try {
      writeNewFile(temporary, text);
      renameSync(temporary, this.#besideFile);
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  #read(file: string, name: string | undefined, onlyOwn: boolean): FoundHead & { readonly file: string } {
    let value: unknown;
    try {
      value = readJsonFile(file);
    } catch {
      return { state: 'forged', file };
    }
    if (value === undefined) return { state: 'none', file };
    const head = value as SignedHead;
    const isValid =
      (onlyOwn ? this.isOwn(head) : isSigned(head)) && (name === undefined || head.workspace === name);
    return isValid ? { state: 'valid', head, file } : { state: 'forged', file };
  }
}

function isSigned(head: SignedHead): boolean {
  return (
    Number.isSafeInteger(head.seq) &&
    typeof head.hash === 'string' &&
    isSignedBy(head.key, signedText(head), head.signature)
  );
}
