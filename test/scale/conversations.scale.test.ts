import { expect, it } from 'vitest';
import { onEachBackend, until } from './scale-world.ts';

onEachBackend((world) => {
  it('lets two agents answer in a conversation, the second because the first mentions it', async () => {
    const { oka } = world();
    world().agent('bob', [{ text: '@eve what do you think?' }]);
    world().agent('eve', [{ text: 'I agree.' }]);
    await oka.chat.create({ name: 'room', by: 'ann' });
    const stop = new AbortController();
    const hosting = world().isCluster ? undefined : oka.chat.host({ signal: stop.signal });
    await oka.chat.send({ conversation: 'room', text: '@bob shall we?', by: 'ann' });
    const said = await until(async () => {
      const { messages } = await oka.chat.view({ conversation: 'room' });
      return messages.length >= 3 ? messages.map(({ content }) => content) : undefined;
    });
    expect(said).toEqual(['@bob shall we?', '@eve what do you think?', 'I agree.']);
    stop.abort();
    await hosting;
    const turns = await oka.chat.trace('room');
    expect(turns.map(({ status }) => status)).toEqual(['done', 'done']);
  });
});
