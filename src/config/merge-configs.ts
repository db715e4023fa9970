import { MODEL_PROVIDERS, type OkaConfig, type RetentionConfig } from './types.ts';

const STRICTNESS: readonly OkaConfig['sandbox'][] = ['off', 'auto', 'required'];

/** The limits that hold where no file sets one. A project cannot raise them either. */
export interface DefaultLimits {
  readonly limits?: Readonly<Record<string, number | undefined>>;
  readonly chat?: Readonly<Record<string, number | undefined>>;
}

/** Merges the user's and a project's configuration: the project adds and chooses, and can only tighten. */
export function mergeConfigs(user: OkaConfig, project: OkaConfig, defaults: DefaultLimits = {}): OkaConfig {
  const { models, shadowed } = ownModelsFirst(user.models, project.models);
  return {
    limits: smaller(user.limits, project.limits, defaults.limits),
    dailyLimits: smaller(user.dailyLimits, project.dailyLimits),
    conversationLimits: smaller(user.conversationLimits, project.conversationLimits),
    prices: user.prices,
    rateLimits: slower(user.rateLimits, project.rateLimits),
    hooks: [...user.hooks, ...project.hooks],
    approvalExpiresMs: Math.min(user.approvalExpiresMs, project.approvalExpiresMs),
    models,
    defaultModel: project.defaultModel ?? user.defaultModel ?? Object.keys(models)[0],
    ...(shadowed.length === 0 ? {} : { shadowedModels: shadowed }),
    sandbox: stricter(user.sandbox, project.sandbox),
    // Only the user's own file decides whom the user trusts.
    trustWorkspaceText: user.trustWorkspaceText,
    sandboxRead: user.sandboxRead,
    sandboxLimits: user.sandboxLimits,
    allowPrivate: user.allowPrivate,
    allowHosts: user.allowHosts,
    installs: user.installs,
    execution: mergeExecution(user.execution, project.execution),
    ...(user.embedder === undefined ? {} : { embedder: user.embedder }),
    ...(user.webPort === undefined ? {} : { webPort: user.webPort }),
    // A project's file cannot send anything anywhere.
    ...(user.telemetry === undefined ? {} : { telemetry: user.telemetry }),
    ...(user.replication === undefined ? {} : { replication: user.replication }),
    ...(user.ledger === undefined ? {} : { ledger: user.ledger }),
    chat: smaller(
      user.chat as Readonly<Record<string, number>>,
      project.chat as Readonly<Record<string, number>>,
      defaults.chat,
    ),
    alwaysSync: user.alwaysSync || project.alwaysSync,
    retention: larger(user.retention, project.retention),
  };
}

/** A project names itself, and may limit its runs and leave interrupted ones to a person; the rest is the user's decision. */
function mergeExecution(
  user: OkaConfig['execution'],
  { project, runsAtOnce, interrupted }: OkaConfig['execution'],
): OkaConfig['execution'] {
  const limits = [user.runsAtOnce, runsAtOnce].filter((limit) => limit !== undefined);
  return {
    ...user,
    ...(project === undefined ? {} : { project }),
    ...(interrupted === 'wait' ? { interrupted } : {}),
    ...(limits.length === 0 ? {} : { runsAtOnce: Math.min(...limits) }),
  };
}

function smaller(
  user: Readonly<Record<string, number>>,
  project: Readonly<Record<string, number>>,
  defaults: Readonly<Record<string, number | undefined>> = {},
): Readonly<Record<string, number>> {
  const limits: Record<string, number> = { ...user };
  for (const [name, limit] of Object.entries(project))
    limits[name] = Math.min(limit, user[name] ?? defaults[name] ?? limit);
  return limits;
}

type RateLimits = OkaConfig['rateLimits'];
type RateLimit = RateLimits[string];

/**
 * A limit for one tool replaces that of its family and is counted apart. A project's limit for a tool of a family that the user
 * limits therefore tightens the family.
 */
function slower(user: RateLimits, project: RateLimits): RateLimits {
  const limits: Record<string, RateLimit> = { ...user };
  for (const [name, limit] of Object.entries(project)) {
    const family = `${name.split('.')[0]}.*`;
    const key = Object.hasOwn(user, name) || !Object.hasOwn(user, family) ? name : family;
    const known = Object.hasOwn(limits, key) ? limits[key] : undefined;
    limits[key] = known === undefined ? limit : slowest(known, limit);
  }
  return limits;
}

/**
 * Allows in no interval more calls than either limit alone: the smaller burst, repeated so rarely that whole bursts stay within
 * both limits.
 */
function slowest(a: RateLimit, b: RateLimit): RateLimit {
  const calls = Math.min(a.calls, b.calls);
  const intervals = [a, b].map((limit) => Math.ceil(limit.intervalMs / Math.floor(limit.calls / calls)));
  return { calls, intervalMs: Math.max(...intervals) };
}

/** Names that mean a provider's own model where no file defines them. */
const PROVIDER_MODEL = new RegExp(
  `^(${MODEL_PROVIDERS.filter((id) => id !== 'openai-compatible').join('|')})/`,
);

/** The user's models keep their names, and so do the models that are named by their provider. */
function ownModelsFirst(
  user: OkaConfig['models'],
  project: OkaConfig['models'],
): { readonly models: OkaConfig['models']; readonly shadowed: readonly string[] } {
  const shadowed = Object.keys(project).filter(
    (name) => Object.hasOwn(user, name) || PROVIDER_MODEL.test(name),
  );
  const added = Object.entries(project).filter(([name]) => !shadowed.includes(name));
  return { models: { ...user, ...Object.fromEntries(added) }, shadowed };
}

/** Where both files set a duration, the longer one applies: a project can delete no earlier than the user allows. */
function larger(user: RetentionConfig, project: RetentionConfig): RetentionConfig {
  const merged: { -readonly [Key in keyof RetentionConfig]: number } = { ...project };
  for (const [name, value] of Object.entries(user) as [keyof RetentionConfig, number][])
    merged[name] = Math.max(value, project[name] ?? value);
  return merged;
}

function stricter(user: OkaConfig['sandbox'], project: OkaConfig['sandbox']): OkaConfig['sandbox'] {
  return STRICTNESS.indexOf(user) >= STRICTNESS.indexOf(project) ? user : project;
}
