import { expect, test } from 'vitest';
import type { ScheduleItem } from '../../api/types.ts';
import { nextFirings } from './next-firings.tsx';

const schedule = (id: string, fields: Partial<ScheduleItem>): ScheduleItem =>
  ({ id, graph: id, enabled: true, next: [], ...fields }) as ScheduleItem;

test('schedules are ordered by their next firing, those on a change last, and disabled ones are left out', () => {
  const shown = nextFirings([
    schedule('change', { onChange: 'src' }),
    schedule('late', { next: [20, 30] }),
    schedule('off', { next: [1], enabled: false }),
    schedule('early', { next: [10] }),
    schedule('over', {}),
  ]);
  expect(shown.map(({ id }) => id)).toEqual(['early', 'late', 'change']);
});
