import { isOkaError, type OkaApi, OkaError } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { type CommandLine, runCommand } from './run-command.ts';

/** Offers to create and trust the workspace; throws if it stays untrusted. */
export async function requireTrust(context: Context, commandLine: CommandLine, api: OkaApi): Promise<void> {
  const ask = (): Promise<void> =>
    runCommand(commandLine, ['init'], { workspace: context.workspace, api, onRunning: () => undefined });
  const isWorkspace = await api.chat.list().then(
    () => true,
    (error: unknown) => {
      if (isOkaError(error, 'config.no_workspace')) return false;
      throw error;
    },
  );
  if (!isWorkspace) await ask();
  if ((await api.init({ trust: false })).trusted) return;
  if (isWorkspace) await ask();
  if (isWorkspace && (await api.init({ trust: false })).trusted) return;
  throw new OkaError(
    'config.not_trusted',
    `${context.workspace} is not trusted, so agents cannot work in it. To trust it: oka init --trust.`,
    { data: { workspace: context.workspace } },
  );
}
