import { Agent, fetch as ask } from 'undici';

/** Asks over HTTP without time limits of its own, because slow models on this machine take as long as they are told. */
export function openFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const open = (input: Parameters<typeof ask>[0], init: Parameters<typeof ask>[1]): ReturnType<typeof ask> =>
    ask(input, { ...init, dispatcher });
  return open as unknown as typeof fetch;
}
