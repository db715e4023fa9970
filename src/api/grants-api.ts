import * as z from 'zod';
import { epochMs, flag, list, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** An approval that also covers later calls. */
const grantView = z.object({
  id: text,
  tool: text,
  /** What it covers, in words. */
  covers: text,
  /** The program that it covers, if it covers one. */
  program: text.exactOptional(),
  /** The folder of the workspace that it holds for. */
  workspace: text,
  by: text,
  at: epochMs,
  expiresAt: epochMs.exactOptional(),
  /** False if it covers nothing any more. */
  active: flag,
  /** Why it covers nothing any more. */
  why: text.exactOptional(),
});
export type GrantView = TypeOf<typeof grantView>;

/** `id` names one grant; without it all grants of the workspace are revoked. */
const revokeGrantsRequest = z.object({ id: text.exactOptional() });
export type RevokeGrantsRequest = TypeOf<typeof revokeGrantsRequest>;

/** Remembered approvals. They run in the process of the caller, so neither tools nor servers reach them. */
export interface GrantsApi {
  /** The newest first, also those that have expired. */
  list(): Promise<readonly GrantView[]>;
  /** Returns the revoked grants. Fails with `engine.unknown_grant`. */
  revoke(request: RevokeGrantsRequest): Promise<readonly GrantView[]>;
}

export const grantsSchemas: SchemasOf<GrantsApi> = {
  list: [[], list(grantView)],
  revoke: [[revokeGrantsRequest], list(grantView)],
};
