import { type ReactNode, useEffect, useState } from 'react';
import { useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import { lastLookAt, rememberLook } from '../../state/last-look.ts';
import { FirstSteps } from './first-steps.tsx';
import { GoalBox } from './goal-box.tsx';
import { NextFirings } from './next-firings.tsx';
import { RunningNow } from './running-now.tsx';
import { SinceLastLook } from './since-last-look.tsx';
import { StartedRun } from './started-run.tsx';
import { Today } from './today.tsx';
import { WaitingForYou } from './waiting-for-you.tsx';
import './home.css';

/** What runs, what waits for the person, and what happened since they last looked. */
export default function HomePage(): ReactNode {
  const since = useLastLook();
  const [started, setStarted] = useState<string>();
  const [goal, setGoal] = useState('');
  const newest = useApi('/v1/runs', { params: { query: { limit: 1 } } });
  const isNew = newest.data?.items.length === 0;
  return (
    <Page title="Home">
      <div className="stack home">
        <GoalBox goal={goal} onChange={setGoal} onStarted={setStarted} />
        {started !== undefined && <StartedRun id={started} />}
        {isNew && <FirstSteps onChoose={setGoal} />}
        <WaitingForYou />
        <div className="home-columns">
          <div className="stack">
            <RunningNow />
            <SinceLastLook since={since} />
          </div>
          <div className="stack">
            <NextFirings />
            <Today />
          </div>
        </div>
      </div>
    </Page>
  );
}

/** The time stays the same while the page is open, and is stored when it is left. */
function useLastLook(): number {
  const [since] = useState(() => lastLookAt());
  useEffect(() => {
    const onHide = (): void => {
      if (document.visibilityState === 'hidden') rememberLook();
    };
    document.addEventListener('visibilitychange', onHide);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      rememberLook();
    };
  }, []);
  return since;
}
