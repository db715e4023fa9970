import { expect, it } from 'vitest';
import { onEachBackend, until } from './scale-world.ts';

onEachBackend((world) => {
  it('streams the complete text of a model to a listener', async () => {
    const { oka } = world();
    const text = `${'A long answer, "quoted" and ünïcode. '.repeat(100)}The end.`;
    world().agent('zoe', [{ text }]);
    const stop = new AbortController();
    const pieces: string[] = [];
    const stopListening = (await oka.feed()).onText((piece) => void pieces.push(piece.text));
    await oka.chat.create({ name: 'live', by: 'ann' });
    const hosting = world().isCluster ? undefined : oka.chat.host({ signal: stop.signal });
    await oka.chat.send({ conversation: 'live', text: '@zoe tell me', by: 'ann' });
    await until(async () => (pieces.join('').includes('The end.') ? true : undefined));
    expect(pieces.join('')).toBe(text);
    stopListening();
    stop.abort();
    await hosting;
  });

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
