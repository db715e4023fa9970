// Owns: the newest signed head of a ledger, in OKA_HOME/heads/<workspace id>.json and beside the ledger in .oka/head.json.
// I1 A head is signed only after its events are on disk, so a ledger can be newer than its signed head, never older.
// I2 OKA_HOME decides. The copy beside the ledger only shows that a copied or restored ledger is the user's own.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, replaceFile, temporaryFor, writeNewFile } from '../../disk/index.ts';
import type { Clock } from '../../kernel/index.ts';
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

export class SignedHeads {
  readonly #home: string;
  readonly #folder: WorkspaceFolder;
  readonly #clock: Clock;
  readonly #key: SigningKey;

  constructor({
    home,
    folder,
    clock,
  }: {
    readonly home: string;
    readonly folder: WorkspaceFolder;
    readonly clock: Clock;
  }) {
    this.#home = home;
    this.#folder = folder;
    this.#clock = clock;
    this.#key = new SigningKey(home);
  }

  /** The newest signed head that the user's folder knows for this workspace. */
  anchored(): FoundHead {
    const { id } = this.#folder.identity();
    if (id === undefined) return { state: 'none' };
    const found = this.#check(this.#anchorFile(id));
    return found.state === 'valid' && found.head.workspace !== id ? { state: 'forged' } : found;
  }

  /** The signed head beside the ledger. Valid only if the user's own key signed it. */
  beside(): FoundHead {
    return this.#check(this.#besideFile);
  }

  /** Signs a head whose events are on disk. Keeps a newer one that another process has signed, unless `always`. */
  sign({ seq, hash }: LedgerHead, { always = false } = {}): void {
    const id = this.#folder.ensureIdentity();
    const known = this.anchored();
    if (!always && known.state === 'valid' && known.head.seq >= seq) return;
    const text = `${JSON.stringify(this.seal(id, { seq, hash }))}\n`;
    makePrivateFolder(join(this.#home, 'heads'));
    replaceFile(this.#anchorFile(id), text);
    const temporary = temporaryFor(this.#besideFile);
    rmSync(temporary, { force: true });
    try {
      writeNewFile(temporary, text);
      renameSync(temporary, this.#besideFile);
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  /** A signed head, without storing it. */
  seal(workspace: string, { seq, hash }: LedgerHead): SignedHead {
    const about = { workspace, seq, hash, at: this.#clock.now() };
    return { ...about, ...this.#key.sign(signedText(about)) };
  }

  /** Signs an exported run of this workspace. */
  sealExport(run: string, digest: string): ExportSignature {
    const about = { workspace: this.#folder.ensureIdentity(), at: this.#clock.now() };
    return { ...about, ...this.#key.sign(signedExportText({ ...about, run, digest })) };
  }

  /** Whether the user's own key has signed this head. */
  isOwn(head: SignedHead): boolean {
    return (
      Number.isSafeInteger(head.seq) &&
      typeof head.hash === 'string' &&
      head.key === this.#key.publicKey &&
      isSignedBy(head.key, signedText(head), head.signature)
    );
  }

  get #besideFile(): string {
    return join(this.#folder.directory, 'head.json');
  }

  #anchorFile(id: string): string {
    return join(this.#home, 'heads', `${id}.json`);
  }

  #check(file: string): FoundHead {
    let value: unknown;
    try {
      value = readJsonFile(file);
    } catch {
      return { state: 'forged' };
    }
    if (value === undefined) return { state: 'none' };
    const head = value as SignedHead;
    return this.isOwn(head) ? { state: 'valid', head } : { state: 'forged' };
  }
}
