import { ASSUMED_PRICE, factsOf, type ModelPrice, providerFacts } from '../../models/index.ts';
import type { ModelEntry, RemoteEntry } from './types.ts';

interface Configured {
  readonly models: Readonly<Record<string, ModelEntry>>;
  /** Prices by `provider/model`. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

interface EntryTerms {
  readonly price: ModelPrice;
  readonly priceFrom: 'user' | 'published' | 'local' | 'assumed';
  readonly contextTokens?: number;
}

/** A larger context is used only if the configuration says so, because each request would cost more. */
export const MAX_ASSUMED_CONTEXT = 200_000;

const FREE: ModelPrice = { input: 0, output: 0 };
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Price and context size of a model. The price is its own, the one set for `provider/model`, that of an entry of the same model,
 * none for a local model, the published one, or else the assumed one.
 */
export function entryTerms(entry: RemoteEntry, { models, prices }: Configured): EntryTerms {
  const name = `${entry.provider}/${entry.model}`;
  const known = factsOf(name);
  const assumed = known?.contextTokens && Math.min(known.contextTokens, MAX_ASSUMED_CONTEXT);
  const contextTokens = entry.contextTokens ?? assumed;
  const set = Object.hasOwn(prices, name) ? prices[name] : undefined;
  // A project could use a price of its own to lift the user's cost budget.
  const own = entry.from === 'user' || set === undefined ? entry.price : undefined;
  const chosen = own ?? set ?? priceOfSame(entry, Object.values(models));
  return {
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(chosen !== undefined
      ? { price: chosen, priceFrom: 'user' }
      : isLocal(entry)
        ? { price: FREE, priceFrom: 'local' }
        : known?.price !== undefined
          ? { price: known.price, priceFrom: 'published' }
          : { price: ASSUMED_PRICE, priceFrom: 'assumed' }),
  };
}

/**
 * A model that runs on the user's own machines costs nothing per token. The kind of the provider says so: behind a loopback
 * address of any other provider may be a gateway to a paid model.
 */
function isLocal({ provider, baseUrl }: RemoteEntry): boolean {
  if (provider === 'ollama') return true;
  if (!providerFacts(provider)?.isLocal) return false;
  return baseUrl === undefined || (URL.canParse(baseUrl) && LOOPBACK.test(new URL(baseUrl).hostname));
}

function priceOfSame(entry: RemoteEntry, others: readonly ModelEntry[]): ModelPrice | undefined {
  const same = others.find(
    (other) =>
      other.provider !== 'scripted' &&
      other.provider === entry.provider &&
      other.model === entry.model &&
      other.price !== undefined &&
      // A project could use a price of its own to lift the user's cost budget.
      (other.from === 'user' || entry.from === 'project'),
  );
  return same && 'price' in same ? same.price : undefined;
}
