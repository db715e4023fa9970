// Owns: the live output of a goal: a timeline for one agent, a task list for several tasks. Display only.
import type { EventView, Json } from '../api/index.ts';
import { ActionLines } from './action-lines.ts';
import type { Context } from './context.ts';
import { clip, showDuration } from './format.ts';
import { LiveLines, type LiveView, type Mark, signOf } from './live-lines.ts';
import { type RunWatch, watchRun } from './run-progress.ts';
import { type Fields, fieldsOf } from './timeline.ts';

interface TaskLine {
  readonly id: string;
  readonly title: string;
  readonly definition: string;
  mark: Mark;
  note: string;
  startedAt?: number | undefined;
  endedAt?: number | undefined;
}

/** Shows a task list for a run of the assistant, else one line per action. */
export async function watchGoal(
  context: Context,
  options: { readonly simulates?: boolean } = {},
): Promise<RunWatch> {
  const run = await watchRun(context, options.simulates);
  /** Only to know what was interrupted; the list of tasks shows the rest. */
  const calls = new ActionLines(context.printer.colors, () => undefined);
  let tasks: TasksView | undefined;
  let started = false;
  return {
    onEvent: (event) => {
      if (!started && event.type === 'run.started') {
        started = true;
        if ((event.data as Fields)['kind'] === 'assistant') {
          run.end();
          tasks = new TasksView(context, event.stream);
        }
      }
      if (tasks === undefined) run.onEvent(event);
      else {
        calls.started(event);
        calls.take(event);
        tasks.take(event);
      }
    },
    // Parallel tasks would mix their text.
    onText: (text) => {
      if (tasks === undefined) run.onText(text);
    },
    onActivity: (activity) => {
      if (tasks === undefined) run.onActivity(activity);
    },
    end: () => (tasks ?? run).end(),
    get interrupted() {
      return tasks === undefined ? run.interrupted : calls.interrupted;
    },
    hasShown: (answer) => tasks === undefined && run.hasShown(answer),
  };
}

/** Tasks of the newest plan: updated in place on a terminal, else one line per change. */
class TasksView {
  readonly #context: Context;
  readonly #root: string;
  readonly #live: LiveLines | undefined;
  /** Tasks by the stream of their run. */
  readonly #taskByStream = new Map<string, TaskLine>();
  #tasks: readonly TaskLine[] = [];
  /** Recoveries of the goal itself, on a terminal. */
  readonly #recoveries: string[] = [];
  #plan = 0;

  constructor(context: Context, root: string) {
    this.#context = context;
    this.#root = root;
    const { printer } = context;
    if (printer.output.isTTY && !printer.json && !printer.quiet)
      this.#live = new LiveLines(printer, () => this.#shown());
    if (printer.verbose) printer.message(`${printer.colors.dim('goal')} ${root.slice('run/'.length)}`);
  }

  take(event: EventView): void {
    const data = event.data as Fields;
    const body = (event.body ?? {}) as Fields;
    this.#showRecoveries(event);
    if (event.stream === this.#root) this.#handleGoalEvent(event, data, body);
    else {
      const task = this.#taskByStream.get(event.stream);
      if (task !== undefined) this.#handleTaskEvent(task, event, data, body);
    }
  }

  end(): void {
    this.#live?.end();
  }

  #handleGoalEvent({ type, at }: EventView, data: Fields, body: Fields): void {
    const output = fieldsOf(body['output']);
    if (type === 'step.completed' && output['graph'] !== undefined) this.#begin(fieldsOf(output['graph']));
    else if (type === 'step.completed' && Array.isArray(output['rejected']))
      this.#reject(output['rejected'] as Json[]);
    else if (type === 'tool.pending' && data['kind'] === 'children') this.#start(data, body, at);
    else if (type === 'question.asked') this.#printGoalEvent('blocked', String(body['question'] ?? ''));
    else if (type === 'approval.requested')
      this.#printGoalEvent('blocked', `${data['tool']} needs approval: ${data['why']}`);
    else if (type === 'budget.exhausted')
      this.#printGoalEvent('blocked', `budget ${data['budget']} exhausted`);
    else if (type === 'run.failed') this.#printGoalEvent('failed', failureOf(body));
  }

  /** A completed task that is unchanged in the new plan stays completed. */
  #begin(graph: Fields): void {
    const before = new Map(this.#tasks.map((task) => [task.definition, task]));
    this.#plan += 1;
    this.#tasks = (Array.isArray(graph['tasks']) ? (graph['tasks'] as Json[]) : []).map((task) => {
      const { id, title } = fieldsOf(task);
      const definition = JSON.stringify(task);
      const same = before.get(definition);
      if (same?.mark === 'completed') return same;
      return { id: String(id), title: String(title), definition, mark: 'waiting' as const, note: '' };
    });
    const count = this.#tasks.length === 1 ? '1 task' : `${this.#tasks.length} tasks`;
    this.#print(`plan ${this.#plan}: ${count}`);
    if (this.#live) this.#live.changed();
    else
      for (const { id, title } of this.#tasks)
        this.#print(`  ${signOf('waiting', this.#context.printer)} ${id}  ${clip(title, 100)}`);
  }

  #start(data: Fields, body: Fields, at: number): void {
    const children = Array.isArray(data['children']) ? (data['children'] as Json[]) : [];
    const asked = fieldsOf(body['input'])['children'];
    for (const [i, run] of children.entries()) {
      const child = fieldsOf(Array.isArray(asked) ? ((asked as Json[])[i] as Json) : null);
      const id = fieldsOf(fieldsOf(child['vars'])['task'])['id'];
      const task = this.#tasks.find((one) => one.id === id);
      if (task === undefined) continue;
      this.#taskByStream.set(`run/${String(run)}`, task);
      task.startedAt = at;
      task.endedAt = undefined;
      this.#mark(task, 'running', '');
    }
  }

  #handleTaskEvent(task: TaskLine, { type, at }: EventView, data: Fields, body: Fields): void {
    if (type === 'run.completed' || type === 'run.failed' || type === 'run.cancelled') {
      task.endedAt = at;
      this.#mark(task, type === 'run.completed' ? 'completed' : 'failed', failureOf(body));
    } else if (type === 'approval.requested') this.#mark(task, 'blocked', `${data['tool']} needs approval`);
    else if (type === 'question.asked') this.#mark(task, 'blocked', String(body['question'] ?? ''));
    else if (type === 'budget.exhausted') this.#mark(task, 'blocked', `budget ${data['budget']} exhausted`);
    else if (type === 'approval.granted' || type === 'question.answered') this.#mark(task, 'running', '');
  }

  /** A recovery of a task replaces its note until the next change; a recovery of the goal has a line of its own. */
  #showRecoveries({ stream, recoveries = [] }: EventView): void {
    const task = this.#taskByStream.get(stream);
    if (recoveries.length > 0) this.#live?.changed();
    for (const { what } of recoveries) {
      if (this.#live === undefined)
        this.#print(
          `  ${this.#context.printer.colors.yellow('↻')} ${clip(`${task?.id ?? ''} ${what}`.trim(), 300)}`,
        );
      else if (task === undefined) this.#recoveries.push(what);
      else task.note = what;
    }
  }

  #reject(rejected: readonly Json[]): void {
    for (const one of rejected) {
      const { task: id, criterion, evidence } = fieldsOf(one);
      const task = this.#tasks.find((line) => line.id === id);
      if (task !== undefined)
        this.#mark(task, 'failed', `rejected: ${String(criterion)}: ${String(evidence)}`);
    }
  }

  #mark(task: TaskLine, mark: Mark, note: string): void {
    task.mark = mark;
    task.note = note;
    if (this.#live) this.#live.changed();
    else this.#print(`  ${signOf(mark, this.#context.printer)} ${this.#text(task, 160)}`);
  }

  /** On a terminal the result or prompt below the tasks shows this. */
  #printGoalEvent(mark: Mark, text: string): void {
    if (this.#live === undefined) this.#print(`${signOf(mark, this.#context.printer)} ${clip(text, 200)}`);
  }

  #print(text: string): void {
    if (this.#live === undefined) this.#context.printer.message(text);
  }

  #shown(): LiveView {
    const lines: { mark: Mark; text: string }[] = [
      ...this.#tasks.map((task) => ({ mark: task.mark, text: this.#text(task, 400) })),
      ...this.#recoveries.map((what) => ({ mark: 'completed' as const, text: `↻ ${what}` })),
    ];
    const current = this.#tasks.findLastIndex(({ mark }) => mark === 'running');
    return { lines, current: Math.max(0, current) };
  }

  #text({ id, title, note, startedAt, endedAt }: TaskLine, room: number): string {
    const took =
      startedAt === undefined || endedAt === undefined ? '' : `  ${showDuration(endedAt - startedAt)}`;
    return clip(`${id}${took}  ${note === '' ? title : note}`, room);
  }
}

function failureOf(body: Fields): string {
  const { message, code } = fieldsOf(body['failure']);
  return message === undefined ? '' : `${String(message)} (${String(code)})`;
}
