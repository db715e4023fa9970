// Owns: what a signed head says, and how a ledger compares with it. Does not own: keys and files.
import type { LedgerHead } from './types.ts';

/** A head of the ledger, signed with the user's key. It proves which events the ledger had at that time. */
export interface SignedHead extends LedgerHead {
  /** The id of the workspace, or another name of the ledger under which the head is kept. */
  readonly workspace: string;
  readonly at: number;
  /** The public key, as base64 of its DER form. */
  readonly key: string;
  /** The Ed25519 signature of `signedText`, as base64. */
  readonly signature: string;
}

/** The text that is signed. */
export function signedText({
  workspace,
  seq,
  hash,
  at,
}: Pick<SignedHead, 'workspace' | 'seq' | 'hash' | 'at'>): string {
  return ['oka signed head 1', workspace, seq, hash, at].join('\n');
}

/** What a comparison reads of a ledger, in a workspace or on a server. */
export interface HeadSource {
  head(): LedgerHead | Promise<LedgerHead>;
  chainAt(seq: number): string | undefined | Promise<string | undefined>;
}

/** `older`: the ledger ends before the signed event. `rewritten`: it has another event in that place. */
export type HeadComparison = 'sound' | 'older' | 'rewritten';

/** Compares a ledger with a head that it had before. */
export async function compareWithSigned(signed: LedgerHead, ledger: HeadSource): Promise<HeadComparison> {
  if (signed.seq === 0) return 'sound';
  if ((await ledger.head()).seq < signed.seq) return 'older';
  return (await ledger.chainAt(signed.seq)) === signed.hash ? 'sound' : 'rewritten';
}
