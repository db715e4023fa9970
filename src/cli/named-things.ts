import type { Command } from 'commander';
import { type OkaApi, requestLine, shortIds } from '../api/index.ts';

/** An existing thing that a command can name. */
export interface NamedThing {
  readonly name: string;
  readonly about?: string;
}

const MAX_SHOWN = 30;

export const NAMED_THINGS = {
  run: async ({ runs }) => {
    const newest = await runs.list({ limit: MAX_SHOWN });
    const shown = shortIds(newest.map(({ id }) => id));
    return newest.map(({ id, status, goal = '' }) => ({ name: shown(id), about: `${status}: ${goal}` }));
  },
  graph: async ({ graphs }) =>
    (await graphs.list()).map(({ id, name }) => ({ name: id, ...(name === id ? {} : { about: name }) })),
  agent: async ({ agents }) =>
    (await agents.list()).map(({ name, description }) => ({
      name,
      ...(description === undefined ? {} : { about: description }),
    })),
  conversation: async ({ chat }) =>
    (await chat.list()).map(({ name, agents }) => ({ name, about: agents.join(' ') })),
  approval: async ({ approvals }) => {
    const pending = await approvals.list({ status: 'pending', brief: true });
    const shown = shortIds(pending.map(({ id }) => id));
    const newest = pending.slice(-MAX_SHOWN).reverse();
    return newest.map((approval) => ({ name: shown(approval.id), about: requestLine(approval) }));
  },
  schedule: async ({ graphs }) =>
    (await graphs.schedules.list()).map(({ id, graph }) => ({ name: id, about: graph })),
  procedure: async ({ procedures }) =>
    (await procedures.list()).procedures.map(({ id, trigger }) => ({
      name: id,
      about: trigger.phrases[0] ?? '',
    })),
  skill: async ({ skills }) =>
    (await skills.list()).skills.map(({ name, description }) => ({ name, about: description })),
  tool: async ({ tools }) =>
    (await tools.list()).map(({ name, description }) => ({ name, about: description })),
  server: async ({ mcp }) => (await mcp.list()).map(({ name, status }) => ({ name, about: status })),
  case: async ({ evals }) => (await evals.list()).map(({ name, goal }) => ({ name, about: goal })),
  model: async ({ models }) =>
    (await models.list()).models.map(({ name, model }) => ({
      name,
      ...(name === model ? {} : { about: model }),
    })),
  credential: async ({ vault }) => (await vault.list()).credentials.map(({ name }) => ({ name })),
} as const satisfies Readonly<Record<string, (api: OkaApi) => Promise<readonly NamedThing[]>>>;

export type KindOfThing = keyof typeof NAMED_THINGS;

/** What `<name>` means in subcommands of these commands. */
const NAMES_OF: Readonly<Record<string, KindOfThing>> = {
  agent: 'agent',
  skills: 'skill',
  tools: 'tool',
  mcp: 'server',
  vault: 'credential',
  model: 'model',
};

/** The kind of thing an argument names; undefined for new names. */
export function kindOfArgument(argument: string, command: Command): KindOfThing | undefined {
  if (argument !== 'name')
    return Object.hasOwn(NAMED_THINGS, argument) ? (argument as KindOfThing) : undefined;
  const isNew = command.name() === 'new' || command.name() === 'add';
  return isNew ? undefined : NAMES_OF[command.parent?.name() ?? ''];
}
