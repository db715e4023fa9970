// Owns: the routes of events: the stream, and the same records as pages.
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { OkaError } from '../../api/index.ts';
import type { FeedEvent, LedgerFeed } from '../../runtime/index.ts';
import type { EventHub, Feed } from './event-hub.ts';
import { EventStream, type StreamFilter, selects } from './event-stream.ts';
import { SAFETY_HEADERS, type Variables } from './guard.ts';
import { problem } from './problem.ts';

const BATCH = 500;
const MAX_PAGE = 1_000;
const DEFAULT_PAGE = 100;
/** The most events that one page reads. A page with few matches ends here, with a cursor for the rest. */
const MAX_SCANNED = 20_000;

type Env = { Bindings: HttpBindings; Variables: Variables };

export function eventRoutes(feed: Feed & Pick<LedgerFeed, 'treeOf'>, hub: EventHub): Hono<Env> {
  const app = new Hono<Env>();
  app.get('/v1/events', async (c) => {
    try {
      hub.requireCapacity();
      const filter = await filterOf(c, feed);
      const head = await feed.head();
      const after = positionOf(c, 'after', c.req.header('last-event-id') ?? c.req.query('after')) ?? head;
      // Asked again: other requests may have come meanwhile.
      hub.requireCapacity();
      const { outgoing } = c.env;
      outgoing.writeHead(200, {
        ...SAFETY_HEADERS,
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      // A position after the head is one of a ledger that was replaced.
      const stream = new EventStream(outgoing, filter, Math.min(after, head));
      outgoing.on('close', () => hub.remove(stream));
      void hub.serve(stream);
      return alreadySent();
    } catch (error) {
      return problem(c, error);
    }
  });
  app.get('/v1/events/list', async (c) => {
    try {
      const filter = await filterOf(c, feed);
      const after = positionOf(c, 'after', c.req.query('cursor') ?? c.req.query('after')) ?? 0;
      const limit = Math.min(positionOf(c, 'limit', c.req.query('limit')) ?? DEFAULT_PAGE, MAX_PAGE);
      c.header('cache-control', 'no-store');
      const page = await readPage(feed, filter, { after, limit: Math.max(1, limit) });
      return c.json({
        ...page,
        items: c.req.query('bodies') === 'true' ? page.items : page.items.map(({ body: _, ...rest }) => rest),
      });
    } catch (error) {
      return problem(c, error);
    }
  });
  return app;
}

/**
 * Tells the server that the response is written elsewhere. Where the adapter has replaced the global Response, it would write an
 * untouched one a second time and end the stream; reading its body prevents that.
 */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  void response.body;
  return response;
}

async function readPage(
  feed: Feed,
  filter: StreamFilter,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ readonly items: readonly FeedEvent[]; readonly next?: string }> {
  const items: FeedEvent[] = [];
  let position = after;
  for (let scanned = 0; scanned < MAX_SCANNED; scanned += BATCH) {
    const events = await feed.readAfter(position, BATCH);
    for (const event of events) {
      position = event.position;
      if (selects(filter, event)) items.push(event);
      if (items.length === limit) return { items, next: String(position) };
    }
    if (events.length < BATCH) return { items };
  }
  return { items, next: String(position) };
}

async function filterOf(c: Context, feed: Pick<LedgerFeed, 'treeOf'>): Promise<StreamFilter> {
  const { run, conversation, kind } = c.req.query();
  const kinds = kind?.split(',').filter((part) => part !== '');
  return {
    ...(run === undefined ? {} : { tree: await feed.treeOf(run) }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(kinds === undefined || kinds.length === 0 ? {} : { kinds }),
  };
}

function positionOf(c: Context, name: string, given: string | undefined): number | undefined {
  if (given === undefined || given === '') return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new OkaError('http.bad_request', `Invalid ${name} "${given}": expected a whole number.`, {
    data: { field: name, path: c.req.path },
  });
}
