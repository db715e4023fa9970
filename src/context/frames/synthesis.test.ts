import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framesKit } from './frames-kit.conformance.ts';
import { SynthesisPolicies } from './synthesis-policies.ts';
import type { SynthesisPolicy } from './synthesis-policy.ts';

const FILES = {
  'top.txt': 'top',
  'src/a.txt': 'alpha',
  'src/b.txt': 'beta',
  'src/deep/c.txt': 'gamma',
  'other/d.txt': 'delta',
};
const POLICIES = ['concatenation', 'summarization', 'filtering'];

describe('synthesis', () => {
  it('makes the same frame from the same child frames, in any order of insertion and with every policy', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(Object.keys(FILES), { minLength: 1 }),
        fc.constantFrom(...POLICIES),
        async (paths, policy) => {
          const made = [];
          for (const order of [paths, [...paths].reverse()]) {
            const kit = framesKit(FILES);
            for (const path of order) await kit.put(path, `What ${path} says. It says more.`);
            made.push((await kit.synthesize('.', { policy, recursive: true })).frame);
          }
          expect(made[0]).toBe(made[1]);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('has another basis once a child or its frame has changed', async () => {
    const { frames, put, synthesize, tree } = framesKit(FILES);
    await put('src/a.txt', 'about a');
    await synthesize('src');
    const basis = async () => (await frames.getHead('src', 'note')).head?.basisHash;
    const first = await basis();
    await put('src/a.txt', 'more about a');
    expect(await frames.getHead('src', 'note')).toMatchObject({ stale: true });
    await synthesize('src');
    const second = await basis();
    expect(second).not.toBe(first);
    tree.write('src/a.txt', 'another alpha');
    expect(await frames.getHead('src', 'note')).toMatchObject({ stale: true });
    await synthesize('src');
    expect(await basis()).not.toBe(second);
  });

  it('reads its children only: no parent, no sibling, and only the own frame of a folder below', async () => {
    const { put, synthesize, contentOf } = framesKit(FILES);
    await put('top.txt', 'TOP');
    await put('other/d.txt', 'OTHER');
    await put('src/deep/c.txt', 'DEEP');
    await put('src/a.txt', 'OWN');
    const { skipped } = await synthesize('src');
    const content = await contentOf('src');
    expect(content).toContain('OWN');
    expect(content).not.toMatch(/TOP|OTHER|DEEP/);
    expect(skipped).toEqual(['src/b.txt', 'src/deep']);
  });

  it('is strictly bottom-up with --recursive: the deepest frame reaches the top in one run', async () => {
    const { put, synthesize, contentOf, frames } = framesKit(FILES);
    await put('src/deep/c.txt', 'DEEP');
    expect(await synthesize('.', { recursive: true })).toMatchObject({ appended: 4 });
    expect(await contentOf('.')).toContain('DEEP');
    expect((await frames.counts()).heads).toMatchObject({ fresh: 5, stale: 0, rests_on_stale: 0 });
  });

  it('happens only on request: changing a child does not change the directory frame', async () => {
    const { put, synthesize, frames } = framesKit(FILES);
    await put('src/a.txt', 'one');
    const { frame } = await synthesize('src');
    await put('src/a.txt', 'two');
    expect((await frames.getHead('src', 'note')).head?.id).toBe(frame);
    expect(await frames.listFrames('src')).toHaveLength(1);
  });

  it('makes a stable empty frame for a directory without child frames', async () => {
    for (const policy of POLICIES) {
      const first = framesKit(FILES);
      const second = framesKit(FILES);
      const { frame } = await first.synthesize('other', { policy });
      expect((await second.synthesize('other', { policy })).frame).toBe(frame);
      expect(await first.contentOf('other')).toBe('');
      expect(await first.synthesize('other', { policy })).toMatchObject({ frame, outcome: 'known' });
    }
  });

  it('keeps the order of names in its content, and of nodes and frames in its basis', async () => {
    const { put, synthesize, contentOf, parts } = framesKit({ 'd/2': '', 'd/10': '', 'd/b': '', 'd/a': '' });
    for (const name of ['b', '10', 'a', '2']) await put(`d/${name}`, `says ${name}`);
    const { frame } = await synthesize('d');
    expect((await contentOf('d'))?.match(/says \w+/g)).toEqual(['says 10', 'says 2', 'says a', 'says b']);
    const record = await parts.records.frame(frame);
    const basis = record?.basis;
    const children = basis?.kind === 'frames' ? basis.children : [];
    expect(children).toEqual([...children].sort());
    expect(children).toHaveLength(4);
  });

  it('uses the frames of all types for "*"', async () => {
    const { put, synthesize, contentOf } = framesKit(FILES);
    await put('src/a.txt', 'OLD', { type: 'note' });
    await put('src/a.txt', 'NEW', { type: 'note' });
    await put('src/b.txt', 'RISK', { type: 'risk' });
    await synthesize('src', { type: '*' });
    const content = await contentOf('src', '*');
    for (const word of ['OLD', 'NEW', 'RISK']) expect(content).toContain(word);
  });

  it('requires a directory, a known policy and valid parameters', async () => {
    const { synthesize, frames } = framesKit(FILES);
    await expect(synthesize('top.txt')).rejects.toMatchObject({ code: 'context.not_a_directory' });
    await expect(synthesize('src', { policy: 'sumarization' })).rejects.toMatchObject({
      code: 'context.policy_unknown',
      message: expect.stringContaining('Did you mean "summarization"?'),
    });
    const wrong = {
      node: 'src',
      type: 'note',
      parameters: { max_byte: 3 },
      recursive: false,
      agent: 'user',
      by: 'me',
    };
    await expect(frames.synthesize(wrong)).rejects.toMatchObject({
      code: 'context.invalid',
      message: expect.stringContaining('max_bytes'),
    });
    await expect(frames.synthesize({ ...wrong, parameters: { max_bytes: 0 } })).rejects.toMatchObject({
      data: { field: 'max_bytes' },
    });
  });
});

describe('policies', () => {
  it('concatenation cuts at its limit, between characters', async () => {
    const { put, frames, contentOf } = framesKit(FILES);
    await put('src/a.txt', 'ü'.repeat(500));
    const request = { node: 'src', type: 'note', recursive: false, agent: 'user', by: 'me' };
    await frames.synthesize({ ...request, parameters: { max_bytes: 100 } });
    const content = (await contentOf('src')) as string;
    expect(content.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(content)).toBeLessThan(200);
    expect(content).toContain('[cut here');
  });

  it('summarization keeps whole sentences that share the most words, in their own order', async () => {
    const { put, frames, contentOf } = framesKit(FILES);
    await put('src/a.txt', 'The parser reads tokens. Lunch was good. The parser builds a tree of tokens.');
    await put('src/b.txt', 'Tokens come from the parser. It rained.');
    const request = {
      node: 'src',
      type: 'note',
      policy: 'summarization',
      recursive: false,
      agent: 'user',
      by: 'me',
    };
    await frames.synthesize({ ...request, parameters: { max_sentences: 3 } });
    expect(await contentOf('src')).toBe(
      '- a.txt: The parser reads tokens.\n- a.txt: The parser builds a tree of tokens.\n- b.txt: Tokens come from the parser.\n',
    );
  });

  it('filtering keeps the frames that match its criteria', async () => {
    const { put, frames, contentOf } = framesKit(FILES);
    await put('src/a.txt', 'TODO: tidy', { agent: 'writer' });
    await put('src/b.txt', 'todo: test');
    await put('src/deep/c.txt', 'unseen');
    const request = {
      node: 'src',
      type: 'note',
      policy: 'filtering',
      recursive: false,
      agent: 'user',
      by: 'me',
    };
    await frames.synthesize({ ...request, parameters: { contains: 'todo', agents: ['writer'] } });
    const content = await contentOf('src');
    expect(content).toContain('tidy');
    expect(content).not.toContain('test');
  });

  const custom = (own: Partial<SynthesisPolicy>): SynthesisPolicy => ({
    name: 'names',
    version: '1',
    deterministic: true,
    parameters: (given) => given,
    synthesize: ({ children }) => children.map(({ name }) => name).join(' '),
    ...own,
  });

  it('can be registered if they are declared deterministic and are deterministic', async () => {
    const good = framesKit(FILES, { policies: new SynthesisPolicies([custom({})]) });
    await good.put('src/a.txt', 'x');
    await good.put('src/b.txt', 'y');
    await good.synthesize('src', { policy: 'names' });
    expect(await good.contentOf('src')).toBe('a.txt b.txt');
    const refused = { code: 'context.policy_refused' };
    expect(() => new SynthesisPolicies([custom({ deterministic: false as never })])).toThrow(
      expect.objectContaining(refused),
    );
    expect(() => new SynthesisPolicies([custom({ name: 'filtering' })])).toThrow(
      expect.objectContaining(refused),
    );
    let calls = 0;
    const fickle = new SynthesisPolicies([custom({ synthesize: () => String(calls++) })]);
    const bad = framesKit(FILES, { policies: fickle });
    await expect(bad.synthesize('src', { policy: 'names' })).rejects.toMatchObject(refused);
    expect((await bad.events.head()).seq).toBe(0);
  });
});
