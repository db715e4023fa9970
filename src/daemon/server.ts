// Owns: the HTTP contract on a socket. Does not own: what calls do.
import { chmodSync, renameSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { stream } from 'hono/streaming';
import type { DaemonStatus } from '../api/index.ts';
import type { Calls, Tell } from './calls.ts';
import { checkSocketPath } from './socket-place.ts';

/** What a doorbell is rung for. */
interface Doorbell {
  readonly conv_name: string;
  readonly message_id: number;
  readonly depth: number;
}

const LARGEST_BELL_BYTES = 4_096;
const LARGEST_BODY_BYTES = 64 * 1024 * 1024;
/** What may wait for somebody who reads slowly; what listeners would hear beyond that is left out. */
const MOST_WAITING_CHARACTERS = 8 * 1024 * 1024;

export interface Routes {
  readonly calls: Calls;
  readonly status: () => DaemonStatus;
  /** Somebody was mentioned. */
  readonly onNotify: (bell: Doorbell) => void;
}

/** The routes, for whatever they are served on. */
export function routesOf({ calls, status, onNotify }: Routes): Hono {
  const app = new Hono();
  // Programs of the same person send none; a page in a browser always does.
  app.use(async (c, next) => {
    if (c.req.header('origin') !== undefined) return c.json({ error: 'pages are not served here' }, 403);
    return next();
  });
  app.get('/v1/status', (c) => c.json(status()));
  app.post('/v1/calls/:id/:operation', bodyLimit({ maxSize: LARGEST_BODY_BYTES }), async (c) => {
    const { id, operation } = c.req.param();
    const body: unknown = await c.req.json().catch(() => undefined);
    c.header('content-type', 'application/x-ndjson');
    return stream(c, async (out) => {
      out.onAbort(() => calls.unheard(id));
      await calls.answer(id, operation, body, tellOver(out));
    });
  });
  // The doorbell: answers at once, and waits for nothing.
  app.post('/v1/notify', bodyLimit({ maxSize: LARGEST_BELL_BYTES }), async (c) => {
    const bell: unknown = await c.req.json().catch(() => undefined);
    if (!isBell(bell)) return c.json({ error: 'ring with conv_name, message_id and depth' }, 400);
    onNotify(bell);
    return c.json({ heard: true }, 202);
  });
  app.delete('/v1/calls/:id', (c) => c.json({ known: calls.letGo(c.req.param('id')) }));
  return app;
}

/** Sends lines in their order. What whoever asked does not hear any more is still carried out. */
export function tellOver(out: { write(text: string): Promise<unknown> }): Tell {
  let sent: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (line) => {
    if ('heard' in line && waiting > MOST_WAITING_CHARACTERS) return Promise.resolve();
    const text = `${JSON.stringify(line)}\n`;
    waiting += text.length;
    const written = sent
      .then(() => out.write(text))
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        waiting -= text.length;
      });
    sent = written;
    return written;
  };
}

function isBell(bell: unknown): bell is Doorbell {
  const { conv_name, message_id, depth } = (bell ?? {}) as Partial<Doorbell>;
  return typeof conv_name === 'string' && Number.isInteger(message_id) && Number.isInteger(depth);
}

/**
 * Serves on a Unix socket that only the person may use. The socket gets its name when it is ready, in place of what a daemon
 * that has died left there; a server removes only the name that it was made with, and so never that of another.
 */
export async function listenOnSocket(app: Hono, path: string): Promise<Server> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const made = `${path}.${process.pid}`;
  checkSocketPath(made);
  rmSync(made, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(made, () => resolve());
  });
  chmodSync(made, 0o600);
  renameSync(made, path);
  return server;
}
