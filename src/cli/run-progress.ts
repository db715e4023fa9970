// Owns: what a person sees while a run works: one line per action, a spinner while it waits, the answer as it arrives.
import type { EventView, RunActivity, RunAnswer, RunListener } from '../api/index.ts';
import { ActionLines } from './action-lines.ts';
import type { AnswerStream } from './answer-stream.ts';
import type { Context } from './context.ts';
import { clip, showDollars } from './format.ts';
import type { Printer } from './printer.ts';
import { Spinner } from './spinner.ts';
import { type Fields, fieldsOf, liveTimeline } from './timeline.ts';

/** Follows a run that a command works on. */
export interface RunWatch {
  readonly onEvent: (event: EventView) => void;
  readonly onText: (text: string) => void;
  readonly onActivity: (activity: RunActivity) => void;
  /** Ends the live output until the next event. */
  end(): void;
  /** True if the answer is on the screen already. */
  hasShown(answer: RunAnswer): boolean;
  /** The calls that may have done part of their work. */
  readonly interrupted: readonly string[];
}

/** The listeners of a watch, as a request takes them. */
export function listenersOf({
  onEvent,
  onText,
  onActivity,
}: RunWatch): Pick<RunListener, 'onEvent' | 'onText' | 'onActivity'> {
  return { onEvent, onText, onActivity };
}

/** Follows a run with one line per action; with --verbose, also states and reasons. */
export async function watchRun(context: Context, simulates = false): Promise<RunWatch> {
  const { printer } = context;
  if (simulates) printer.message('  Simulation: nothing is changed.');
  const streams = printer.isLive && process.stdout.isTTY === true && !printer.verbose;
  const stream = streams ? new (await import('./answer-stream.ts')).AnswerStream(printer) : undefined;
  return new RunProgress(printer, stream, simulates);
}

const WAITING: readonly string[] = [
  'approval.requested',
  'question.asked',
  'budget.exhausted',
  'tool.pending',
];
const ENDED: readonly string[] = ['run.completed', 'run.failed', 'run.cancelled'];

class RunProgress implements RunWatch {
  readonly #printer: Printer;
  readonly #spinner: Spinner;
  readonly #actions: ActionLines;
  readonly #stream: AnswerStream | undefined;
  readonly #timeline: ((event: EventView) => void) | undefined;
  readonly #cost = new Cost();
  #root: string | undefined;
  #model: string | undefined;
  #tail = '';
  #text = 'planning';

  constructor(printer: Printer, stream: AnswerStream | undefined, simulates: boolean) {
    this.#printer = printer;
    this.#stream = stream;
    this.#spinner = new Spinner(printer);
    this.#timeline = printer.verbose ? liveTimeline(printer) : undefined;
    const print = (line: string): void => printer.message(line);
    this.#actions = new ActionLines(printer.colors, print, simulates ? 'simulated: ' : '');
    this.#spin('starting');
  }

  onEvent = (event: EventView): void => {
    if (!event.stream.startsWith('run/')) return;
    if (event.type === 'run.started') this.#root ??= event.stream;
    this.#cost.take(event);
    this.#model = String(fieldsOf(fieldsOf(event.body)['model'])['model'] ?? this.#model ?? '') || undefined;
    const failure = fieldsOf(fieldsOf(event.body)['failure'])['message'];
    if (event.type === 'run.failed' && event.stream === this.#root)
      this.#actions.dropFailure(String(failure));
    // The text before an action explains it. The answer itself comes with the end of the run.
    if (event.type !== 'run.completed') this.#stream?.endTurn();
    if (this.#timeline === undefined) this.#showActions(event);
    else this.#timeline(event);
    this.#spinAfter(event);
  };

  onText = (text: string): void => {
    this.#actions.flush();
    this.#stream?.push(text);
    this.#spin(this.#model === undefined ? 'receiving the answer' : `${this.#model} is answering`);
  };

  onActivity = (activity: RunActivity): void => {
    if (activity.kind === 'model') {
      this.#model = activity.model;
      this.#spin(`waiting for ${activity.model}`);
    } else {
      this.#tail = activity.text;
      this.#spin(this.#text);
    }
  };

  end(): void {
    this.#spinner.stop();
    this.#actions.flush();
  }

  get interrupted(): readonly string[] {
    return this.#actions.interrupted;
  }

  hasShown(answer: RunAnswer): boolean {
    return this.#stream?.hasShown(answer) ?? false;
  }

  #showActions(event: EventView): void {
    const { yellow } = this.#printer.colors;
    for (const { what } of event.recoveries ?? []) {
      this.#actions.flush();
      this.#printer.message(`  ${yellow('↻')} ${clip(what, 300)}`);
    }
    this.#actions.take(event);
  }

  #spinAfter(event: EventView): void {
    const running = this.#actions.started(event);
    this.#tail = '';
    if (running !== undefined) this.#spin(running);
    else if (event.stream === this.#root && (ENDED.includes(event.type) || WAITING.includes(event.type)))
      this.#spinner.stop();
    else this.#spin(this.#model === undefined ? 'planning' : 'working');
  }

  #spin(text: string): void {
    this.#text = text;
    const parts = [clip(this.#tail, 60), this.#cost.text(), this.#actions.pending];
    const detail = parts.filter((part) => part !== '').join(' · ');
    this.#spinner.show({ text, ...(detail === '' ? {} : { detail }) });
  }
}

/** What the runs of a tree have spent, and the limit of its root. */
class Cost {
  #spent = 0;
  #limit: number | undefined;

  take({ data }: EventView): void {
    const { spend, limits } = data as Fields;
    const limit = fieldsOf(limits)['cost_usd'];
    if (typeof limit === 'number') this.#limit ??= limit;
    const cost = fieldsOf(spend)['cost_usd'];
    if (typeof cost === 'number') this.#spent += cost;
  }

  text(): string {
    if (this.#spent === 0) return '';
    const limit = this.#limit === undefined ? '' : ` of ${showDollars(this.#limit)}`;
    return `${showDollars(this.#spent)}${limit}`;
  }
}
