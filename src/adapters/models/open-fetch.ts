import { Agent, fetch as ask } from 'undici';

/** Fetches without built-in timeouts, because slow local models have a configured limit. */
export function openFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const open = (input: Parameters<typeof ask>[0], init: Parameters<typeof ask>[1]): ReturnType<typeof ask> =>
    ask(input, { ...init, dispatcher });
  return open as unknown as typeof fetch;
}
