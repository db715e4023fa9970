import { useState } from 'react';
import type { Problem } from '../api/problem.ts';
import { apiKey, queryClient, useAction } from '../api/query.ts';
import type { ApprovalView } from '../api/types.ts';

/** How a person answers a request. */
export interface Decision {
  readonly approve: (how?: { readonly edit?: unknown; readonly remember?: true }) => void;
  readonly deny: (reason: string) => void;
  readonly answer: (answer: string) => void;
  readonly isBusy: boolean;
  /** Why the last decision was refused. */
  readonly problem: Problem | undefined;
  readonly clearProblem: () => void;
}

/** Decides on the request as it is shown: the hash of the shown arguments goes with an approval. */
export function useDecision({ id, argumentsHash }: ApprovalView): Decision {
  const [problem, setProblem] = useState<Problem>();
  const params = { path: { id } };
  const readAgain = (): void =>
    void queryClient.invalidateQueries({ queryKey: apiKey('/v1/approvals/{id}', { params }) });
  const options = {
    onDone: (): void => {
      setProblem(undefined);
      readAgain();
    },
    onProblem: (refused: Problem): void => {
      setProblem(refused);
      readAgain();
    },
  };
  const approve = useAction('post', '/v1/approvals/{id}/approve', options);
  const deny = useAction('post', '/v1/approvals/{id}/deny', options);
  return {
    approve: ({ edit, remember } = {}) =>
      approve.mutate({
        params,
        body: {
          ...(argumentsHash !== undefined && { argumentsHash }),
          ...(edit !== undefined && { edit }),
          ...(remember && { remember: 'exact' }),
        },
      }),
    deny: (reason) => deny.mutate({ params, body: reason.trim() === '' ? {} : { reason: reason.trim() } }),
    answer: (answer) => approve.mutate({ params, body: { answer } }),
    isBusy: approve.isPending || deny.isPending,
    problem,
    clearProblem: () => setProblem(undefined),
  };
}
