import type { EventView, Json } from '../../api/index.ts';
import type { Printer } from '../printer.ts';
import { liveTimeline } from '../timeline.ts';

type Fields = Readonly<Record<string, Json | undefined>>;

const STEPS: readonly string[] = ['step.completed', 'tool.intended', 'tool.completed', 'tool.failed'];

/** What a tool did in a run, as somebody sees it who talks with the agent; undefined for all that is no such step. */
export function showStep(event: EventView, colors: Printer['dataColors']): string | undefined {
  const data = event.data as Fields;
  if (!STEPS.includes(event.type) || data['tool'] === undefined) return undefined;
  const lines: string[] = [];
  const { to: _to, ...rest } = data;
  const { rationale: _rationale, ...body } = (event.body ?? {}) as Fields;
  // The agent says itself why it does something; which state follows is for those who look into the run.
  liveTimeline({ colors, message: (line) => lines.push(line) })({
    ...event,
    data: rest as Json,
    body: body as Json,
  });
  return lines.join('\n');
}
