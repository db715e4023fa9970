// The entry point `oka/chat`.
export * from '../chat/index.ts';
export {
  type OpenConversationsOptions,
  type OpenedConversations,
  openConversations,
} from './open-conversations.ts';
export { openStores, type StoreLocation, type StoreOptions, type Stores } from './open-stores.ts';
