import type { ChatApi, ChatHappening } from '../../api/index.ts';

/** Conversations that are loaded with the first call, so that commands about something else start quickly. */
export function lazyChat(load: () => Promise<ChatApi>): ChatApi {
  return {
    list: async () => (await load()).list(),
    create: async (request) => (await load()).create(request),
    send: async (request) => (await load()).send(request),
    view: async (request) => (await load()).view(request),
    async *follow(request): AsyncGenerator<ChatHappening> {
      yield* (await load()).follow(request);
    },
    pause: async (request) => (await load()).pause(request),
    resume: async (request) => (await load()).resume(request),
    delete: async (conversation, by) => (await load()).delete(conversation, by),
    cleanup: async (by) => (await load()).cleanup(by),
    trace: async (conversation) => (await load()).trace(conversation),
    notify: async (request) => (await load()).notify(request),
    host: async (request) => (await load()).host(request),
  };
}
