import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { HookName, HookResult, Hooks } from '../../engine/index.ts';
import type { JsonObject, Redactor } from '../../kernel/index.ts';

/** A command or module that trusted configuration attaches to a moment of a run. */
export interface HookConfig {
  readonly on: HookName;
  readonly command: readonly string[];
  readonly timeoutMs: number;
  readonly onFailure: 'ignore' | 'fail';
}

const LONGEST_OUTPUT = 16_384;
const LAST_WORDS_MS = 200;
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'USER'];

/** Runs hooks as processes: the event as JSON on stdin, a clean environment, a time limit, output kept, ended on abort. */
export function commandHooks(
  hooks: readonly HookConfig[],
  options: { readonly cwd: string; readonly redactor: Redactor },
): Hooks {
  const named = (name: HookName): readonly HookConfig[] => hooks.filter((hook) => hook.on === name);
  return {
    has: (name) => named(name).length > 0,
    async run(name, event, signal) {
      const results = [];
      for (const hook of named(name)) {
        if (signal?.aborted) break;
        const result = await runCommand(hook, event, options.cwd, signal);
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

async function runCommand(
  hook: HookConfig,
  event: JsonObject,
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<HookResult> {
  // Most processes never run a hook, so they start without what it takes.
  const { spawn } = await import('node:child_process');
  const [program, ...args] = commandOf(hook);
  return new Promise((resolve) => {
    const child = spawn(program as string, args, {
      cwd,
      env: cleanEnvironment(),
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    let note = '';
    const take = (chunk: Buffer): void => {
      if (output.length < LONGEST_OUTPUT)
        output += chunk.toString('utf8').slice(0, LONGEST_OUTPUT - output.length);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(event)}\n`);
    const stop = (why: string): void => {
      note = why;
      endGroup(child);
    };
    const onAbort = (): void => stop('stopped with the run');
    const timer = setTimeout(() => stop(`stopped after ${hook.timeoutMs} ms`), hook.timeoutMs);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    const forget = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    child.on('error', (error) => {
      forget();
      resolve({ ok: false, exitCode: null, output: error.message });
    });
    child.on('close', (exitCode) => {
      forget();
      resolve({
        ok: exitCode === 0 && note === '',
        exitCode,
        output: note === '' ? output : `${output}\n${note}`.trim(),
      });
    });
  });
}

/** A module is run by this very Node; anything else is a program with its arguments. */
function commandOf(hook: HookConfig): readonly string[] {
  const isModule = /\.[cm]?js$/.test(hook.command[0] ?? '');
  return isModule ? [process.execPath, ...hook.command] : hook.command;
}

function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Ends a process with its whole group. Whoever has left the group goes on, but is no longer listened to. */
function endGroup(child: ChildProcessWithoutNullStreams): void {
  const stopListening = (): void => {
    const timer = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, LAST_WORDS_MS);
    timer.unref();
  };
  if (child.exitCode !== null || child.signalCode !== null) stopListening();
  else child.once('exit', stopListening);
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
