import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { nextSession, sessionsOf } from '../../../../src/api/session-names.ts';
import { Problem, toProblem } from '../../api/problem.ts';
import { readApi, useAction, useApi } from '../../api/query.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { showProblem } from '../../state/toasts.ts';
import { Composer } from './composer.tsx';
import { DEFAULT_AGENT, useAgents } from './default-agent.ts';
import { NoModel } from './no-model.tsx';

/** The first message of a new session with the default agent, as `oka` in a terminal starts one. */
export function TalkBox(): ReactNode {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const { names } = useAgents();
  const chats = useApi('/v1/chats');
  // What goes wrong is shown once, below.
  const silent = { onProblem: () => undefined };
  const create = useAction('post', '/v1/chats', silent);
  const send = useAction('post', '/v1/chats/{conversation}/messages', silent);
  const start = async (message: string): Promise<void> => {
    setIsBusy(true);
    try {
      const conversation = await createSession((name) => create.mutateAsync({ body: { name } }));
      const body = { text: message, to: [DEFAULT_AGENT] };
      await send.mutateAsync({ params: { path: { conversation } }, body });
      navigate(`/chats/${encodeURIComponent(conversation)}`);
    } catch (error) {
      showProblem(toProblem(error));
      setIsBusy(false);
    }
  };
  const [last] = sessionsOf(DEFAULT_AGENT, chats.data ?? []);
  return (
    <div className="stack talk-box">
      <NoModel agent={DEFAULT_AGENT} />
      <Composer
        label={`Message to ${DEFAULT_AGENT}`}
        placeholder={`Ask ${DEFAULT_AGENT} something. Enter sends, Shift-Enter is a new line.`}
        agents={names}
        isBusy={isBusy}
        text={text}
        onChange={setText}
        onSend={(message) => void start(message)}
      />
      {last !== undefined && (
        <p className="small muted">
          Or continue{' '}
          <Link className="link" href={`/chats/${encodeURIComponent(last.name)}`}>
            {last.name}
          </Link>
          , used <RelativeTime at={last.lastAt ?? last.createdAt} />.
        </p>
      )}
    </div>
  );
}

const MAX_TRIES = 5;

/** Creates a conversation with the next free name of the agent's sessions. */
async function createSession(create: (name: string) => Promise<unknown>): Promise<string> {
  for (let tries = 1; ; tries++) {
    const name = nextSession(DEFAULT_AGENT, await readApi('/v1/chats'));
    try {
      await create(name);
      return name;
    } catch (error) {
      // Another session has taken that name.
      if (!(error instanceof Problem) || error.code !== 'chat.exists' || tries === MAX_TRIES) throw error;
    }
  }
}
