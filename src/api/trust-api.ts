import * as z from 'zod';
import { epochMs, flag, list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** Something in a workspace that can run a program or send data without another question. */
const trustItem = z.object({
  kind: text,
  name: text,
  /** Only an approved item acts. */
  state: z.enum(['approved', 'new', 'changed']),
  /** What it does, as JSON. */
  text,
  /** The difference from the approved version, if there is one. */
  diff: text.exactOptional(),
  /** When it acts next, if it acts by itself. */
  nextAt: epochMs.exactOptional(),
});
export type TrustItem = TypeOf<typeof trustItem>;

const trustView = z.object({
  workspace: text,
  trusted: flag,
  trustedAt: epochMs.exactOptional(),
  /** The former path of a trusted folder that was moved here. */
  movedFrom: text.exactOptional(),
  items: list(trustItem),
  /** Approved items that do not exist any more. */
  removed: list(z.object({ kind: text, name: text })),
  /** How many items of each kind there are, such as `2 hooks, 1 MCP server`. */
  summary: text,
  /** Identifies exactly this workspace with exactly these items; an approval names it. */
  digest: text,
  /** After an approval: what happened to a ledger that is not the user's own. */
  notice: text.exactOptional(),
});
export type TrustView = TypeOf<typeof trustView>;

const trustedWorkspace = z.object({
  path: text,
  id: text.exactOptional(),
  trustedAt: epochMs,
  /** The number of approved items. */
  items: number,
  /** `replaced`: another workspace is at that path now, which is not trusted. */
  state: z.enum(['trusted', 'replaced', 'missing']),
});
export type TrustedWorkspace = TypeOf<typeof trustedWorkspace>;

const approveTrustRequest = z.object({
  /** The digest of the view that the user saw. */
  digest: text,
  /** Keep a ledger that is not the user's own, without any trust in its content; otherwise it is moved aside. */
  adoptLedger: flag.exactOptional(),
});

/** What the user trusts. Every operation runs in the process of the caller: no socket reaches it. */
export interface TrustApi {
  /** What acts in this workspace, and what would act once it is trusted. */
  show(): Promise<TrustView>;
  /** Trusts the workspace with everything in the view. Fails with `config.trust_changed` if something has changed since. */
  approve(request: TypeOf<typeof approveTrustRequest>): Promise<TrustView>;
  list(): Promise<readonly TrustedWorkspace[]>;
  /** Revokes the trust in the folder at this path. False if it was not trusted. */
  revoke(path: string): Promise<{ readonly path: string; readonly revoked: boolean }>;
}

export const trustSchemas: SchemasOf<TrustApi> = {
  show: [[], trustView],
  approve: [[approveTrustRequest], trustView],
  list: [[], list(trustedWorkspace)],
  revoke: [[{ path: text }], z.object({ path: text, revoked: flag })],
};
