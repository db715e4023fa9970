import { describe, expect, it } from 'vitest';
import { costOf, factsOf, priceOf } from './model-facts.ts';

const table = { 'model-a': { price: { input: 2, output: 10 } }, 'model-b': { contextTokens: 8_000 } };

describe('priceOf', () => {
  it('finds a model by its name and by its dated name', () => {
    expect(priceOf('model-a', table)).toEqual({ input: 2, output: 10 });
    expect(priceOf('model-a-2025-01-31', table)).toEqual({ input: 2, output: 10 });
    expect(priceOf('model-a-20250131', table)).toEqual({ input: 2, output: 10 });
  });

  it('does not match similar names or inherited members', () => {
    expect(priceOf('model-a-mini', table)).toBeUndefined();
    expect(factsOf('constructor', table)).toBeUndefined();
    expect(priceOf('llama-of-the-house')).toBeUndefined();
  });
});

describe('costOf', () => {
  const price = { input: 2, output: 10 };

  it('multiplies usage and price', () => {
    expect(costOf({ inputTokens: 500_000, outputTokens: 100_000 }, price)).toBe(2);
  });

  it('applies the cached price to cached tokens, if known', () => {
    const usage = { inputTokens: 500_000, cachedInputTokens: 400_000, outputTokens: 0 };
    expect(costOf(usage, price)).toBe(1);
    expect(costOf(usage, { ...price, cachedInput: 0.5 })).toBeCloseTo(0.4);
  });
});
