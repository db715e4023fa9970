import type { ReactNode } from 'react';
import { StatusMark } from '../../parts/status-mark.tsx';

const DECISIONS: Readonly<Record<string, string>> = { allow: 'ok', ask: 'warning', deny: 'error' };
const DECISION_WORDS: Readonly<Record<string, string>> = { allow: 'Allowed', ask: 'Asks', deny: 'Denied' };

export function Decision({ decision }: { readonly decision: string }): ReactNode {
  return (
    <StatusMark
      status={DECISIONS[decision] ?? 'warning'}
      label={DECISION_WORDS[decision] ?? decision}
      look="plain"
    />
  );
}
