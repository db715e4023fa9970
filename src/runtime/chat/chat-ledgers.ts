import { SqliteChatRecords } from '../../adapters/sqlite/index.ts';
import {
  type ChatParts,
  ConversationErasure,
  Conversations,
  DEFAULT_CHAIN_LIMITS,
} from '../../chat/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { chatErasure } from './chat-erasure.ts';
import type { ChatSettings, ChatWorkbench } from './chat-workbench.ts';

/** The domain on one ledger. */
export interface OpenChat {
  readonly records: SqliteChatRecords;
  readonly parts: ChatParts;
  readonly conversations: Conversations;
  readonly erasure: ConversationErasure;
}

/** Conversations on the ledger of a workspace, which is another one after it was closed. */
export class ChatLedgers {
  readonly #bench: ChatWorkbench;
  readonly #looked = new WeakMap<OpenLedger, OpenChat>();
  readonly #written = new WeakMap<OpenLedger, OpenChat>();

  constructor(bench: ChatWorkbench) {
    this.#bench = bench;
  }

  /** For looking only: what limits chains has is not asked for. */
  looking(): OpenChat {
    return this.#on(this.#bench.ledger(), this.#looked, {});
  }

  /** For changing; refuses where the workspace is not trusted. */
  async writing(): Promise<OpenChat> {
    const ledger = await this.#bench.writable();
    const known = this.#written.get(ledger);
    return known ?? this.#on(ledger, this.#written, await this.#bench.settings());
  }

  #on(ledger: OpenLedger, opened: WeakMap<OpenLedger, OpenChat>, settings: ChatSettings): OpenChat {
    const known = opened.get(ledger);
    if (known) return known;
    const { clock, ids, agents, databaseFile, acting, erase } = this.#bench;
    const { ttlMs, ...limits } = settings;
    const records = new SqliteChatRecords(ledger.database, databaseFile);
    const parts: ChatParts = {
      events: ledger.events,
      records,
      agents,
      erasure: chatErasure({ ledger, acting, erase }),
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
