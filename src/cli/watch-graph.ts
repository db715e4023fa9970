import type { EventView, Json } from '../api/index.ts';
import type { Context } from './context.ts';
import { clip } from './format.ts';
import { liveTimeline } from './timeline.ts';

type Fields = Readonly<Record<string, Json | undefined>>;

export interface EventSink {
  readonly onEvent: (event: EventView) => void;
  /** Leaves the screen as it should stay. */
  end(): void;
}

/** Where the events of a run go while it works: a live view, lines of JSON, or a timeline. */
export async function eventsOf(
  context: Context,
  options: { readonly watch?: boolean; readonly streamJson?: boolean },
  definition: (() => Promise<Json>) | undefined,
): Promise<EventSink> {
  if (options.streamJson) {
    context.answerInJson();
    return {
      onEvent: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
      end: () => undefined,
    };
  }
  const { printer } = context;
  const live = options.watch && !printer.json && !printer.quiet && printer.output.isTTY;
  if (live) return new LiveNodes(context, nodesOf((await definition?.()) ?? null));
  return { onEvent: liveTimeline(printer), end: () => undefined };
}

function nodesOf(definition: Json): string[] {
  const { nodes } = (definition ?? {}) as { nodes?: readonly { node_id?: string }[] };
  return (nodes ?? []).map(({ node_id }) => node_id ?? '').filter((id) => id !== '');
}

type Mark = 'waiting' | 'running' | 'completed' | 'failed';

interface Line {
  mark: Mark;
  visits: number;
  note: string;
}

/** The nodes of a graph, each on a line that changes in place. Of many, those around the newest are shown. */
class LiveNodes implements EventSink {
  readonly #context: Context;
  readonly #lines: Map<string, Line>;
  #run: string | undefined;
  #current = '';
  #drawn = 0;
  #scheduled = false;
  #ended = false;

  constructor(context: Context, nodes: readonly string[]) {
    this.#context = context;
    this.#lines = new Map(nodes.map((id) => [id, { mark: 'waiting', visits: 0, note: '' }]));
  }

  onEvent = (event: EventView): void => {
    if (!event.stream.startsWith('run/')) return;
    this.#run ??= event.stream;
    if (event.stream !== this.#run) return;
    this.#take(event.type, event.data as Fields, (event.body ?? {}) as Fields);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#ended) this.#draw();
    });
  };

  end(): void {
    this.#draw();
    this.#ended = true;
  }

  #take(type: string, data: Fields, body: Fields): void {
    const failure = (body['failure'] as { message?: string } | undefined)?.message;
    const state = String(data['state'] ?? this.#current);
    if (type === 'run.started') this.#enter(state);
    else if (failure !== undefined && type !== 'run.failed') this.#note(state, failure);
    else if (type === 'remediation.retried')
      this.#note(state, `again, attempt ${Number(data['attempt']) + 1}`);
    else if (type === 'tool.pending') this.#note(state, `waits (${data['kind']})`);
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
    const line = this.#lines.get(id) ?? { mark: 'running', visits: 0, note: '' };
    this.#lines.set(id, { mark: 'running', visits: line.visits + 1, note: '' });
  }

  #note(id: string, note: string): void {
    const line = this.#lines.get(id);
    if (line) line.note = note;
  }

  #set(id: string, mark: Mark, note: string): void {
    const line = this.#lines.get(id);
    if (line) Object.assign(line, { mark, note });
  }

  #draw(): void {
    const { output, colors } = this.#context.printer;
    const rows = Math.max(5, (output.rows ?? 24) - 3);
    const width = Math.max(20, (output.columns ?? 80) - 1);
    const ids = [...this.#lines.keys()];
    const at = Math.max(0, ids.indexOf(this.#current));
    const first = Math.max(0, Math.min(at - Math.floor(rows / 2), ids.length - rows));
    const marks = {
      waiting: colors.dim('○'),
      running: colors.cyan('●'),
      completed: colors.green('✓'),
      failed: colors.red('✗'),
    };
    const lines = ids.slice(first, first + rows).map((id) => {
      const { mark, visits, note } = this.#lines.get(id) as Line;
      const text = clip(
        `${id}${visits > 1 ? ` ×${visits}` : ''}${note === '' ? '' : `  ${note}`}`,
        width - 2,
      );
      return `${marks[mark]} ${mark === 'waiting' ? colors.dim(text) : text}`;
    });
    if (this.#drawn > 0) output.write(`\u001b[${this.#drawn}A`);
    output.write(`${lines.map((line) => `\u001b[2K${line}`).join('\n')}\n`);
    this.#drawn = lines.length;
  }
}
