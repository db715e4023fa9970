import { Server } from '@modelcontextprotocol/server';
import type { McpOffer, OfferChange } from './ports.ts';
import { handlePrompts } from './prompt-handlers.ts';
import { handleResources } from './resource-handlers.ts';
import { handleTools } from './tool-handlers.ts';

/** Who the server says that it is. */
export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** What a model should know before it uses the server. */
  readonly instructions: string;
}

/** Which kind of conversation a client has opened: with a handshake, or with everything in each request. */
type ProtocolEra = 'legacy' | 'modern';

/** A server for one client, or for one request of one. */
export interface McpConnection {
  readonly server: Server;
  /** Tells the client of a change, if it wants to know. Never rejects. */
  tell(change: OfferChange): Promise<void>;
}

/** Where transports get their servers from. */
export interface ServerSource {
  open(era: ProtocolEra): McpConnection;
  onChange(listener: (change: OfferChange) => void): () => void;
}

/** Makes servers for an offer. */
export function offerSource(offer: McpOffer, identity: ServerIdentity): ServerSource {
  return {
    open: (era) => openOffer(offer, identity, era),
    onChange: (listener) => offer.onChange(listener),
  };
}

function openOffer(offer: McpOffer, identity: ServerIdentity, era: ProtocolEra): McpConnection {
  const { name, title, version, instructions } = identity;
  const server = new Server(
    { name, title, version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      instructions,
    },
  );
  const subscribed = new Set<string>();
  let opened = era === 'modern';
  server.oninitialized = () => {
    opened = true;
  };
  handleTools(server, offer);
  handleResources(server, offer, subscribed);
  handlePrompts(server, offer);
  return {
    server,
    tell: async (change) => {
      if (!opened || server.transport === undefined) return;
      // In the modern era the transport knows who listens to what.
      if (era === 'legacy' && change.what === 'resource' && !subscribed.has(change.uri)) return;
      await send(server, change).catch(() => undefined);
    },
  };
}

function send(server: Server, change: OfferChange): Promise<void> {
  switch (change.what) {
    case 'tools':
      return server.sendToolListChanged();
    case 'resources':
      return server.sendResourceListChanged();
    case 'prompts':
      return server.sendPromptListChanged();
    case 'resource':
      return server.sendResourceUpdated({ uri: change.uri });
  }
}
