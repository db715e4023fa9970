import type { EventView, Json, RunActivity } from '../api/index.ts';
import type { Context } from './context.ts';
import { LiveLines, type LiveView, type Mark } from './live-lines.ts';
import { Printer } from './printer.ts';
import { watchRun } from './run-progress.ts';
import type { Fields } from './timeline.ts';

export interface EventSink {
  readonly onEvent: (event: EventView) => void;
  readonly onActivity?: (activity: RunActivity) => void;
  /** Draws the final view. */
  end(): void;
}

/** Selects the output of a run: live view, JSON lines, or one line per action. `resumed` is the run that is resumed. */
export async function eventsOf(
  context: Context,
  options: {
    readonly watch?: boolean;
    readonly streamJson?: boolean;
    readonly simulate?: boolean;
    readonly dryRun?: boolean;
  },
  definition: (() => Promise<Json>) | undefined,
  resumed?: string,
): Promise<EventSink> {
  if (options.streamJson) {
    context.usePrinter(new Printer({ json: true, quiet: context.printer.quiet }));
    return {
      onEvent: (event) => void context.printer.record(JSON.stringify(event)),
      end: () => undefined,
    };
  }
  const { printer } = context;
  const live = options.watch && !printer.json && !printer.quiet && printer.output.isTTY;
  if (live) return new LiveNodes(context, nodesOf((await definition?.()) ?? null), resumed);
  return watchRun(context, options.simulate ?? options.dryRun);
}

function nodesOf(definition: Json): string[] {
  const { nodes } = (definition ?? {}) as { nodes?: readonly { node_id?: string }[] };
  return (nodes ?? []).map(({ node_id }) => node_id ?? '').filter((id) => id !== '');
}

interface Line {
  mark: Mark;
  visits: number;
  note: string;
  /** What was done about failures; shown until the end. */
  recovery: string;
}

class LiveNodes implements EventSink {
  readonly #nodes: Map<string, Line>;
  readonly #lines: LiveLines;
  #run: string | undefined;
  #current = '';

  constructor(context: Context, nodes: readonly string[], resumed: string | undefined) {
    if (resumed !== undefined) this.#run = `run/${resumed}`;
    this.#nodes = new Map(nodes.map((id) => [id, { mark: 'waiting', visits: 0, note: '', recovery: '' }]));
    this.#lines = new LiveLines(context.printer, () => this.#shown());
  }

  onEvent = (event: EventView): void => {
    if (!event.stream.startsWith('run/')) return;
    // Children have their own nodes; a run that continues a failed one starts anew.
    const { parent } = ((event.data as Fields)['lineage'] ?? {}) as { parent?: string };
    if (event.type === 'run.started' && parent === undefined) this.#run = event.stream;
    if (event.stream !== this.#run) return;
    this.#update(event.type, event.data as Fields, (event.body ?? {}) as Fields, recoveryOf(event));
    this.#lines.changed();
  };

  end(): void {
    this.#lines.end();
  }

  #shown(): LiveView {
    const lines = [...this.#nodes].map(([id, { mark, visits, note, recovery }]) => ({
      mark,
      text: `${id}${visits > 1 ? ` ×${visits}` : ''}${note === '' ? '' : `  ${note}`}${recovery === '' ? '' : `  ↻ ${recovery}`}`,
    }));
    return { lines, current: Math.max(0, [...this.#nodes.keys()].indexOf(this.#current)) };
  }

  #update(type: string, data: Fields, body: Fields, recovery: string): void {
    const failure = (body['failure'] as { message?: string } | undefined)?.message;
    const state = String(data['state'] ?? this.#current);
    const line = this.#nodes.get(state);
    if (line && recovery !== '') Object.assign(line, { recovery, note: '' });
    if (type === 'run.started') this.#enter(state);
    else if (failure !== undefined && type !== 'run.failed' && recovery === '') this.#note(state, failure);
    else if (type === 'tool.pending') this.#note(state, `waiting (${data['kind']})`);
    else if (type === 'question.asked') this.#note(state, String(body['question'] ?? ''));
    else if (type === 'run.failed') this.#set(String(data['from']), 'failed', failure ?? '');
    else if (type === 'run.completed') this.#set(String(data['from']), 'completed', '');
    if (data['to'] !== undefined && data['outcome'] !== 'failed') {
      this.#set(this.#current, 'completed', '');
      this.#enter(String(data['to']));
    }
  }

  #enter(id: string): void {
    this.#current = id;
    const { visits, recovery } = this.#nodes.get(id) ?? { visits: 0, recovery: '' };
    this.#nodes.set(id, { mark: 'running', visits: visits + 1, note: '', recovery });
  }

  #note(id: string, note: string): void {
    const line = this.#nodes.get(id);
    if (line) line.note = note;
  }

  #set(id: string, mark: Mark, note: string): void {
    const line = this.#nodes.get(id);
    if (line) Object.assign(line, { mark, note });
  }
}

/** The recoveries of an event on one line. */
function recoveryOf({ recoveries = [] }: EventView): string {
  return recoveries.map(({ what }) => what).join('; ');
}
