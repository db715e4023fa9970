import type { EventView, Json } from '../../api/index.ts';
import type { Printer } from '../printer.ts';
import { liveTimeline } from '../timeline.ts';

type Fields = Readonly<Record<string, Json | undefined>>;

const STEPS: readonly string[] = ['step.completed', 'tool.intended', 'tool.completed', 'tool.failed'];

/** Formats a tool step for a conversation; undefined for other events. */
export function showStep(event: EventView, colors: Printer['dataColors']): string | undefined {
  const data = event.data as Fields;
  if (!STEPS.includes(event.type) || data['tool'] === undefined) return undefined;
  const lines: string[] = [];
  const { to: _to, ...rest } = data;
  const { rationale: _rationale, ...body } = (event.body ?? {}) as Fields;
  // The agent explains itself in its answer, and internal states belong to explain.
  liveTimeline({ colors, message: (line) => lines.push(line) })({
    ...event,
    data: rest as Json,
    body: body as Json,
  });
  return lines.join('\n');
}
