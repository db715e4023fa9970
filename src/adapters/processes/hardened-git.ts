import { userHome } from '../../disk/index.ts';
import type { Clock } from '../../kernel/index.ts';
import {
  GIT_SETTINGS_QUERY,
  type GitIdentity,
  gitEnvironment,
  hardenGit,
  isGit,
  type ProcessRequest,
  type ProcessResult,
} from '../../tools/index.ts';
import { CappedOutput, cleanEnvironment, runCommand } from './run-command.ts';

/** Starts a program with these arguments, where the request says. */
type Start = (args: readonly string[], request: ProcessRequest) => Promise<ProcessResult>;

const QUERY_TIMEOUT_MS = 20_000;
const MAX_QUERY_BYTES = 1024 * 1024;

/**
 * Runs git with `start` so that nothing in the repository makes it start another program; runs every other program as it is.
 * `program` is the real path.
 */
export async function runHardened(
  program: string,
  request: ProcessRequest,
  clock: Clock,
  start: Start,
): Promise<ProcessResult> {
  const args = request.argv.slice(1);
  if (!isGit(program) && !isGit(request.argv[0] as string)) return start(args, request);
  const environment = { ...request.environment, ...gitEnvironment() };
  // Refuses the arguments before the first program starts.
  hardenGit(args);
  const { network: _, stdin: __, ...alone } = request;
  const listed = await start(hardenGit(GIT_SETTINGS_QUERY), {
    ...alone,
    environment,
    timeoutMs: QUERY_TIMEOUT_MS,
    maxOutputBytes: MAX_QUERY_BYTES,
  });
  const settings = listed.stdout.split('\0').filter((name) => name !== '');
  const identity = await readIdentity(program, clock);
  return start(hardenGit(args, { settings, identity, complete: !listed.truncated }), {
    ...request,
    environment,
  });
}

let identity: Promise<GitIdentity> | undefined;

/** The name and address in the person's own settings, read once. */
function readIdentity(program: string, clock: Clock): Promise<GitIdentity> {
  identity ??= Promise.all(['user.name', 'user.email'].map((key) => ownSetting(program, key, clock))).then(
    ([name, email]) => ({
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
    }),
  );
  return identity;
}

async function ownSetting(program: string, key: string, clock: Clock): Promise<string | undefined> {
  const stdout = new CappedOutput(MAX_QUERY_BYTES, 0);
  const command = {
    program,
    args: ['config', '--global', '--includes', '--get', key],
    cwd: '/',
    environment: {
      ...cleanEnvironment(['PATH', 'XDG_CONFIG_HOME']),
      HOME: userHome(),
      GIT_CONFIG_NOSYSTEM: '1',
    },
    stdout,
    stderr: new CappedOutput(0, 0),
    timeoutMs: QUERY_TIMEOUT_MS,
    graceMs: 0,
    endsLeftovers: true,
  };
  const end = await runCommand(command, clock).catch(() => undefined);
  return end?.exitCode === 0 ? stdout.text().trim() || undefined : undefined;
}
