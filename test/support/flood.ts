import type { Writable } from 'node:stream';

/**
 * Writes pieces until the other side closes the connection, each after the previous one was accepted. Returns the number of
 * accepted bytes: those that the other side read, and those in the buffers between.
 */
export function flood(to: Writable, piece: string | Uint8Array): Promise<number> {
  const size = Buffer.byteLength(piece);
  return new Promise((resolve) => {
    let sent = 0;
    const more = (): void => {
      if (to.destroyed || to.writableEnded) return;
      to.write(piece, (error) => {
        if (error) return;
        sent += size;
        setImmediate(more);
      });
    };
    to.on('error', () => undefined);
    to.once('close', () => resolve(sent));
    more();
  });
}
