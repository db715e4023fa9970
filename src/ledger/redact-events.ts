import type { Json, JsonObject, Redactor } from '../kernel/index.ts';
import type { EventStore } from './ports.ts';
import type { EventDraft } from './types.ts';

/** Wraps a store so that no commit contains a known secret. Numbers in `data` stay unchanged. */
export function redactEvents(store: EventStore, redactor: Pick<Redactor, 'known'>): EventStore {
  const clean = (event: EventDraft): EventDraft => {
    const data: JsonObject = redactor.known(event.data, { numbers: false });
    const body: Json | undefined = event.body === undefined ? undefined : redactor.known(event.body);
    if (data === event.data && body === event.body) return event;
    return { ...event, data, ...(body === undefined ? {} : { body }) };
  };
  return {
    commit: (commit) => {
      const appends = commit.appends.map((append) => {
        const events = append.events.map(clean);
        return events.every((event, i) => event === append.events[i]) ? append : { ...append, events };
      });
      const same = appends.every((append, i) => append === commit.appends[i]);
      return store.commit(same ? commit : { ...commit, appends });
    },
    waitForCapacity: () => store.waitForCapacity(),
    read: (stream, fromIndex) => store.read(stream, fromIndex),
    readAfter: (seq, limit) => store.readAfter(seq, limit),
    end: (stream) => store.end(stream),
    head: () => store.head(),
    sync: () => store.sync(),
    subscribe: (listener) => store.subscribe(listener),
  };
}
