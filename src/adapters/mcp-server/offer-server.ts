import { Server } from '@modelcontextprotocol/server';
import type { McpOffer, OfferChange } from './ports.ts';
import { handlePrompts } from './prompt-handlers.ts';
import { handleResources } from './resource-handlers.ts';
import { handleTools } from './tool-handlers.ts';

export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** What a model should know before it uses the server. */
  readonly instructions: string;
}

/** The protocol generation of a client: with a handshake, or stateless. */
type ProtocolEra = 'legacy' | 'modern';

/** A server for one client or one request. */
export interface McpConnection {
  readonly server: Server;
  /** Notifies the client of a change if it has subscribed. Never rejects. */
  notify(change: OfferChange): Promise<void>;
}

/** Creates the servers for transports. */
export interface ServerSource {
  open(era: ProtocolEra): McpConnection;
  onChange(listener: (change: OfferChange) => void): () => void;
}

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
    notify: async (change) => {
      if (!opened || server.transport === undefined) return;
      // For modern clients the transport tracks subscriptions.
      if (era === 'legacy' && change.what === 'resource' && !subscribed.has(change.uri)) return;
      await send(server, change).catch(() => undefined);
    },
  };
}

const SEND_LIST_CHANGED = {
  tools: 'sendToolListChanged',
  resources: 'sendResourceListChanged',
  prompts: 'sendPromptListChanged',
} as const;

function send(server: Server, change: OfferChange): Promise<void> {
  if (change.what === 'resource') return server.sendResourceUpdated({ uri: change.uri });
  return server[SEND_LIST_CHANGED[change.what]]();
}
