import { describe, expect, test } from 'vitest';
import { type Failure, Workspace } from './oka-process.ts';
import { modelServer, workspaceWith } from './priced-model.ts';

const DO = ['do', 'say that it is done', '--model', 'house'];

describe('a cost budget', () => {
  test('parks a run before the first call that it does not cover', async () => {
    const { url, requests } = await modelServer(() => 500);
    const workspace = workspaceWith({ url, price: { input: 1, output: 100 } });
    const { exitCode, data } = await workspace.answer(...DO, '--budget', 'cost_usd=0.000001');
    expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 5, status: 'waiting' });
    expect(data.run.budgets.used['cost_usd'] ?? 0).toBe(0);
    expect(requests).toEqual([]);
  });

  test('limits the answer to what it covers, and is charged what the provider counts', async () => {
    const { url, requests } = await modelServer(() => 300);
    const workspace = workspaceWith({ url, price: { input: 0, output: 1_000 } });
    const { data } = await workspace.answer(...DO, '--budget', 'cost_usd=0.4');
    expect(data.run.status).toBe('completed');
    expect(requests.map((asked) => asked.max_completion_tokens ?? asked.max_tokens)).toEqual([400]);
    expect(data.run.budgets.used).toMatchObject({ model_calls: 1, input_tokens: 1_000, cost_usd: 0.3 });
  });

  test('holds for a model of unknown price by an assumed one, and says so', async () => {
    const { url, requests } = await modelServer(() => 10);
    const workspace = workspaceWith({ url });
    const parked = await workspace.answer(...DO, '--budget', 'cost_usd=0.001');
    expect(parked).toMatchObject({ exitCode: 5, data: { run: { status: 'waiting' } } });
    expect(requests).toEqual([]);
    const { data } = await workspace.answer(...DO, '--budget', 'cost_usd=1');
    const { cost_usd, assumed_cost_usd } = data.run.budgets.used as Record<string, number>;
    // 1,000 tokens at 15 dollars per million, and 10 at 75.
    expect([cost_usd, assumed_cost_usd]).toEqual([0.01575, 0.01575]);
    expect((await workspace.oka('runs', 'explain', data.run.id)).stdout).toContain('at an assumed price');
    expect((await workspace.oka('model', 'list')).stdout).toContain('(assumed)');
    await workspace.answer('model', 'price', 'openai/m', '--input', '2', '--output', '10');
    const paid = await workspace.answer(...DO, '--budget', 'cost_usd=1');
    expect(paid.data.run.budgets.used['cost_usd']).toBeCloseTo(0.0021);
  });

  test('of the default holds for a model of unknown price', async () => {
    const { url, requests } = await modelServer(() => 10_000_000);
    const workspace = workspaceWith({ url, files: { 'a.md': 'a' } });
    const { data } = await workspace.answer(...DO);
    expect(data.run.budgets.used['cost_usd']).toBeGreaterThan(5);
    expect(requests).toHaveLength(1);
  });

  test('holds for all runs of a day together', async () => {
    const { url, requests } = await modelServer(() => 500);
    const workspace = workspaceWith({
      url,
      price: { input: 0, output: 1_000 },
      more: { daily_limits: { cost_usd: 0.6 } },
    });
    expect((await workspace.answer(...DO)).data.run.status).toBe('completed');
    const second = await workspace.answer(...DO);
    expect(second.exitCode).toBe(5);
    expect(second.data.run.waitingFor).toMatchObject({
      detail: expect.stringContaining('daily limit of cost_usd'),
    });
    expect(requests).toHaveLength(1);
  });
});

test('a model that cannot be reached costs no tokens', async () => {
  const workspace = workspaceWith({ url: 'http://127.0.0.1:9/v1', price: { input: 1, output: 1 } });
  const { exitCode, data } = await workspace.answer(...DO);
  expect({ exitCode, code: data.run.failure?.code }).toEqual({ exitCode: 6, code: 'models.unreachable' });
  expect(data.run.budgets.used).toMatchObject({ model_calls: 3, retries: 2 });
  expect(data.run.budgets.used).not.toHaveProperty('input_tokens');
  expect(data.run.budgets.used).not.toHaveProperty('cost_usd');
});

test('a price must be an amount, and its model must name a provider', async () => {
  const workspace = Workspace.trusted();
  const refused = await workspace.oka('model', 'price', 'm', '--input', '1', '--output', '1', '--json');
  expect(refused.exitCode).not.toBe(0);
  const { error } = JSON.parse(refused.stdout || refused.stderr) as { error: Failure };
  expect(error).toMatchObject({
    code: 'models.not_configured',
    message: expect.stringContaining('openai/gpt-4.1'),
  });
  expect((await workspace.oka('model', 'price', 'openai/m', '--input', '-1', '--output', '1')).exitCode).toBe(
    2,
  );
});
