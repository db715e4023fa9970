import type { EventView, Json } from '../api/index.ts';
import { clip } from './format.ts';
import type { Printer } from './printer.ts';

export type Fields = Readonly<Record<string, Json | undefined>>;

/** The fields of an object; none of any other value. */
export function fieldsOf(value: Json | undefined): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {};
}

/** Prints the states and steps of a run as they happen. */
export function liveTimeline(printer: Pick<Printer, 'colors' | 'message'>): (event: EventView) => void {
  const { colors } = printer;
  const enter = (state: string): void => printer.message(`${colors.cyan('●')} ${colors.bold(state)}`);
  const step = (mark: string, what: string, why?: string): void =>
    printer.message(`  ${mark} ${what}${why ? colors.dim(`  ${clip(why, 110)}`) : ''}`);
  return (event) => {
    const data = event.data as Fields;
    const body = (event.body ?? {}) as Fields;
    for (const { what } of event.recoveries ?? []) step(colors.yellow('↻'), clip(what, 300));
    const why = String(body['rationale'] ?? '');
    const failure = (body['failure'] as { message?: string } | undefined)?.message;
    const to = data['to'];
    switch (event.type) {
      case 'run.started':
        printer.message(`${colors.dim('run')} ${event.stream.slice(4)}`);
        enter(String((body['base'] as Fields | undefined)?.['state'] ?? data['state']));
        if (to !== undefined) enter(String(to));
        return;
      case 'step.completed':
        if (data['kind'] === 'transition') step(colors.dim('→'), String(to), why);
        else step(markOf(data, colors), call(data, body), why);
        if (to !== undefined && data['outcome'] === 'ok') enter(String(to));
        return;
      case 'tool.intended':
        step(colors.yellow('…'), call(data, body), why);
        return;
      case 'tool.completed':
        step(colors.green('✓'), `${data['tool']} done`);
        if (to !== undefined) enter(String(to));
        return;
      case 'tool.failed':
        step(colors.red('✗'), `${data['tool']} failed`, failure);
        return;
      case 'tool.pending':
        step(colors.yellow('…'), `${data['tool']} waiting (${data['kind']})`, why);
        return;
      case 'approval.requested':
        step(colors.yellow('?'), `${data['tool']} needs approval`, String(data['why']));
        return;
      case 'question.asked':
        step(colors.yellow('?'), clip(String(body['question'] ?? ''), 100));
        return;
      case 'budget.exhausted':
        step(colors.yellow('■'), `budget ${data['budget']} exhausted (${data['used']} of ${data['limit']})`);
        return;
      case 'run.completed':
        step(colors.dim('→'), String(data['state']), why);
        enter(String(data['state']));
        return;
      case 'run.failed':
        step(colors.red('✗'), clip(failure ?? 'failed', 200));
        return;
    }
  };
}

function markOf({ outcome, expected }: Fields, { green, red, dim }: Printer['colors']): string {
  if (expected) return dim('–');
  return outcome === 'ok' ? green('✓') : red('✗');
}

function call(data: Fields, body: Fields): string {
  const input = (body['input'] ?? {}) as Fields;
  const target = input['path'] ?? input['query'] ?? input['url'] ?? '';
  return `${data['tool']} ${clip(String(target), 60)}`.trim();
}
