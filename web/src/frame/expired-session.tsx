import type { ReactNode } from 'react';
import { Card } from '../parts/card.tsx';
import { CodeView } from '../parts/code-view.tsx';

/** A session ends with the daemon. A new one needs a link from the terminal. */
export function ExpiredSession(): ReactNode {
  return (
    <main className="screen">
      <title>Session expired – Oka</title>
      <Card title="This browser is not signed in">
        <div className="stack">
          <p>
            The session has expired, or the daemon was restarted. Run this in the folder of the workspace:
          </p>
          <CodeView code="oka web" label="Command" />
          <p className="muted">
            It opens Oka in the browser with a new link. Runs continue without this page.
          </p>
        </div>
      </Card>
    </main>
  );
}
