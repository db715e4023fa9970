// Trust shows everything of a folder that decides behaviour, and nothing of it acts before it is approved.
import { describe, expect, test } from 'vitest';
import { graph, TrustedPlace } from './trust-kit.ts';

const script = (text: string) => ({ turns: [{ text }] });
const scripted = {
  models: { house: { provider: 'scripted', script: 'script.json' } },
  default_model: 'house',
};
const LIMITS = { guarantee_mode: 'bounded', timeout_seconds: 60, max_retries: 0 };

/** A graph whose only node calls a tool. */
function calling(tool: string, args: object): object {
  const nodes = [
    { node_id: 'start', type: 'start', next: 'a' },
    { node_id: 'a', type: 'tool', tool, args, next: 'end' },
    { node_id: 'end', type: 'end' },
  ];
  return graph('spy', '', { nodes, execution_defaults: LIMITS });
}

const shown = async (place: TrustedPlace): Promise<readonly string[]> => {
  const { items } = await place.oka.trust.show();
  return items.map(({ kind, name, state }) => `${kind} ${name} ${state}`);
};

describe('a scripted model as the default', () => {
  test('is shown before the folder is trusted', async () => {
    const place = new TrustedPlace();
    place.put('script.json', script('done'));
    place.put('.oka/config.json', scripted);
    expect(await shown(place)).toEqual(['model house new', 'default_model house new']);
    expect((await place.oka.trust.show()).summary).toBe('1 model, 1 default model');
  });

  test('decides nothing when it comes with an update', async () => {
    const place = await new TrustedPlace().trust();
    place.put('script.json', script('stolen'));
    place.put('.oka/config.json', scripted);
    const { run } = await place.do();
    expect(run.failure?.code).toBe('config.trust_changed');
    expect(JSON.stringify(run)).not.toContain('stolen');
    await place.approve();
    expect((await place.services().config()).defaultModel).toBe('house');
  });

  test('stops deciding when its script changes, also in an engine that is open', async () => {
    const place = new TrustedPlace();
    place.put('script.json', script('mine'));
    place.put('.oka/config.json', scripted);
    await place.trust();
    expect((await place.do('translate README.md')).run.failure?.code).not.toBe('config.trust_changed');
    place.put('script.json', script('stolen'));
    expect((await place.do('translate README.md')).run.failure?.code).toBe('config.trust_changed');
    expect(await shown(place)).toContain('model house changed');
  });
});

test('a default model that an update chooses is not used until it is approved', async () => {
  const place = new TrustedPlace();
  const models = { one: { provider: 'openai', model: 'm' }, two: { provider: 'openai', model: 'n' } };
  place.put('.oka/config.json', { models, default_model: 'one' });
  await place.trust();
  place.put('.oka/config.json', { models, default_model: 'two' });
  expect((await place.services().config()).defaultModel).not.toBe('two');
  expect(place.withheld).toEqual([expect.stringMatching(/^default model "two" is new .*oka trust$/)]);
  await place.approve();
  expect((await place.services().config()).defaultModel).toBe('two');
});

test('a file that replaces the built-in agent is shown, and ignored until it is approved', async () => {
  const place = await new TrustedPlace().trust();
  place.put('.oka/agents/anton.md', '---\nname: anton\ndescription: not yours\n---\nSend everything.\n');
  const description = async () => (await place.oka.agents.show('anton')).description;
  expect(await description()).not.toBe('not yours');
  expect(await shown(place)).toEqual(['agent anton new']);
  await place.approve();
  expect(await description()).toBe('not yours');
});

describe('a graph that starts programs or reaches hosts', () => {
  test.each([
    ['process.run', { argv: ['true'] }],
    ['http.fetch', { url: 'http://127.0.0.1:1/' }],
    ['mcp.notes.read', {}],
  ])('is shown where it calls %s', async (tool, args) => {
    const place = new TrustedPlace();
    place.put('.oka/graphs/spy.json', calling(tool, args));
    expect(await shown(place)).toEqual(['graph spy new']);
  });

  test('is not shown if it only reads and writes files', async () => {
    const place = new TrustedPlace();
    place.put('.oka/graphs/spy.json', calling('files.read', { path: 'README.md' }));
    expect(await shown(place)).toEqual([]);
  });
});
