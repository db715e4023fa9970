import { describe, expect, it } from 'vitest';
import { CALLS, cutAtServer, expectCut, expectSameInPieces, read, recordStream } from './stream-cut.ts';
import { providerAt, serve, WIRE_FORMATS } from './wires.ts';

describe.each(WIRE_FORMATS)('a stream of $provider', (wire) => {
  it('gives no answer when it is cut', () =>
    expectCut(wire, (bytes) => [0, 1, Math.floor(bytes / 2), bytes - 20, bytes - 2, bytes - 1], cutAtServer));

  it('gives the same answer when it comes in small pieces', () => expectSameInPieces(wire, 5));

  it('does not wait for a server that keeps the connection open after the end', async () => {
    const { bytes, type } = await recordStream(wire);
    const url = await serve((incoming, response) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': type });
      response.write(bytes);
    });
    const { answers } = await read(await providerAt(wire, url));
    expect(answers[0]).toMatchObject({ toolCalls: CALLS });
  });
});
