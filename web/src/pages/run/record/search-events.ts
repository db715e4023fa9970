import type { RunEvent } from './types.ts';

const texts = new WeakMap<RunEvent, string>();

function textOf(event: RunEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const { type, stream, actor, data, body } = event;
  const text =
    `${type} ${stream} ${actor} ${JSON.stringify(data)} ${JSON.stringify(body ?? '')}`.toLowerCase();
  texts.set(event, text);
  return text;
}

/** Events that contain every word. */
export function searchEvents(events: readonly RunEvent[], search: string): readonly RunEvent[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return events;
  return events.filter((event) => words.every((word) => textOf(event).includes(word)));
}
