import { expect, test, vi } from 'vitest';
import { EventStream } from './events.ts';

/** A stand-in for the browser's EventSource. */
class FakeSource extends EventTarget {
  readyState = 1;
  close(): void {
    this.readyState = 2;
  }
  send(type: string, data: unknown): void {
    this.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(data) }));
  }
  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
}

function openStream(onRefused = vi.fn()) {
  const urls: string[] = [];
  const sources: FakeSource[] = [];
  const open = (url: string): FakeSource => {
    urls.push(url);
    const source = new FakeSource();
    sources.push(source);
    return source;
  };
  const stream = new EventStream({ open, onRefused, retryMs: 0 });
  const seen: number[] = [];
  stream.onLedger(({ position }) => seen.push(position));
  stream.start();
  return { stream, urls, seen, onRefused, source: () => sources.at(-1) as FakeSource };
}

test('events arrive in order and once, also where the server repeats them', () => {
  const { stream, seen, source } = openStream();
  source().send('ready', { position: 4 });
  for (const position of [4, 5, 6, 6, 5, 7]) source().send('ledger', { position });
  expect(seen).toEqual([5, 6, 7]);
  stream.stop();
});

test('the connection is live after ready and reconnecting after an error', () => {
  const { stream, source } = openStream();
  expect(stream.connection.get()).toBe('connecting');
  source().send('ready', { position: 0 });
  expect(stream.connection.get()).toBe('live');
  source().fail(0);
  expect(stream.connection.get()).toBe('reconnecting');
  source().send('ready', { position: 9 });
  expect(stream.connection.get()).toBe('live');
  stream.stop();
});

test('a refused stream is opened again after the last seen event', async () => {
  const { stream, urls, source, onRefused } = openStream();
  source().send('ready', { position: 1 });
  source().send('ledger', { position: 2 });
  source().fail(2);
  await vi.waitFor(() => expect(urls).toEqual(['/v1/events', '/v1/events?after=2']));
  expect(onRefused).toHaveBeenCalledOnce();
  stream.stop();
});

test('text is given to its listeners until they stop', () => {
  const { stream, source } = openStream();
  const texts: string[] = [];
  const stop = stream.onText(({ text }) => texts.push(text));
  source().send('text', { text: 'a' });
  stop();
  source().send('text', { text: 'b' });
  expect(texts).toEqual(['a']);
  stream.stop();
});
