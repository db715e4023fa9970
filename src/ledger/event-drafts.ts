import type { Json, JsonObject } from '../kernel/index.ts';
import type { EventDraft } from './types.ts';

/** Creates drafts of a domain's events, typed by its tables of data and bodies. */
export type DraftEvent<Data, Bodies> = <Type extends keyof Data & string>(
  type: Type,
  data: Data[Type],
  ...body: Type extends keyof Bodies ? BodyArgument<Bodies[Type]> : []
) => EventDraft;

/** Optional bodies may be omitted. */
type BodyArgument<Body> = undefined extends Body ? [body?: Body] : [body: Body];

/** Creates a domain's draft function. An event without a body omits the member. */
export function eventDrafts<Data, Bodies>(): DraftEvent<Data, Bodies> {
  return (type, data, ...body) => draft(type, data as JsonObject, body[0] as Json | undefined);
}

function draft(type: string, data: JsonObject, body: Json | undefined): EventDraft {
  return body === undefined ? { type, data } : { type, data, body };
}
