import type { Json, JsonObject } from '../kernel/index.ts';
import type { EventDraft } from './types.ts';

/** Makes drafts of a domain's events, checked against its tables of data and of bodies. */
export type DraftEvent<Data, Bodies> = <Type extends keyof Data & string>(
  type: Type,
  data: Data[Type],
  ...body: Type extends keyof Bodies ? Given<Bodies[Type]> : []
) => EventDraft;

/** What may be missing need not be given. */
type Given<Body> = undefined extends Body ? [body?: Body] : [body: Body];

/** The maker of a domain's drafts. An event without a body has none, rather than an empty one. */
export function eventDrafts<Data, Bodies>(): DraftEvent<Data, Bodies> {
  return (type, data, ...body) => draft(type, data as JsonObject, body[0] as Json | undefined);
}

function draft(type: string, data: JsonObject, body: Json | undefined): EventDraft {
  return body === undefined ? { type, data } : { type, data, body };
}
