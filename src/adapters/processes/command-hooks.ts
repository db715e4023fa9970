import type { HookName, HookResult, Hooks } from '../../engine/index.ts';
import { type Clock, type JsonObject, type Redactor, systemClock, textOf } from '../../kernel/index.ts';
import type { ProgramLaunch, SandboxAccess } from '../../tools/index.ts';
import { CappedOutput, cleanEnvironment, runCommand } from './run-command.ts';
import type { DefinedProgram } from './workspace-processes.ts';

/** A command or module that trusted configuration attaches to a run event. */
export interface HookConfig {
  readonly on: HookName;
  readonly command: readonly string[];
  readonly timeoutMs: number;
  readonly onFailure: 'ignore' | 'fail';
  /** What it may reach. Default: it may change the workspace, without network. `off` only in the user's own file. */
  readonly sandbox?: SandboxAccess | 'off';
}

interface HookOptions {
  readonly redactor: Redactor;
  /** Prepares the program; rejects if it may not start. */
  readonly launch: (program: DefinedProgram, event: JsonObject) => Promise<ProgramLaunch>;
  readonly clock?: Clock;
}

const DEFAULT_ACCESS: SandboxAccess = { write: ['.'], network: false };

const MAX_OUTPUT_LENGTH = 16_384;
const INHERITED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'USER'];

/** Runs hooks as processes: event as JSON on stdin, clean environment, time limit, captured output, killed on abort. */
export function commandHooks(hooks: readonly HookConfig[], options: HookOptions): Hooks {
  const named = (name: HookName): readonly HookConfig[] => hooks.filter((hook) => hook.on === name);
  return {
    has: (name) => named(name).length > 0,
    async run(name, event, signal) {
      const results = [];
      for (const hook of named(name)) {
        if (signal?.aborted) break;
        const result = await runHook(hook, event, options, signal);
        results.push({
          ...result,
          output: options.redactor.text(result.output),
          hook: `${name}: ${hook.command.join(' ')}`,
          fail: hook.onFailure === 'fail',
        });
      }
      return results;
    },
  };
}

async function runHook(
  hook: HookConfig,
  event: JsonObject,
  { launch: prepare, clock = systemClock }: HookOptions,
  signal: AbortSignal | undefined,
): Promise<HookResult> {
  const output = new CappedOutput(MAX_OUTPUT_LENGTH, 0);
  const { sandbox = DEFAULT_ACCESS } = hook;
  let launch: ProgramLaunch;
  try {
    launch = await prepare(
      {
        command: commandOf(hook),
        environment: cleanEnvironment(INHERITED),
        access: sandbox === 'off' ? {} : sandbox,
        unconfined: sandbox === 'off',
        endsSoon: true,
      },
      event,
    );
  } catch (error) {
    return notStarted(error);
  }
  const { program, args, cwd, environment, filter } = launch;
  const command = {
    program,
    args,
    cwd,
    environment,
    ...(filter === undefined ? {} : { filter }),
    stdin: `${JSON.stringify(event)}\n`,
    stdout: output,
    stderr: output,
    timeoutMs: hook.timeoutMs,
    graceMs: 0,
  };
  try {
    const { exitCode, stopped } = await runCommand(command, clock, signal);
    for (const note of await launch.check()) output.add(Buffer.from(`\n${note}`));
    if (stopped === undefined) return { ok: exitCode === 0, exitCode, output: output.text() };
    const note = stopped === 'abort' ? 'stopped with the run' : `stopped after ${hook.timeoutMs} ms`;
    return { ok: false, exitCode, output: `${output.text()}\n${note}`.trim() };
  } catch (error) {
    return notStarted(error);
  } finally {
    await launch.end();
  }
}

function notStarted(error: unknown): HookResult {
  return { ok: false, exitCode: null, output: textOf(error instanceof Error ? error.message : error) };
}

/** A module runs in this Node; anything else is a program with its arguments. */
function commandOf(hook: HookConfig): readonly string[] {
  const isModule = /\.[cm]?js$/.test(hook.command[0] ?? '');
  return isModule ? [process.execPath, ...hook.command] : hook.command;
}
