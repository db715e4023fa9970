import type { ReactNode } from 'react';
import type { Answer } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { formatDuration, formatTokens } from '../../parts/format.ts';
import { KeyValues } from '../../parts/key-values.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';

type Test = Answer<'/v1/model-test', 'post'>;

/** What a real call of a model has shown. */
export function ModelTest({ test }: { readonly test: Test }): ReactNode {
  const mark = (can: boolean): ReactNode => (
    <StatusMark status={can ? 'ok' : 'warning'} label={can ? 'Yes' : 'No'} look="plain" />
  );
  return (
    <Card title={`Test of ${test.name}`}>
      <KeyValues
        pairs={[
          ['Model', test.model],
          ['Answered in', test.answeredMs === undefined ? undefined : formatDuration(test.answeredMs)],
          ['Streaming', mark(test.streaming)],
          ['Tool calls', mark(test.tools)],
          ['JSON', mark(test.json)],
          [
            'Context',
            test.contextTokens === undefined ? undefined : `${formatTokens(test.contextTokens)} tokens`,
          ],
          ...test.notes.map((note, i) => [i === 0 ? 'Notes' : ` ${i}`, note] as const),
        ]}
      />
    </Card>
  );
}
