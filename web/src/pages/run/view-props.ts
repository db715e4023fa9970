import type { Answer } from '../../api/query.ts';
import type { Moment } from './use-moment.ts';
import type { Selection } from './use-selected-step.ts';

/** What every view of a run is given. */
export interface ViewProps {
  readonly answer: Answer<'/v1/runs/{run}'>;
  readonly moment: Moment;
  readonly selection: Selection;
}
