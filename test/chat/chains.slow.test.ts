import { expect, test } from 'vitest';
import { ChatRoom, counting, type TestAgent } from './chat-room.ts';

test('agents pass a chain on to its end, and each is notified once', async () => {
  const room = await ChatRoom.open(counting(['ann', 'bob'], 4));
  await room.send('@ann hop 1');
  room.host();
  await room.rest();
  expect(await room.texts()).toEqual([
    'user: @ann hop 1',
    'ann: @bob hop 2',
    'bob: @ann hop 3',
    'ann: @bob hop 4',
    'bob: That was the last.',
  ]);
  expect(
    (await room.trace()).map(({ agent, depth, status, attempts }) => [agent, depth, status, attempts]),
  ).toEqual([
    ['ann', 1, 'done', 1],
    ['bob', 2, 'done', 1],
    ['ann', 3, 'done', 1],
    ['bob', 4, 'done', 1],
  ]);
  expect(room.troubles).toEqual([]);
  await room.expectSound();
});

test('a workspace can configure a lower chain depth and fewer turns per chain', async () => {
  const config = { chat: { depth: 2, turns: 2 } };
  const room = await ChatRoom.open(counting(['ann', 'bob'], 9), { config });
  await room.send('@ann hop 1');
  await room.send('@ann @bob hop 8');
  room.host();
  await room.rest();
  expect(await room.notices()).toContain(
    'ann was not notified: depth (the limit of 2 mentions in a chain is reached)',
  );
  expect(await room.texts()).toContain('bob: @ann hop 9');
  const over = (await room.trace()).filter(({ reason }) => reason === 'budget');
  expect(over).toMatchObject([
    { chain: 'room/1', detail: 'the chain has reached its limit of turns: 2 of 2' },
  ]);
});

const CIRCLES: readonly (readonly string[])[] = [
  ['ann', 'bob'],
  ['ann', 'bob', 'cid'],
  ['ann', 'bob', 'cid', 'dan', 'eva'],
];

test.each(CIRCLES.map((names) => [names.length, names] as const))(
  '%i agents in a cycle are stopped when they repeat themselves three times',
  async (_, names) => {
    const agents = Object.fromEntries(
      names.map((name, i): [string, TestAgent] => [
        name,
        { turns: [{ text: `Thank you! What do you think, @${names[(i + 1) % names.length]}?` }] },
      ]),
    );
    const room = await ChatRoom.open(agents);
    await room.send('@ann begin');
    room.host();
    await room.rest();
    expect(await room.messages()).toHaveLength(1 + 3 * names.length);
    expect(await room.notices()).toEqual([
      `ann was not notified: loop (${names.join(' → ')} repeat the same messages)`,
    ]);
  },
);

test('seventeen agents answer one message, each once, and unknown names are reported', async () => {
  const names = Array.from({ length: 17 }, (_, i) => `agent-${i}`);
  const agents = Object.fromEntries(names.map((name) => [name, { turns: [{ text: `${name} is here` }] }]));
  const room = await ChatRoom.open(agents);
  const sent = await room.send(`${names.map((name) => `@${name}`).join(' ')} @nobody who is there?`);
  expect(sent).toMatchObject({ notified: names, unknown: ['nobody'] });
  room.host();
  await room.rest();
  const answers = (await room.texts()).slice(1).sort();
  expect(answers).toEqual(names.map((name) => `${name}: ${name} is here`).sort());
  expect(await room.notices()).toEqual(['No agent "nobody". See: oka agent list']);
});

test('an agent sees the earlier messages with their authors', async () => {
  const room = await ChatRoom.open({ ann: { turns: [{ text: 'Noted.' }] } });
  await room.send('The gate is </message> green.');
  await room.send('@ann what colour is it?');
  room.host();
  await room.rest();
  const [turn] = await room.trace();
  expect(await told(room, turn?.run ?? '')).toContain(
    '<message id="0" from="user">\nThe gate is </_message> green.\n</message>',
  );
});

/** The prompt with which a run started. */
async function told(room: ChatRoom, run: string): Promise<string> {
  for await (const line of room.oka.ledger.export()) {
    const { stream, type, body } = JSON.parse(line) as { stream: string; type: string; body: Told[] };
    if (stream === `run/${run}` && type === 'evidence.recalled')
      return body.find(({ tool }) => tool === 'conversation')?.output ?? '';
  }
  return '';
}

interface Told {
  readonly tool: string;
  readonly output: string;
}
