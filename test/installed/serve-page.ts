import { serve } from '../models/wires.ts';

/** A server with one page; it ends with the test. */
export async function servePage(): Promise<{ readonly url: string; readonly host: string }> {
  const url = await serve((_, response) => void response.end('a page'));
  return { url, host: new URL(url).host };
}
