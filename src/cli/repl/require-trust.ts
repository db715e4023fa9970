import { isOkaError, type OkaApi, OkaError } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { type CommandLine, runCommand } from './run-command.ts';

/** A workspace that nobody has made or trusted yet is made and trusted first, if the person wants that. */
export async function requireTrust(context: Context, commandLine: CommandLine, api: OkaApi): Promise<void> {
  const ask = (): Promise<void> =>
    runCommand(commandLine, ['init'], { workspace: context.workspace, api, onRunning: () => undefined });
  const isThere = await api.chat.list().then(
    () => true,
    (error: unknown) => {
      if (isOkaError(error, 'config.no_workspace')) return false;
      throw error;
    },
  );
  if (!isThere) await ask();
  if ((await api.init({ trust: false })).trusted) return;
  if (isThere) await ask();
  if (isThere && (await api.init({ trust: false })).trusted) return;
  throw new OkaError(
    'config.not_trusted',
    `${context.workspace} is not trusted, so agents do not work in it; when you trust it: oka init --trust.`,
    { data: { workspace: context.workspace } },
  );
}
