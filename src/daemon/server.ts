// Owns: the HTTP routes of a daemon. Does not own: what calls do, and the socket.
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { stream } from 'hono/streaming';
import { type DaemonStatus, OkaError } from '../api/index.ts';
import type { Calls, SendLine } from './calls.ts';

/** The body of a mention notification. */
interface Mention {
  readonly conv_name: string;
  readonly message_id: number;
  readonly depth: number;
}

const MAX_MENTION_BYTES = 4_096;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** The buffer for a slow reader; listener lines beyond it are dropped. */
const MAX_BUFFERED_CHARACTERS = 8 * 1024 * 1024;

export interface Routes {
  readonly calls: Calls;
  readonly status: () => DaemonStatus;
  /** Called when an agent was mentioned. */
  readonly onNotify: (mention: Mention) => void;
  /** Makes a one-time link to the web app. Throws if there is no web server. */
  readonly newLink: (to: string | undefined) => WebLink;
}

/** A link that opens a page of the web app once. */
interface WebLink {
  readonly url: string;
  readonly expiresAt: number;
}

export function routesOf({ calls, status, onNotify, newLink }: Routes): Hono {
  const app = new Hono();
  // Browsers always send an Origin header; local programs do not.
  app.use(async (c, next) => {
    if (c.req.header('origin') !== undefined)
      return c.json({ error: 'requests from web pages are not allowed' }, 403);
    return next();
  });
  app.get('/v1/status', (c) => c.json(status()));
  app.post('/v1/calls/:id/:operation', bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) => {
    const { id, operation } = c.req.param();
    const body: unknown = await c.req.json().catch(() => undefined);
    c.header('content-type', 'application/x-ndjson');
    return stream(c, async (out) => {
      out.onAbort(() => calls.disconnect(id));
      await calls.answer(id, operation, body, lineSender(out));
    });
  });
  // Returns immediately, without waiting for the agent.
  app.post('/v1/notify', bodyLimit({ maxSize: MAX_MENTION_BYTES }), async (c) => {
    const mention: unknown = await c.req.json().catch(() => undefined);
    if (!isMention(mention)) return c.json({ error: 'expected conv_name, message_id and depth' }, 400);
    onNotify(mention);
    return c.json({ heard: true }, 202);
  });
  // Only on this socket, which only the user can open: a link makes a browser act as the user.
  app.post('/v1/web/link', bodyLimit({ maxSize: MAX_MENTION_BYTES }), async (c) => {
    const { to }: { to?: unknown } = (await c.req.json().catch(() => undefined)) ?? {};
    try {
      return c.json(newLink(typeof to === 'string' ? to : undefined));
    } catch (error) {
      if (error instanceof OkaError) return c.json({ error: error.toJSON() }, 409);
      throw error;
    }
  });
  app.delete('/v1/calls/:id', (c) => c.json({ known: calls.cancel(c.req.param('id')) }));
  return app;
}

/** Sends lines in order. The call continues even if the client has disconnected. */
export function lineSender(out: { write(text: string): Promise<unknown> }): SendLine {
  let sent: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (line) => {
    if ('heard' in line && waiting > MAX_BUFFERED_CHARACTERS) return Promise.resolve();
    const text = `${JSON.stringify(line)}\n`;
    waiting += text.length;
    const written = sent
      .then(() => out.write(text))
      .catch(() => undefined)
      .then(() => {
        waiting -= text.length;
      });
    sent = written;
    return written;
  };
}

function isMention(value: unknown): value is Mention {
  const { conv_name, message_id, depth } = (value ?? {}) as Partial<Mention>;
  return typeof conv_name === 'string' && Number.isInteger(message_id) && Number.isInteger(depth);
}
