// Owns: continuing a session in a fresh conversation that carries a summary, or the last messages without a model.
import { type OkaApi, OkaError } from '../../api/index.ts';
import type { Room } from '../terminal/room.ts';

/** Without a model, this many messages are carried. */
const CARRIED_MESSAGES = 6;

const SUMMARISE = `Summarise this conversation for a fresh session that will not see it: the goal, the decisions and their reasons,
the state of the work, names of files, and what is still open. Answer with the summary only.`;

export interface Carried {
  readonly messages: readonly number[];
  readonly what: string;
}

/** What a fresh session carries. With a model, its agent writes a summary in this session first. */
export async function chooseCarried(api: OkaApi, room: Room, hasModel: boolean): Promise<Carried> {
  const { conversation } = room;
  const { messages } = await api.chat.view({ conversation });
  if (!hasModel) {
    const last = messages.slice(-CARRIED_MESSAGES).map(({ id }) => id);
    const count = last.length === 1 ? 'the last message' : `the last ${last.length} messages`;
    return { messages: last, what: `${count}, because a summary needs a model` };
  }
  const asked = await room.say(SUMMARISE.replaceAll('\n', ' '));
  const isAnswered = await room.answered(asked);
  const { messages: added } = await api.chat.view({ conversation, since: asked });
  const summary = added.findLast(({ from }) => from !== 'user');
  if (!isAnswered || summary === undefined)
    throw new OkaError('cli.usage', 'There is no summary, so this session continues as it is.');
  return {
    messages: [summary.id],
    what: `a summary of ${summary.content.length.toLocaleString('en')} characters`,
  };
}
