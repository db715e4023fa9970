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
    try {
      call.notes.events.push(...(await callHooks(hooks, name, event)));
      return true;
    } catch (error) {
      call.notes.hookFailure = toFailure(error, 'engine.hook_failed');
      return false;
    }
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
  if (!hooks.has(name)) return [];
  const results = await hooks.run(name, { hook: name, ...event });
  const fatal = results.find((result) => !result.ok && result.fail);
  if (fatal) {
    throw new OkaError(
      'engine.hook_failed',
      `the ${name} hook ${fatal.hook} failed: ${fatal.output.trim() || 'no output'}.`,
      {
        data: { hook: fatal.hook, exitCode: fatal.exitCode },
      },
    );
  }
  return results.map((result) =>
    runEvent(
      'hook.ran',
      { hook: result.hook, ok: result.ok, exitCode: result.exitCode },
      { output: result.output },
    ),
  );
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
