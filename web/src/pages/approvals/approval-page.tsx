import type { ReactNode } from 'react';
import { Page } from '../../frame/page.tsx';
import type { PageProps } from '../../frame/page-entry.ts';
import { shortId } from '../../parts/format.ts';
import { RequestCard } from '../../request/request-card.tsx';

/** One request, for links from elsewhere. */
export default function ApprovalPage({ params }: PageProps): ReactNode {
  const id = params['id'] ?? '';
  return (
    <Page title={`Approval ${shortId(id)}`} crumbs={[{ label: 'Approvals', href: '/approvals' }]}>
      <RequestCard id={id} keys />
    </Page>
  );
}
