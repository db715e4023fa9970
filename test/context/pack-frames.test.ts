import { describe, expect, it } from 'vitest';
import { bodyErased, SYSTEM_STREAM } from '../../src/ledger/index.ts';
import type { PackRequest } from '../../src/memory/index.ts';
import { renderItem } from '../../src/memory/pack/render-pack.ts';
import { packFrames } from '../../src/runtime/memory/pack-frames.ts';
import { contextBench } from './context-bench.ts';

const FILES = {
  'src/config.ts': 'a',
  'src/server.ts': 'b',
  'docs/plan.md': 'c',
};

async function opened() {
  const { services, api, write, scan, ledger, clock } = await contextBench(FILES);
  const put = async (node: string, content: string, type = 'note'): Promise<string> => {
    clock.advance(1);
    return (await api.putFrame({ node, type, content, agent: 'user', by: 'me' })).frame.id;
  };
  const source = packFrames(services);
  const asked = (goal: string) => source.candidates({ goal, vars: {}, limit: 20 } satisfies PackRequest);
  return { api, put, source, asked, write, scan, ledger };
}

describe('frames in context packs', () => {
  it('are those of the paths in the goal, of their folders, and those that match its words', async () => {
    const { put, asked } = await opened();
    const config = await put('src/config.ts', 'Reads the settings of the garden.');
    const folder = await put('src', 'Everything that runs.', 'summary');
    const plan = await put('docs/plan.md', 'Timeouts of the settings are planned here.');
    await put('src/server.ts', 'Opens a port.');
    const found = await asked('make timeouts shorter in src/config.ts.');
    expect(found.map(({ id }) => id)).toEqual([config, plan, folder]);
    expect(found[0]).toMatchObject({
      kind: 'frame',
      untrusted: true,
      text: 'src/config.ts (note by user): Reads the settings of the garden.',
    });
    expect(found.every(({ copied }) => copied === undefined)).toBe(true);
    expect((await asked('shorten config.ts')).map(({ id }) => id)).toEqual([config]);
    expect(await asked('water the flowers')).toEqual([]);
  });

  it('are marked and count less once their path has changed, and are read back as they were shown', async () => {
    const { put, asked, source, write } = await opened();
    const id = await put('src/config.ts', 'Reads the settings.');
    const [fresh] = await asked('look at src/config.ts');
    write('src/config.ts', 'another');
    const [stale] = await asked('look at src/config.ts');
    expect(fresh).toMatchObject({ id });
    expect(stale).toMatchObject({
      text: fresh?.text,
      note: 'stale: the file changed after this was written',
    });
    expect(renderItem(stale as NonNullable<typeof stale>)).toBe(
      '- frame (stale: the file changed after this was written): src/config.ts (note by user): Reads the settings.\n',
    );
    expect(stale?.score).toBe((fresh?.score ?? 0) / 2);
    for (const candidate of [fresh, stale])
      expect(await source.read?.(candidate as NonNullable<typeof fresh>)).toBe(candidate?.text);
    expect(await source.read?.({ kind: 'fact', id })).toBeUndefined();
    // As packs of earlier versions name it.
    expect(await source.read?.({ kind: 'frame', id: `stale/${id}` })).toBe(
      'src/config.ts (note by user; it has changed since): Reads the settings.',
    );
  });

  it('disappear from recorded packs once erased', async () => {
    const { put, asked, source, ledger } = await opened();
    const id = await put('src/config.ts', 'The password is on the door.');
    expect(await source.read?.({ kind: 'frame', id })).toContain('on the door');
    const [event] = (await ledger.events.read('context')).filter(
      ({ type }) => type === 'context.frame_appended',
    );
    const erased = bodyErased([{ stream: 'context', index: event?.index as number }], 'asked for');
    await ledger.events.commit({
      actor: 'me',
      sync: 'normal',
      appends: [{ stream: SYSTEM_STREAM, events: [erased] }],
    });
    expect(await source.read?.({ kind: 'frame', id })).toBeUndefined();
    expect(await asked('look at src/config.ts')).toEqual([]);
  });

  it('are empty without frames', async () => {
    const { asked } = await opened();
    expect(await asked('look at src/config.ts')).toEqual([]);
  });
});
