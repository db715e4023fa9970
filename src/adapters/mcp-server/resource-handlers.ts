import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { pageOf } from './page-of.ts';
import type { McpOffer, OfferedResource } from './ports.ts';

/** The maximum number of subscriptions per client. */
const MAX_SUBSCRIPTIONS = 1_000;

/**
 * Registers the handlers that list and read resources. Subscribed addresses are added to `subscribed`; in the newest protocol the
 * transport tracks them instead.
 */
export function handleResources(server: Server, offer: McpOffer, subscribed: Set<string>): void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const { items, ...page } = pageOf(await offer.resources(), ({ uri }) => uri, params?.cursor);
    return {
      resources: items.map((resource) => ({ uri: resource.uri, ...describe(resource) })),
      ...page,
    };
  });
  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    const { items, ...page } = pageOf(await offer.templates(), ({ template }) => template, params?.cursor);
    return {
      resourceTemplates: items.map((item) => ({ uriTemplate: item.template, ...describe(item) })),
      ...page,
    };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const content = await offer.read(uri);
    if (content === undefined) throw new ResourceNotFoundError(uri);
    const { mediaType: mimeType } = content;
    return {
      contents: [
        'text' in content ? { uri, mimeType, text: content.text } : { uri, mimeType, blob: content.base64 },
      ],
    };
  });
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (subscribed.size < MAX_SUBSCRIPTIONS) subscribed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
}

function describe({ name, title, description, mediaType }: Omit<OfferedResource, 'uri'>) {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    mimeType: mediaType,
  };
}
