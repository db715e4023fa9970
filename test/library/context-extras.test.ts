import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type CustomOrdering, SynthesisPolicies, type SynthesisPolicy } from '../../src/context/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const titles: SynthesisPolicy = {
  name: 'titles',
  version: '1',
  deterministic: true,
  parameters: () => ({}),
  synthesize: ({ children }) => children.map(({ content }) => content.split('\n')[0]).join(' / '),
};
const shortestFirst: CustomOrdering = (a, b) => a.bytes - b.bytes;

it('an embedding program adds a synthesis policy and an ordering, for its own calls and for tools of runs', async () => {
  const workspace = tempFolder();
  for (const name of ['a.md', 'b.md']) writeFileSync(join(workspace, name), name);
  const oka = new Oka({
    ...{ workspace, home: join(tempFolder(), 'home') },
    context: { policies: new SynthesisPolicies([titles]), orderings: { shortest: shortestFirst } },
  });
  await oka.init({ trust: true });
  await oka.context.scan({ force: false, by: 'me' });
  const put = (node: string, content: string) =>
    oka.context.putFrame({ node, content, type: 'note', agent: 'user', by: 'me' });
  await put('a.md', 'A much longer title\nrest');
  await put('b.md', 'Short\nrest');
  const request = { node: '.', type: 'note', policy: 'titles', agent: 'user' };
  await oka.context.synthesize({ ...request, recursive: false, by: 'me' });
  const { frames } = await oka.context.compose({
    ...{ node: 'a.md', sources: ['node', 'siblings', 'parent'], order: 'shortest', agent: 'user' },
  });
  expect(frames.map(({ content }) => content)).toEqual([
    'Short\nrest',
    'A much longer title\nrest',
    'A much longer title / Short',
  ]);
  const called = await oka.tools.call({
    ...{ tool: 'context.compose', simulate: false, patienceMs: 0 },
    input: { node: 'a.md', order: 'shortest' },
  });
  expect(called.run).toMatchObject({ status: 'completed' });
  await oka.close();
});
