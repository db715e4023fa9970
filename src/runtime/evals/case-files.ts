// Owns: the files of a case in memory, as the replayed run would leave them. Reads nothing of the workspace.
// I1 A path counts as known only if the case says what is there: content, or nothing. A program can change any file, so after
//    one only later reads and writes make a path known again.
import { EmptyFiles, OverlayFiles } from '../../adapters/files/index.ts';
import {
  applyRunEvent,
  hasEffects,
  isLargeOutput,
  narrowTool,
  type ReplayedDecision,
  type RunState,
  type Tool,
  type ToolContext,
  type ToolRegistry,
} from '../../engine/index.ts';
import { type CaseRun, caseEvents, type EvalCase } from '../../eval/index.ts';
import { asObject, canonicalJson, isOkaError, type Json } from '../../kernel/index.ts';

/** A run of a case, and its decisions as they are made today. */
export interface ReplayedRun {
  readonly run: CaseRun;
  readonly steps: readonly ReplayedDecision[];
}

/** A call that the replayed run makes. */
interface ReplayedCall {
  readonly at: number;
  readonly tool: string;
  readonly input: Json;
  /** The recorded outcome; undefined if the run decides otherwise today. */
  readonly outcome?: { readonly output?: Json; readonly code?: string };
}

export class CaseFiles {
  files = new OverlayFiles(new EmptyFiles());
  readonly #known = new Set<string>();
  readonly #tools: Pick<ToolRegistry, 'get'>;
  readonly #blob: (digest: string) => string | undefined;

  constructor(tools: Pick<ToolRegistry, 'get'>, blob: (digest: string) => string | undefined) {
    this.#tools = tools;
    this.#blob = blob;
  }

  /** Replays the changes of all runs of a case, in the order of the record. */
  async replay(one: EvalCase, runs: readonly ReplayedRun[]): Promise<void> {
    for (const [path, digest] of Object.entries(one.files ?? {})) {
      const text = digest === null ? null : this.#blob(digest);
      if (text !== undefined) await this.#put(path, text);
    }
    const calls = runs.flatMap(callsOf);
    for (const call of [...calls].sort((a, b) => a.at - b.at)) await this.#make(call);
  }

  /** Whether the case says what is at this path. */
  async knows(path: string): Promise<boolean> {
    const key = await this.#locate(path);
    return key !== undefined && this.#known.has(key);
  }

  async #put(path: string, text: string | null): Promise<void> {
    const key = await this.#locate(path);
    if (key === undefined) return;
    if (text !== null) await this.files.writeAtomic(key, text);
    this.#known.add(key);
  }

  async #make({ tool: name, input, outcome }: ReplayedCall): Promise<void> {
    const tool = this.#tools.get(name);
    if (tool === undefined) return;
    if (name === 'files.read') await this.#learn(input, outcome);
    if (outcome?.code !== undefined) return;
    if (name.startsWith('files.') && tool.simulatable === true) await this.#change(tool, input);
    else if (mayChangeFiles(tool, input)) this.#forget();
  }

  /** What a recorded read says about a file that is not known otherwise. */
  async #learn(input: Json, outcome: ReplayedCall['outcome']): Promise<void> {
    const { path } = asObject(input);
    if (outcome === undefined || typeof path !== 'string' || (await this.knows(path))) return;
    if (outcome.code === 'files.not_found') return this.#put(path, null);
    const { output = null } = outcome;
    const blob = isLargeOutput(output) ? this.#blob(String(asObject(output)['artifact'])) : undefined;
    const { content, truncated } = asObject(blob === undefined ? output : (JSON.parse(blob) as Json));
    if (typeof content === 'string' && truncated === false) await this.#put(path, content);
  }

  /** Lets a tool for files work on the files in memory. */
  async #change(tool: Tool, input: Json): Promise<void> {
    const { path, from, to } = asObject(input);
    const source = tool.name === 'files.move' ? from : path;
    const target = tool.name === 'files.move' ? to : path;
    // The content of a set of files is not in the case.
    if (typeof source !== 'string' || typeof target !== 'string') return this.#forget();
    const needsContent = tool.name === 'files.edit' || tool.name === 'files.move';
    const isUnknown = needsContent && !(await this.knows(source));
    if (isUnknown) return this.#changeUnknown(source, target);
    try {
      await tool.handler(input, inMemory(this.files));
    } catch (error) {
      // With the files of today the call fails, and changes nothing. Deleting a file that is not known leaves no file.
      if (!isOkaError(error)) throw error;
      if (tool.name !== 'files.delete') return;
    }
    for (const changed of [source, target]) this.#known.add((await this.#locate(changed)) ?? changed);
  }

  /** The content is unknown: so is the target's, and nothing is left at a path that was moved. */
  async #changeUnknown(source: string, target: string): Promise<void> {
    const [from, to] = [await this.#locate(source), await this.#locate(target)];
    if (to !== undefined) this.#known.delete(to);
    if (from !== undefined && from !== to) this.#known.add(from);
  }

  #forget(): void {
    this.files = new OverlayFiles(new EmptyFiles());
    this.#known.clear();
  }

  async #locate(path: string): Promise<string | undefined> {
    try {
      return await this.files.locate(path, 'write');
    } catch (error) {
      if (!isOkaError(error)) throw error;
      return undefined;
    }
  }
}

/** Whether a call can change files without a tool for files: it runs a program, or one of a server. */
function mayChangeFiles(tool: Tool, input: Json): boolean {
  if (tool.ledgerOnly || tool.recordsOnly || tool.simulatable || tool.reaches !== undefined) return false;
  return hasEffects(narrowTool(tool, input));
}

/** The calls of a run: as recorded where it decides the same, otherwise as it decides today. */
function callsOf({ run, steps }: ReplayedRun): ReplayedCall[] {
  const outcomes = outcomesOf(run, steps);
  return steps.flatMap(({ index, recorded, replayed, verdict }) => {
    const { kind, tool, input = null } = asObject(replayed);
    if (kind !== 'call_tool' || typeof tool !== 'string' || verdict?.replayed.decision === 'deny') return [];
    const before = asObject(recorded);
    const isSame = before['tool'] === tool && canonicalJson(before['input'] ?? null) === canonicalJson(input);
    if (isSame) return outcomes.get(index) ?? [];
    const at = run.events.find((event) => event.index === index)?.at ?? 0;
    return [{ at, tool, input }];
  });
}

/** The calls that were made, with the input that a person may have edited, by the index of their decision. */
function outcomesOf(run: CaseRun, steps: readonly ReplayedDecision[]): ReadonlyMap<number, ReplayedCall> {
  const decided = steps.filter(({ recorded }) => asObject(recorded)['kind'] === 'call_tool');
  const found = new Map<number, ReplayedCall>();
  let state: RunState | undefined;
  for (const event of caseEvents(run)) {
    const before = state?.evidence.length ?? 0;
    state = applyRunEvent(state, event);
    const isSettled = ['step.completed', 'tool.completed', 'tool.failed'].includes(event.type);
    if (!isSettled || event.data['outcome'] === 'refused') continue;
    const decision = decided.findLast(({ index }) => index <= event.index);
    for (const { source, tool, input = null, output = null, failure } of state.evidence.slice(before))
      if (source === 'tool' && tool !== undefined && decision !== undefined)
        found.set(decision.index, {
          ...{ at: event.at, tool, input },
          outcome: failure === undefined ? { output } : { code: failure.code },
        });
  }
  return found;
}

/** The context of a tool that works on files in memory and leaves nothing else. */
export function inMemory(files: OverlayFiles): ToolContext {
  return {
    runId: 'eval' as ToolContext['runId'],
    step: 0,
    signal: new AbortController().signal,
    idempotencyKey: 'eval',
    capabilities: { files },
    emitArtifact: async (content, { name, mediaType }) => ({
      ...{ digest: '' as never, bytes: content.length, mediaType, name },
    }),
    record: () => undefined,
    charge: () => undefined,
    // The files of a case have marks, too.
    redactor: { tagged: (value) => value, restore: (text) => ({ text, lost: [] }) },
    now: () => 0,
  };
}
