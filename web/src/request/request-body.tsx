import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { describeRequest, requestTitle } from '../../../src/api/describe-request.ts';
import type { ApprovalView } from '../api/types.ts';
import { CodeView } from '../parts/code-view.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { shortId } from '../parts/format.ts';
import { JsonView } from '../parts/json-view.tsx';
import { KeyValues } from '../parts/key-values.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { RequestMarks } from './request-marks.tsx';

/** Everything that a person needs to know to decide. Nothing is cut. */
export function RequestBody({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const act = describeRequest(approval);
  const { now, rationale, why, rule, known = [] } = approval;
  const because = now?.because ?? (why === undefined ? undefined : `${why}${rule ? ` (rule ${rule})` : ''}`);
  return (
    <>
      <header className="request-head">
        <h2>{requestTitle(approval)}</h2>
        <RequestMarks approval={approval} />
      </header>
      <What approval={approval} />
      <KeyValues
        pairs={[
          ['In folder', act.folder === '.' ? 'the workspace' : act.folder],
          ['Network', act.network],
          ['Asks because', because],
          ['Rule', rule],
          ['The run says', rationale],
          ['Run', <RunLink key="run" approval={approval} />],
          ['Asked', <RelativeTime key="asked" at={approval.requestedAt} />],
          ['Expires', approval.status === 'pending' && <RelativeTime key="at" at={approval.expiresAt} />],
        ]}
      />
      {known.length > 0 && (
        <ul className="request-known small muted">
          {known.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      <Arguments approval={approval} />
    </>
  );
}

/** The command, the file with its diff, the address, or the question. */
function What({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const { kind, what, more } = describeRequest(approval);
  const diff = approval.now?.diff;
  // The diff shows what the arguments of a file tool change.
  const others = kind === 'file' && diff !== undefined ? [] : more;
  return (
    <>
      {kind === 'question' || kind === 'unknown_effect' ? (
        <p className="request-question">{what}</p>
      ) : (
        <div className="request-what">
          <CodeView code={what} label={kind === 'program' ? 'Command' : 'What it does'} wrap />
          <CopyButton text={what} />
        </div>
      )}
      {others.length > 0 && <CodeView code={others.join('\n')} label="Further arguments" wrap />}
      {diff !== undefined && <DiffView diff={diff} label="What the file would change" />}
    </>
  );
}

function RunLink({ approval: { run, root } }: { readonly approval: ApprovalView }): ReactNode {
  return (
    <>
      <Link className="link" href={`/runs/${run}`}>
        {shortId(run)}
      </Link>
      {root !== undefined && root !== run && (
        <>
          {' '}
          part of{' '}
          <Link className="link" href={`/runs/${root}`}>
            {shortId(root)}
          </Link>
        </>
      )}
    </>
  );
}

function Arguments({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const { tool, requestedArguments } = approval;
  if (approval.arguments === undefined) return null;
  return (
    <>
      <details className="request-arguments">
        <summary>
          {requestedArguments === undefined ? 'All arguments' : 'Approved arguments'} of <code>{tool}</code>
        </summary>
        <JsonView value={approval.arguments} open={2} />
      </details>
      {requestedArguments !== undefined && (
        <details className="request-arguments">
          <summary>Requested arguments, before the edit</summary>
          <JsonView value={requestedArguments} open={2} />
        </details>
      )}
    </>
  );
}
