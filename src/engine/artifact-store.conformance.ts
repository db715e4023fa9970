import { describe, expect, it } from 'vitest';
import { type Clock, digestOf } from '../kernel/index.ts';
import type { ArtifactStore } from './ports.ts';

/** Requirements for every ArtifactStore. `make` returns an empty store on that clock. */
export function artifactStoreConformance(
  name: string,
  make: (clock: Clock) => ArtifactStore | Promise<ArtifactStore>,
): void {
  const clock = { time: 0, now: () => clock.time, callAt: () => () => undefined };
  const open = async (at = 1_700_000_000_123): Promise<ArtifactStore> => {
    clock.time = at;
    return make(clock);
  };
  const about = { mediaType: 'text/plain' };

  describe(`${name} as ArtifactStore`, () => {
    it('returns stored content by its digest', async () => {
      const store = await open();
      const ref = await store.put('hällo', { mediaType: 'text/plain', name: 'greeting' });
      expect(ref).toEqual({ digest: digestOf('hällo'), bytes: 6, mediaType: 'text/plain', name: 'greeting' });
      expect(new TextDecoder().decode(await store.get(ref.digest))).toBe('hällo');
    });

    it('stores bytes and empty content', async () => {
      const store = await open();
      const bytes = Uint8Array.of(0, 255, 10);
      expect([...((await store.get((await store.put(bytes, about)).digest)) ?? [])]).toEqual([0, 255, 10]);
      expect(await store.get((await store.put('', about)).digest)).toHaveLength(0);
      expect(await store.put('x', about)).not.toHaveProperty('name');
    });

    it('returns nothing for an unknown or malformed digest', async () => {
      const store = await open();
      expect(await store.get(digestOf('never'))).toBeUndefined();
      expect(await store.get('../../secret' as never)).toBeUndefined();
      await store.delete('../../secret' as never);
    });

    it('stores equal content once with the time of the first put', async () => {
      const store = await open(1_700_000_000_123);
      await store.put('twice', about);
      clock.time += 5_000;
      await store.put(new TextEncoder().encode('twice'), { mediaType: 'other/type' });
      expect(await store.list()).toEqual([
        { digest: digestOf('twice'), bytes: 5, storedAt: 1_700_000_000_123 },
      ]);
    });

    it('stores the same content several times concurrently', async () => {
      const store = await open();
      await Promise.all(Array.from({ length: 8 }, () => store.put('at once', about)));
      expect(await store.list()).toHaveLength(1);
      expect(new TextDecoder().decode(await store.get(digestOf('at once')))).toBe('at once');
    });

    it('is unaffected by later changes to the bytes', async () => {
      const store = await open();
      const bytes = Uint8Array.of(1, 2, 3);
      const { digest } = await store.put(bytes, about);
      bytes[0] = 9;
      const got = await store.get(digest);
      if (got) got[1] = 9;
      expect([...((await store.get(digest)) ?? [])]).toEqual([1, 2, 3]);
    });

    it('lists all content and removes what is deleted', async () => {
      const store = await open();
      expect(await store.list()).toEqual([]);
      const refs = await Promise.all(['a', 'b', 'c'].map((content) => store.put(content, about)));
      expect((await store.list()).map((entry) => entry.digest).sort()).toEqual(
        refs.map((ref) => ref.digest).sort(),
      );
      await store.delete(digestOf('b'));
      await store.delete(digestOf('b'));
      expect(await store.get(digestOf('b'))).toBeUndefined();
      expect(await store.list()).toHaveLength(2);
    });
  });
}
