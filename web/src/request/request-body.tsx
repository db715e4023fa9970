import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { describeRequest, requestTitle } from '../../../src/api/describe-request.ts';
import { marked, markedDiffLine } from '../../../src/api/foreign-text.ts';
import type { ApprovalView } from '../api/types.ts';
import { CodeView } from '../parts/code-view.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { shortId } from '../parts/format.ts';
import { JsonView } from '../parts/json-view.tsx';
import { KeyValues } from '../parts/key-values.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { RequestMarks } from './request-marks.tsx';

interface RequestBodyProps {
  readonly approval: ApprovalView;
  /** Shows all of a long call. */
  readonly isShown: boolean;
}

/** Everything that a person needs to know to decide. What a long call has more is left out until the person asks for it. */
export function RequestBody({ approval, isShown }: RequestBodyProps): ReactNode {
  const act = describeRequest(approval);
  const { now, rationale, why, rule, known = [] } = approval;
  const because = now?.because ?? (why === undefined ? undefined : `${why}${rule ? ` (rule ${rule})` : ''}`);
  return (
    <>
      <header className="request-head">
        <h2>{requestTitle(approval)}</h2>
        <RequestMarks approval={approval} />
      </header>
      <What approval={approval} isShown={isShown} />
      <KeyValues
        pairs={[
          ['In folder', act.folder === '.' ? 'the workspace' : act.folder],
          ['Network', act.network],
          ['Asks because', because && marked(because)],
          ['Rule', rule && marked(rule)],
          ['The run says', rationale && marked(rationale)],
          ['Run', <RunLink key="run" approval={approval} />],
          ['Asked', <RelativeTime key="asked" at={approval.requestedAt} />],
          ['Expires', approval.status === 'pending' && <RelativeTime key="at" at={approval.expiresAt} />],
        ]}
      />
      {known.length > 0 && (
        <ul className="request-known small muted">
          {known.map((fact) => (
            <li key={fact}>{marked(fact)}</li>
          ))}
        </ul>
      )}
      <Arguments approval={approval} />
    </>
  );
}

/** What a card shows of a long call before the person asks for the rest. */
const SHOWN_CHARACTERS = 4_000;

/** Whether a call is too long to be shown at once. It may be allowed only after all of it was shown. */
export function isLongRequest(approval: ApprovalView): boolean {
  const [all, some] = [textsOf(approval), textsOf(approval, SHOWN_CHARACTERS)];
  return JSON.stringify(all) !== JSON.stringify(some);
}

interface RequestTexts {
  readonly what: string;
  readonly others: string;
  readonly diff: string | undefined;
}

/** The texts of a call, each with at most so many characters. */
function textsOf(approval: ApprovalView, max = Number.POSITIVE_INFINITY): RequestTexts {
  const { kind, what, more } = describeRequest(approval);
  const diff = approval.now?.diff?.split('\n').map(markedDiffLine).join('\n');
  // The diff shows what the arguments of a file tool change.
  const others = kind === 'file' && diff !== undefined ? [] : more;
  const cut = (text: string): string => (text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text);
  return { what: cut(what), others: cut(others.join('\n')), diff: diff && cut(diff) };
}

/** The command, the file with its diff, the address, or the question. */
function What({ approval, isShown }: RequestBodyProps): ReactNode {
  const { kind } = describeRequest(approval);
  const { what, others, diff } = isShown ? textsOf(approval) : textsOf(approval, SHOWN_CHARACTERS);
  return (
    <>
      {kind === 'question' || kind === 'unknown_effect' ? (
        <p className="request-question">{what}</p>
      ) : (
        <div className="request-what">
          <CodeView code={what} label={kind === 'program' ? 'Command' : 'What it does'} wrap />
          {isShown && <CopyButton text={what} />}
        </div>
      )}
      {others !== '' && <CodeView code={others} label="Further arguments" wrap />}
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
          {requestedArguments === undefined ? 'All arguments' : 'Approved arguments'} of{' '}
          <code>{marked(tool ?? '')}</code>
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
