import { type Failure, type JsonObject, OkaError, toFailure } from '../../kernel/index.ts';
import type { EventDraft } from '../../ledger/index.ts';
import type { Middleware, ToolCall, ToolOutcome } from '../middleware.ts';
import type { HookName, Hooks } from '../ports.ts';
import { runEvent } from '../run-events.ts';

/** Runs what configuration attaches before and after each call. What hooks print goes on record with the step. */
export function runHooks(hooks: Hooks): Middleware {
  if (!hooks.has('before_node') && !hooks.has('after_node')) return { name: 'hooks' };
  /** Records what the hooks print; false when one that must not fail has failed, which ends the run after this step. */
  const note = async (call: ToolCall, name: HookName, event: JsonObject): Promise<boolean> => {
    const results = await runNamed(hooks, name, event);
    for (const result of results) call.noteHook(result);
    const failure = fatalFailure(name, results);
    if (failure) call.notes.hookFailure = toFailure(failure, failure.code);
    return failure === undefined;
  };
  return {
    name: 'hooks',
    onTool(call, next) {
      const around = async (): Promise<ToolOutcome> => {
        if (!(await note(call, 'before_node', describe(call)))) {
          return { kind: 'failure', failure: call.notes.hookFailure as Failure };
        }
        const outcome = await next();
        await note(call, 'after_node', { ...describe(call), outcome: outcome.kind });
        return outcome;
      };
      return around();
    },
  };
}

/** Runs the hooks of one name; answers with the events to record. Throws when a hook that must not fail does. */
export async function callHooks(hooks: Hooks, name: HookName, event: JsonObject): Promise<EventDraft[]> {
  const results = await runNamed(hooks, name, event);
  const failure = fatalFailure(name, results);
  if (failure) throw failure;
  return results.map(({ hook, ok, exitCode, output }) =>
    runEvent('hook.ran', { hook, ok, exitCode }, { output }),
  );
}

type HookResults = Awaited<ReturnType<Hooks['run']>>;

async function runNamed(hooks: Hooks, name: HookName, event: JsonObject): Promise<HookResults> {
  return hooks.has(name) ? hooks.run(name, { hook: name, ...event }) : [];
}

function fatalFailure(name: HookName, results: HookResults): OkaError<'engine.hook_failed'> | undefined {
  const fatal = results.find((result) => !result.ok && result.fail);
  if (fatal === undefined) return undefined;
  const { hook, exitCode, output } = fatal;
  const message = `the ${name} hook ${hook} failed: ${output.trim() || 'no output'}.`;
  return new OkaError('engine.hook_failed', message, { data: { hook, exitCode } });
}

function describe(call: ToolCall): JsonObject {
  return {
    run: call.run.id,
    step: call.run.step,
    state: call.run.state,
    tool: call.tool.name,
    input: call.input,
  };
}
