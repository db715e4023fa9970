import { SqlChatRecords } from '../../adapters/sql/index.ts';
import {
  type ChatParts,
  ConversationErasure,
  Conversations,
  DEFAULT_CHAIN_LIMITS,
} from '../../chat/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { eraseContent } from '../memory/erase-content.ts';
import { chatErasure } from './chat-erasure.ts';
import type { ChatServices, ChatSettings } from './chat-services.ts';

export interface OpenChat {
  readonly records: SqlChatRecords;
  readonly parts: ChatParts;
  readonly conversations: Conversations;
  readonly erasure: ConversationErasure;
}

/** The conversations of each ledger; a closed workspace opens a new ledger. */
export class ChatLedgers {
  readonly #services: ChatServices;
  readonly #read = new WeakMap<OpenLedger, OpenChat>();
  readonly #written = new WeakMap<OpenLedger, OpenChat>();

  constructor(services: ChatServices) {
    this.#services = services;
  }

  /** For reading only, without the configured limits. */
  reading(): OpenChat {
    return this.#on(this.#services.ledger(), this.#read, {});
  }

  /** For writing. Requires trust. */
  async writing(): Promise<OpenChat> {
    const ledger = await this.#services.writable();
    const known = this.#written.get(ledger);
    return known ?? this.#on(ledger, this.#written, await this.#services.settings());
  }

  #on(ledger: OpenLedger, opened: WeakMap<OpenLedger, OpenChat>, settings: ChatSettings): OpenChat {
    const known = opened.get(ledger);
    if (known) return known;
    const { clock, ids, agents, backend } = this.#services;
    const { ttlMs, ...limits } = settings;
    const records = new SqlChatRecords(ledger.tables);
    const parts: ChatParts = {
      events: ledger.events,
      records,
      agents,
      erasure: chatErasure(ledger, backend, (events, by, reason) =>
        eraseContent(this.#services, ledger, { events, by, reason }),
      ),
      clock,
      ids,
      limits: { ...DEFAULT_CHAIN_LIMITS, ...limits },
      ...(ttlMs === undefined ? {} : { ttlMs }),
    };
    const conversations = new Conversations(parts);
    const made = { records, parts, conversations, erasure: new ConversationErasure(parts, conversations) };
    opened.set(ledger, made);
    return made;
  }
}
