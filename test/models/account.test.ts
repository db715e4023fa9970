import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { ASSUMED_PRICE } from '../../src/models/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Asked, type Ending, endingServer, USAGE } from './ending-server.ts';

/** Set OKA_CASES to try more. */
const RUNS = Number(process.env['OKA_CASES'] ?? 8);

type Price = { readonly input: number; readonly output: number };

interface Case {
  readonly prices: readonly (Price | undefined)[];
  readonly endings: readonly Ending[];
  readonly budgets: Readonly<Record<string, number>>;
}

const price = fc.option(
  fc.record({ input: fc.integer({ min: 0, max: 500 }), output: fc.integer({ min: 1, max: 900 }) }),
  {
    nil: undefined,
  },
);
const ending = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(500, 503, 429).map((status) => ({ text: '', reason: null, status })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('length', 'stop', 'unheard_of')
      .map((reason) => ({ text: 'Some words.', reason })),
  },
  { weight: 1, arbitrary: fc.constant({ text: ' ', reason: 'stop' }) },
);
const someCase: fc.Arbitrary<Case> = fc.record({
  prices: fc.array(price, { minLength: 1, maxLength: 3 }),
  endings: fc.array(ending, { minLength: 1, maxLength: 12 }),
  budgets: fc.record(
    {
      retries: fc.integer({ min: 0, max: 6 }),
      model_calls: fc.integer({ min: 1, max: 8 }),
      cost_usd: fc.constantFrom(0.05, 0.2, 1, 5),
    },
    { requiredKeys: ['retries'] },
  ),
});

/** A goal that a model answers; the first model has the others as fallbacks. */
async function pursue({ prices, endings, budgets }: Case) {
  const asked: Asked[] = [];
  const url = `${await endingServer(endings, asked)}/v1`;
  const home = join(tempFolder(), 'home');
  const oka = new Oka({ workspace: tempFolder(), home });
  onTestFinished(() => oka.close());
  await oka.init({ trust: true });
  const models = Object.fromEntries(
    prices.map((one, place) => [
      `m${place}`,
      {
        ...{ provider: 'openai', model: `m${place}`, base_url: url, api_key: { env: 'PATH' } },
        max_output_tokens: 300,
        ...(one && { price: one }),
        ...(place === 0 && { fallback: prices.slice(1).map((_, i) => `m${i + 1}`) }),
      },
    ]),
  );
  writeFileSync(join(home, 'config.json'), JSON.stringify({ models, default_model: 'm0' }));
  const { run } = await oka.do({
    goal: 'explain the meaning of it all',
    budgets,
    simulate: false,
    patienceMs: 0,
  });
  return { run, asked, explained: await oka.runs.explain(run.id) };
}

function priceOf({ model }: Asked, prices: Case['prices']): Price {
  return prices[Number(model.slice(1))] ?? ASSUMED_PRICE;
}

it('the account of a run is what the server has counted, priced by the model that each request went to', async () => {
  await fc.assert(
    fc.asyncProperty(someCase, async (one) => {
      const { prices, endings, budgets } = one;
      const { run, asked, explained } = await pursue(one);
      const used = run.budgets.used as Record<string, number>;
      expect(used['model_calls'] ?? 0).toBe(asked.length);
      const answered = asked.filter((_, i) => endings[Math.min(i, endings.length - 1)]?.status === undefined);
      const cost = (among: readonly Asked[]): number =>
        among.reduce((sum, request) => {
          const { input, output } = priceOf(request, prices);
          return sum + (USAGE.input * input + USAGE.output * output) / 1e6;
        }, 0);
      expect(used['cost_usd'] ?? 0).toBeCloseTo(cost(answered), 9);
      const assumed = answered.filter(({ model }) => prices[Number(model.slice(1))] === undefined);
      expect(used['assumed_cost_usd'] ?? 0).toBeCloseTo(cost(assumed), 9);
      expect(used['input_tokens'] ?? 0).toBe(answered.length * USAGE.input);
      // Limits hold.
      const { retries = 0, model_calls: calls = 100, cost_usd: dollars = 5 } = budgets;
      expect(used['retries'] ?? 0).toBeLessThanOrEqual(retries);
      expect(asked.length).toBeLessThanOrEqual(calls);
      expect(used['cost_usd'] ?? 0).toBeLessThanOrEqual(dollars + 1e-9);
      const continued = asked.filter(({ messages }) =>
        JSON.stringify(messages).includes('was cut at the output limit'),
      );
      expect(asked.length - continued.length).toBeLessThanOrEqual(1 + retries);
      // Every failed request of a failed run is explained.
      if (run.status === 'failed' && asked.length > 0) expect(explained.recoveries.length).toBeGreaterThan(0);
    }),
    { numRuns: RUNS },
  );
});

it('no retry means one request, and its failure is explained', async () => {
  const { run, asked, explained } = await pursue({
    prices: [undefined, undefined],
    endings: [{ text: '', reason: null, status: 500 }],
    budgets: { retries: 0 },
  });
  expect([run.status, asked.length, run.budgets.used['model_calls']]).toEqual(['failed', 1, 1]);
  expect(explained.notes.map(({ what }) => what).join('\n')).toContain('request 1 to openai (m0) failed');
});
