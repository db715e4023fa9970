import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Problem } from '../../api/problem.ts';
import { type Answer, readApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { formatCount, formatExact } from '../../parts/format.ts';
import { StatusMark } from '../../parts/status-mark.tsx';

type Verified = Answer<'/v1/ledger/verify'>;

/** Whether the ledger is sound up to the newest event of the run. The title says how much the daemon read for it. */
export function IntegrityMark({ lastSeq }: { readonly lastSeq: number | undefined }): ReactNode {
  const query = useQuery<Verified, Problem>({
    queryKey: ['verified'],
    queryFn: () => readApi('/v1/ledger/verify'),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const verify = (): void => void query.refetch();
  if (query.data === undefined)
    return query.error === null ? (
      <span className="run-verifying muted">verifying the ledger…</span>
    ) : (
      <Button look="quiet" title={query.error.detail} onClick={verify}>
        Ledger not verified. Try again
      </Button>
    );
  const { ok, summary, head, faults, signed } = query.data;
  if (!ok)
    return (
      <span role="alert">
        <StatusMark status="error" label={`Ledger damaged: ${faultOf(faults)}`} />
      </span>
    );
  const isBehind = lastSeq !== undefined && head.seq < lastSeq;
  const until = `ledger verified to event ${formatCount(Math.min(head.seq, lastSeq ?? head.seq))}`;
  return (
    <button
      type="button"
      className={`run-seal ${isBehind ? 'run-seal-behind' : ''}`}
      disabled={query.isFetching}
      title={`${sealTitle(summary, signed)} Click to verify again.`}
      onClick={verify}
    >
      {isBehind ? `${until}, ${formatCount(lastSeq - head.seq)} newer` : `✓ ${until}`}
    </button>
  );
}

const faultOf = ([first]: Verified['faults']): string =>
  first === undefined ? 'run oka ledger verify' : `${first.what} (${first.where})`;

function sealTitle(summary: string, signed: Verified['signed']): string {
  const signature =
    signed === undefined ? '' : ` Signed to event ${formatCount(signed.seq)} at ${formatExact(signed.at)}.`;
  return `${summary}.${signature}`;
}
