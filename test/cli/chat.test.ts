import { expect, onTestFinished, test, vi } from 'vitest';
import type {
  AgentView,
  ChatViewAnswer,
  ConversationItem,
  NotificationView,
  SendAnswer,
} from '../../src/api/index.ts';
import { counting, writeRoom } from '../chat/chat-room.ts';
import { kill } from '../support/kill.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { Workspace } from './oka-process.ts';

/** A workspace with agents who count to three in turn. */
function counters(): Workspace {
  const workspace = new Workspace({ root: tempFolder(), files: {} });
  writeRoom(workspace.root, workspace.home, counting(['arya', 'gendry'], 3));
  return workspace;
}

async function begin(workspace: Workspace, ...command: readonly string[]): Promise<number> {
  const { data } = await workspace.answer<{ pid: number }>(...command);
  onTestFinished(() => kill(data.pid));
  return data.pid;
}

/** The messages of the room after `last` was posted, which `chat view --follow` prints. */
async function transcript(workspace: Workspace, last: string): Promise<readonly string[]> {
  const following = workspace.start('chat', 'view', 'room', '--follow');
  await following.said(last, 'stdout');
  following.kill('SIGINT');
  await following.ended;
  const { data } = await workspace.answer<ChatViewAnswer>('chat', 'view', 'room');
  return data.messages.map(({ from, content }) => `${from}: ${content}`);
}

const WHOLE = ['user: @arya hop 1', 'arya: @gendry hop 2', 'gendry: @arya hop 3', 'arya: That was the last.'];

test('chat send returns at once, and agents in the daemon reply later', async () => {
  const workspace = counters();
  await begin(workspace, 'up');
  await workspace.answer('chat', 'new', 'room', '--no-input');
  const sent = await workspace.answer<SendAnswer>('chat', 'send', 'room', '@arya hop 1');
  expect(sent).toMatchObject({ exitCode: 0, data: { id: 0, notified: ['arya'], unknown: [], unhosted: [] } });
  expect(await transcript(workspace, 'That was the last.')).toEqual(WHOLE);
  const since = await workspace.answer<ChatViewAnswer>('chat', 'view', 'room', '--since', '1');
  expect(since.data.messages.map(({ id }) => id)).toEqual([2, 3]);
  const tree = await workspace.oka('chat', 'trace', 'room');
  expect(tree.stdout).toMatch(
    /^depth\n +1 {2}user → arya {2}#0 {2}done.*\n +2 {2}arya → gendry .*\n +3 {2}gendry → arya /,
  );
  expect((await workspace.answer('chat', 'retry', 'room')).data).toEqual({ retried: [], unhosted: [] });
  const { error } = await workspace.refusal('chat', 'retry', 'room', '0/arya');
  expect(error).toMatchObject({ code: 'chat.invalid', message: expect.stringContaining('it was answered') });
  await workspace.answer('down');
  await workspace.verified();
});

test('agents in their own processes share a conversation, even after one is killed and restarted', async () => {
  const workspace = counters();
  await begin(workspace, 'agent', 'run', 'gendry', '--detach');
  const pid = await begin(workspace, 'agent', 'run', 'arya', '--detach');
  await workspace.answer('chat', 'new', 'room', '--no-input');
  const { data: listed } = await workspace.answer<{ agents: AgentView[] }>('agent', 'list');
  expect(listed.agents.find(({ name }) => name === 'arya')?.process).toMatchObject({ pid });
  expect((await workspace.oka('agent', 'list')).stdout).toContain(`process ${pid}`);
  expect((await workspace.oka('status')).stdout).toContain(`arya (process ${pid})`);
  kill(pid);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 30_000 });
  const { data: status } = await workspace.answer<{ agents: { name: string; pid?: number }[] }>('status');
  expect(status.agents.map(({ name, pid: own }) => [name, own !== undefined])).toEqual([
    ['anton', false],
    ['arya', false],
    ['gendry', true],
  ]);
  const sent = await workspace.answer('chat', 'send', 'room', '@arya hop 1');
  expect(sent.data).toMatchObject({ notified: ['arya'], unhosted: ['arya'] });
  await begin(workspace, 'agent', 'run', 'arya', '--detach');
  expect(await transcript(workspace, 'That was the last.')).toEqual(WHOLE);
  const { data } = await workspace.answer<{ notifications: NotificationView[] }>('chat', 'trace', 'room');
  expect(data.notifications.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
});

test('conversations are paused, resumed, listed, deleted and cleaned up, and each command reports it', async () => {
  const workspace = counters();
  await workspace.answer('chat', 'new', 'room', '--no-input');
  for (const command of [['chat'], ['chat', 'list']])
    expect((await workspace.answer(...command)).data).toMatchObject({ conversations: [{ name: 'room' }] });
  expect((await workspace.refusal('chat', 'view', 'rom')).error).toMatchObject({
    code: 'chat.unknown',
    message: expect.stringContaining('room'),
  });
  expect((await workspace.refusal('chat', 'new', 'a/b', '--no-input')).error.code).toBe('chat.invalid');
  const { data: paused } = await workspace.answer<{ conversations: ConversationItem[] }>(
    'chat',
    'pause',
    '--all',
  );
  expect(paused.conversations).toMatchObject([{ name: 'room', paused: true }]);
  await workspace.answer('chat', 'send', 'room', 'one|two\nthree\\ @nobody');
  const piped = await workspace.oka('chat', 'view', 'room');
  expect(piped.stdout).toMatch(/^0\|\d{13}\|user\|one\\\|two\\nthree\\\\ @nobody\n$/);
  expect(piped.stderr).toContain('No agent "nobody"');
  const mistyped = await workspace.oka('chat', 'send', 'room', '@aria hop 1');
  expect(mistyped.stderr).toMatch(/No agent named "aria"\. Did you mean "@arya"\?\n.*Nobody was notified/);
  expect((await workspace.answer('chat', 'resume', 'room')).exitCode).toBe(0);
  expect((await workspace.answer('chat', 'cleanup')).data).toEqual({
    messages: 0,
    conversations: [],
    mentions: 0,
  });
  expect((await workspace.answer('chat', 'delete', 'room')).data).toEqual({ deleted: 'room' });
  expect(JSON.stringify(workspace.mirror())).not.toContain('three');
  await workspace.verified();
});
