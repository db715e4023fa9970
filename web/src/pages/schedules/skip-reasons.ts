import type { Answer } from '../../api/query.ts';

export type FiringItem = Answer<'/v1/schedules/{id}/firings'>[number];

/** Why a schedule fired, or why it did not. */
export const WHY: Readonly<Record<FiringItem['why'], string>> = {
  due: 'On time',
  late: 'Late: nothing ran schedules at the planned time',
  manual: 'Started by hand',
  change: 'Files changed',
  misfire: 'Nothing ran schedules at that time',
  overlap: 'The run before had not ended',
  dst: 'The clock skipped that time',
  disabled: 'It was switched off',
  deleted: 'It was deleted',
  input_erased: 'Its input was erased',
  failed: 'The run could not start',
  clock: 'The clock was wrong',
};
