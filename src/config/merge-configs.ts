import type { OkaConfig, RetentionConfig } from './types.ts';

const STRICTNESS: readonly OkaConfig['sandbox'][] = ['off', 'auto', 'required'];

/** Merges the user's and a project's configuration: the project adds and chooses, and can only tighten. */
export function mergeConfigs(user: OkaConfig, project: OkaConfig): OkaConfig {
  return {
    limits: smaller(user.limits, project.limits),
    dailyLimits: smaller(user.dailyLimits, project.dailyLimits),
    conversationLimits: smaller(user.conversationLimits, project.conversationLimits),
    prices: user.prices,
    rateLimits: { ...user.rateLimits, ...project.rateLimits },
    hooks: [...user.hooks, ...project.hooks],
    approvalExpiresMs: Math.min(user.approvalExpiresMs, project.approvalExpiresMs),
    models: { ...user.models, ...project.models },
    defaultModel: project.defaultModel ?? user.defaultModel,
    sandbox: stricter(user.sandbox, project.sandbox),
    // Only the user's own file decides whom the user trusts.
    trustWorkspaceText: user.trustWorkspaceText,
    allowPrivate: user.allowPrivate,
    installs: user.installs,
    ...(user.embedder === undefined ? {} : { embedder: user.embedder }),
    ...(user.replication === undefined ? {} : { replication: user.replication }),
    chat: smaller(
      user.chat as Readonly<Record<string, number>>,
      project.chat as Readonly<Record<string, number>>,
    ),
    alwaysSync: user.alwaysSync || project.alwaysSync,
    retention: larger(user.retention, project.retention),
  };
}

function smaller(
  user: Readonly<Record<string, number>>,
  project: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const limits: Record<string, number> = { ...project };
  for (const [name, limit] of Object.entries(user)) limits[name] = Math.min(limit, project[name] ?? limit);
  return limits;
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
