// Owns: the line for each action of a run. Calls of one kind that follow each other share a line.
import {
  type Action,
  ActionWordings,
  circumstancesOf,
  count,
  type EventView,
  isCounted,
  type Json,
  type LineChange,
  sharesLine,
} from '../api/index.ts';
import { clip, showDuration } from './format.ts';
import type { Colors } from './printer.ts';
import { type Fields, fieldsOf } from './timeline.ts';

const MAX_DIFF_LINES = 6;
const wordings = new ActionWordings({ clip, duration: showDuration });

/** Turns events into lines. */
export class ActionLines {
  readonly #colors: Colors;
  readonly #print: (line: string) => void;
  /** Before the line of an action, such as that it is simulated. */
  readonly #prefix: string;
  /** The calls that have started and not ended, by stream and step. */
  readonly #started = new Map<string, EventView>();
  #pending: Action[] = [];
  readonly #stopped: string[] = [];

  constructor(colors: Colors, print: (line: string) => void, prefix = '') {
    this.#colors = colors;
    this.#prefix = prefix;
    this.#print = print;
  }

  /** What has happened but is not printed yet, because more of its kind may follow. */
  get pending(): string {
    return this.#pending.length === 0 ? '' : wordings.actions(this.#pending);
  }

  /** What a call that has started is doing, such as "running npm test". */
  started(event: EventView): string | undefined {
    if (event.type !== 'tool.intended' && event.type !== 'tool.pending') return undefined;
    this.#started.set(keyOf(event), event);
    return event.type === 'tool.intended' ? wordings.running(actionOf(event, event)) : undefined;
  }

  take(event: EventView): void {
    const action = this.#endOf(event);
    if (action === undefined) return;
    if (action.isStopped) this.#stopped.push(wordings.call(action));
    const last = this.#pending.at(-1);
    if (last !== undefined && !sharesLine(last, action)) this.flush();
    this.#pending.push(action);
    // A call that failed or found nothing waits, because the run may fail with the same message next.
    if (action.failure === undefined && action.miss === undefined && !isCounted(action.tool)) this.flush();
  }

  /** The calls that were stopped before their end, or whose end is not known. */
  get interrupted(): readonly string[] {
    const intended = [...this.#started.values()].filter(({ type }) => type === 'tool.intended');
    return [...this.#stopped, ...intended.map((event) => wordings.call(actionOf(event, event)))];
  }

  /** Prints what is pending. */
  flush(): void {
    const actions = this.#pending.splice(0);
    const [first] = actions;
    if (first === undefined) return;
    const { red, dim } = this.#colors;
    if (first.isStopped) return;
    if (first.miss !== undefined) this.#print(dim(`  ${this.#prefix}${wordings.actions(actions)}`));
    else if (first.failure === undefined) this.#print(`  ${this.#prefix}${wordings.actions(actions)}`);
    else this.#print(`  ${red('✗')} ${wordings.actions(actions)}: ${clip(first.failure, 300)}`);
    for (const line of shownLines(first.change)) this.#print(`      ${paintDiff(line, this.#colors)}`);
    const left = (first.change?.lines.length ?? 0) - MAX_DIFF_LINES;
    if (left > 0 && first.change?.removed !== 0) this.#print(dim(`      … ${count(left, 'more line')}`));
  }

  /** Drops a failed call that the failure of the run repeats. */
  dropFailure(message: string): void {
    const [first] = this.#pending;
    const isRepeated = first?.failure !== undefined && message.includes(first.failure);
    if (isRepeated || first?.miss !== undefined) this.#pending = [];
    else this.flush();
  }

  #endOf(event: EventView): Action | undefined {
    if (event.type === 'step.completed' && (event.data as Fields)['tool'] !== undefined)
      return actionOf(event, event);
    if (event.type !== 'tool.completed' && event.type !== 'tool.failed') return undefined;
    const start = this.#started.get(keyOf(event));
    this.#started.delete(keyOf(event));
    return actionOf(event, start);
  }
}

function keyOf({ stream, data }: EventView): string {
  return `${stream} ${String((data as Fields)['step'])}`;
}

/** `start`: the event with the input of the call, if it was seen. */
function actionOf(event: EventView, start: EventView | undefined): Action {
  const body = fieldsOf(event.body);
  const before = fieldsOf(start?.body);
  const data = event.data as Fields;
  const tool = String(data['tool']);
  const output = fieldsOf(body['output']);
  const { message, code } = fieldsOf(body['failure']);
  const change = lineChangeOf(fieldsOf(before['preimage'])['change'], output['diff']);
  return {
    tool,
    input: start && fieldsOf(before['input']),
    output,
    ...circumstancesOf(data, { tool, output }),
    ...(start?.type === 'tool.intended' && start !== event ? { tookMs: event.at - start.at } : {}),
    ...(message === undefined
      ? {}
      : data['expected']
        ? { miss: String(code) }
        : { failure: String(message) }),
    ...(data['outcome'] === 'refused' ? { isRefused: true as const } : {}),
    ...(code === 'engine.cancelled' ? { isStopped: true as const } : {}),
    ...(change === undefined ? {} : { change }),
  };
}

/** The change as the tool recorded it, or as its diff has it. */
function lineChangeOf(recorded: Json | undefined, diff: Json | undefined): LineChange | undefined {
  const { added, removed, lines } = fieldsOf(recorded);
  if (typeof added === 'number' && typeof removed === 'number')
    return { added, removed, lines: Array.isArray(lines) ? lines.map(String) : [] };
  const start = typeof diff === 'string' ? diff.indexOf('\n@@') : -1;
  if (typeof diff !== 'string' || start < 0) return undefined;
  const changed = diff
    .slice(start)
    .split('\n')
    .filter((line) => /^[+-]/.test(line));
  const plus = changed.filter((line) => line.startsWith('+')).length;
  return { added: plus, removed: changed.length - plus, lines: changed };
}

/** A new file has no lines to compare with. */
function shownLines(change: LineChange | undefined): readonly string[] {
  return change === undefined || change.removed === 0 ? [] : change.lines.slice(0, MAX_DIFF_LINES);
}

function paintDiff(line: string, colors: Colors): string {
  const text = `${line.startsWith('-') ? '−' : '+'} ${clipLine(line.slice(1))}`;
  return line.startsWith('-') ? colors.red(text) : colors.green(text);
}

/** Keeps the indentation, which `clip` would fold. */
function clipLine(line: string): string {
  const indent = /^\s*/.exec(line)?.[0].replaceAll('\t', '  ') ?? '';
  return indent.slice(0, 20) + clip(line.trim(), 100);
}
