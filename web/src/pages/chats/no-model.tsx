import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/query.ts';

/** Says that an agent has no model, what it can do without one, and how to add one. */
export function NoModel({ agent }: { readonly agent: string }): ReactNode {
  const details = useApi('/v1/agents/{name}', { params: { path: { name: agent } } });
  const isMissing = details.data !== undefined && details.data.answeredBy === undefined;
  const procedures = useApi('/v1/procedures', undefined, { enabled: isMissing });
  if (!isMissing) return null;
  const known = procedures.data?.procedures
    .filter(({ origin }) => origin === 'built_in')
    .map(({ id }) => id.replace(/^built-in\./, '').replaceAll('-', ' '));
  return (
    <div className="chat-note" role="note">
      <b>No model is configured.</b> {agent} answers what its procedures can do
      {known !== undefined && known.length > 0 && <>: {known.join(' · ')}</>}. For everything else add one in{' '}
      <Link className="link" href="/settings">
        Settings
      </Link>{' '}
      or with <code>oka model add</code>.
    </div>
  );
}
