// Names for parts of the answers that several pages use.

import type { Answer } from './query.ts';

export type RunListItem = Answer<'/v1/runs'>['items'][number];
export type ApprovalView = Answer<'/v1/approvals'>['items'][number];
export type ScheduleItem = Answer<'/v1/schedules'>[number];
