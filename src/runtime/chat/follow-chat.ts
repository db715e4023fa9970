import type { ChatApi, ChatHappening, RunActivity } from '../../api/index.ts';
import { type ChatRecords, SHOWN_MESSAGES } from '../../chat/index.ts';
import type { Clock } from '../../kernel/index.ts';

/** The interval of polling for messages of other processes. */
const LOOK_MS = 500;

export interface FollowParts {
  readonly clock: Clock;
  readonly records: ChatRecords;
  readonly view: ChatApi['view'];
  readonly listen: (hear: (piece: { readonly run: string; readonly text: string }) => void) => () => void;
  readonly listenToActivity: (hear: (activity: RunActivity) => void) => () => void;
  /** Reports changes of the conversation in this process. Returns a function that stops it. */
  readonly watch: (onChange: () => void) => () => void;
}

/** The messages of a conversation, then new ones and model text as they arrive, until the signal aborts. */
export async function* followChat(
  parts: FollowParts,
  { conversation, signal, limit, since: from, activities }: Parameters<ChatApi['follow']>[0],
): AsyncGenerator<ChatHappening> {
  const heard: { run: string; text: string }[] = [];
  let resume = (): void => undefined;
  let isNews = false;
  const wake = (): void => {
    isNews = true;
    resume();
  };
  const stopListening = parts.listen((piece) => {
    heard.push(piece);
    wake();
  });
  /** The newest activity of each run. */
  const doing = new Map<string, RunActivity>();
  const stopActivities = activities
    ? parts.listenToActivity((activity) => {
        doing.set(activity.run, activity);
        wake();
      })
    : undefined;
  const stopWatching = parts.watch(wake);
  signal?.addEventListener('abort', wake);
  const told = new Set<string>();
  const speakers = new Map<string, string>();
  let since = from;
  let first = limit;
  try {
    while (signal?.aborted !== true) {
      isNews = false;
      const { messages } = await parts.view({
        conversation,
        ...(since === undefined ? {} : { since }),
        ...(first === undefined ? {} : { limit: first }),
      });
      first = undefined;
      since = messages.at(-1)?.id ?? since ?? -1;
      // The text of an answer is streamed before its message is stored, so what was heard until now belongs before it.
      for (const { run, agent } of heard.length + doing.size === 0
        ? []
        : await parts.records.openIn(conversation))
        if (run !== undefined) speakers.set(run, agent);
      for (const { run, text } of heard.splice(0)) {
        const speaker = speakers.get(run);
        if (speaker !== undefined) yield { kind: 'words', from: speaker, text };
      }
      for (const [run, activity] of doing) {
        doing.delete(run);
        const speaker = speakers.get(run);
        if (speaker === undefined) continue;
        const what = activity.kind === 'model' ? { model: activity.model } : { output: activity.text };
        yield { kind: 'activity', from: speaker, ...what };
      }
      for (const message of messages) yield { kind: 'message', message };
      const { notices } = await parts.view({ conversation, limit: SHOWN_MESSAGES });
      for (const notice of notices) {
        const key = `${notice.message} ${notice.what}`;
        if (!told.has(key)) yield { kind: 'notice', notice };
        told.add(key);
      }
      if (isNews) continue;
      await pause(parts.clock, (woken) => {
        resume = woken;
      });
    }
  } finally {
    signal?.removeEventListener('abort', wake);
    stopWatching();
    stopActivities?.();
    stopListening();
  }
}

/** Resolves at the next change, or after the polling interval. */
async function pause(clock: Clock, onWake: (wake: () => void) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = clock.callAt(clock.now() + LOOK_MS, resolve);
    onWake(() => {
      cancel();
      resolve();
    });
  });
}
