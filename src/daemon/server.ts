// Owns: the HTTP contract on a socket. Does not own: what calls do.
import { chmodSync } from 'node:fs';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { stream } from 'hono/streaming';
import type { DaemonStatus } from '../api/index.ts';
import type { Calls } from './calls.ts';

/** What a doorbell is rung for. */
export interface Doorbell {
  readonly conv_name: string;
  readonly message_id: number;
  readonly depth: number;
}

const LARGEST_BELL_BYTES = 4_096;
const LARGEST_BODY_BYTES = 64 * 1024 * 1024;

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
      // What whoever asked does not hear any more is still carried out.
      let sent: Promise<unknown> = Promise.resolve();
      await calls.answer(id, operation, body, (line) => {
        sent = sent.then(() => out.write(`${JSON.stringify(line)}\n`)).catch(() => undefined);
      });
      await sent;
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

function isBell(bell: unknown): bell is Doorbell {
  const { conv_name, message_id, depth } = (bell ?? {}) as Partial<Doorbell>;
  return typeof conv_name === 'string' && Number.isInteger(message_id) && Number.isInteger(depth);
}

/** Serves on a Unix socket that only the person may use. */
export async function listenOnSocket(app: Hono, path: string): Promise<Server> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve());
  });
  chmodSync(path, 0o600);
  return server;
}
