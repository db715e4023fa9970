/** What a workspace's `config.json` may say. Times are in the unit that their name ends with. */
export interface OkaConfig {
  readonly limits: Readonly<Record<string, number>>;
  readonly rateLimits: Readonly<Record<string, { readonly calls: number; readonly intervalMs: number }>>;
  readonly hooks: readonly {
    readonly on: 'before_run' | 'after_run' | 'before_node' | 'after_node' | 'on_error';
    readonly command: readonly string[];
    readonly timeoutMs: number;
    readonly onFailure: 'ignore' | 'fail';
  }[];
  readonly approvalExpiresMs: number;
  /** Models by the names that graphs and agents use. Script paths are relative to the workspace. */
  readonly models: Readonly<Record<string, { readonly provider: 'scripted'; readonly script: string }>>;
  /** The model that is asked when none is named; the first one unless told. */
  readonly defaultModel: string | undefined;
  /** Every commit reaches the disk before it answers, not only effects and what is acknowledged. */
  readonly alwaysSync: boolean;
}

export const DEFAULT_CONFIG: OkaConfig = {
  limits: {},
  rateLimits: {},
  hooks: [],
  approvalExpiresMs: 86_400_000,
  models: {},
  defaultModel: undefined,
  alwaysSync: false,
};

export type ConfigErrorCode =
  | 'config.not_trusted'
  | 'config.no_workspace'
  | 'config.no_folder'
  | 'config.link_refused'
  | 'config.unwritable'
  | 'config.unreadable'
  | 'config.malformed'
  | 'config.invalid';
