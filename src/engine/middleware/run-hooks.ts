import { type Failure, type JsonObject, OkaError, toFailure } from '../../kernel/index.ts';
import type { EventDraft } from '../../ledger/index.ts';
import type { Middleware, ToolCall, ToolOutcome } from '../middleware.ts';
import type { HookName, Hooks } from '../ports.ts';
import { runEvent } from '../run-events.ts';
import { hasEffects } from '../tool.ts';

/** Whether any hook is attached to nodes. Such hooks run in every state, even in one that does nothing. */
export function hasNodeHooks(hooks: Hooks): boolean {
  return hooks.has('before_node') || hooks.has('after_node');
}

/** Runs the configured hooks before and after each call. Their output is recorded with the step. */
export function runHooks(hooks: Hooks): Middleware {
  /** Records the hooks' output. Returns why the call fails: they were aborted, or a mandatory one failed. */
  const note = async (call: ToolCall, name: HookName, event: JsonObject): Promise<Failure | undefined> => {
    if (!hooks.has(name)) return undefined;
    // Nothing is aborted between an intent and its outcome, so that the outcome is known.
    const signal = hasEffects(call.tool) ? undefined : call.context.signal;
    const results = await runNamed(hooks, name, event, signal);
    if (signal?.aborted) return toFailure(signal.reason, 'engine.cancelled');
    for (const result of results) call.noteHook(result);
    const failure = fatalFailure(name, results);
    if (failure) call.notes.hookFailure = toFailure(failure, failure.code);
    return call.notes.hookFailure;
  };
  return {
    name: 'hooks',
    // The hooks may change while the engine is open.
    onTool: (call, next) => (hasNodeHooks(hooks) ? around(call, next) : next()),
  };
  async function around(
    call: ToolCall,
    next: () => ToolOutcome | Promise<ToolOutcome>,
  ): Promise<ToolOutcome> {
    const refused = await note(call, 'before_node', describe(call));
    if (refused) return { kind: 'failure', failure: refused };
    const outcome = await outcomeOf(next);
    const failure = await note(call, 'after_node', { ...describe(call), outcome: outcome.kind });
    // A failed hook ends the run after this step; an aborted call is made again with its hooks.
    return failure && failure !== call.notes.hookFailure ? { kind: 'failure', failure } : outcome;
  }
}

/** A throwing handler counts as a failure, so that the hooks after it still run. */
async function outcomeOf(next: () => ToolOutcome | Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await next();
  } catch (error) {
    return { kind: 'failure', failure: toFailure(error, 'engine.tool_failed') };
  }
}

/** Runs the hooks of one name and returns the events to record. Throws when a mandatory hook fails. */
export async function callHooks(
  hooks: Hooks,
  name: HookName,
  event: JsonObject,
  signal?: AbortSignal,
): Promise<EventDraft[]> {
  const results = await runNamed(hooks, name, event, signal);
  const failure = fatalFailure(name, results);
  if (failure) throw failure;
  return results.map(({ hook, ok, exitCode, output }) =>
    runEvent('hook.ran', { hook, ok, exitCode }, { output }),
  );
}

type HookResults = Awaited<ReturnType<Hooks['run']>>;

async function runNamed(
  hooks: Hooks,
  name: HookName,
  event: JsonObject,
  signal?: AbortSignal,
): Promise<HookResults> {
  return hooks.has(name) ? hooks.run(name, { hook: name, ...event }, signal) : [];
}

function fatalFailure(name: HookName, results: HookResults): OkaError<'engine.hook_failed'> | undefined {
  const fatal = results.find((result) => !result.ok && result.fail);
  if (fatal === undefined) return undefined;
  const { hook, exitCode, output } = fatal;
  const message = `The ${name} hook ${hook} failed: ${output.trim() || 'no output'}.`;
  return new OkaError('engine.hook_failed', message, { data: { hook, exitCode } });
}

function describe({ run, tool, input }: ToolCall): JsonObject {
  return { run: run.id, step: run.step, state: run.state, tool: tool.name, input };
}
