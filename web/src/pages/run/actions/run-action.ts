import type { ComponentType } from 'react';
import type { Answer } from '../../../api/query.ts';
import type { Moment } from '../use-moment.ts';

export interface ActionProps {
  readonly answer: Answer<'/v1/runs/{run}'>;
  readonly moment: Moment;
  /** The number of the selected step of the run, or of the last one at the chosen moment. */
  readonly step: number;
  readonly onClose: () => void;
}

/** What a person can do with a run: a button or an entry of the menu, and in the command palette. It opens its dialog. */
export interface RunAction {
  readonly id: string;
  /** Starts with a verb. A dialog that asks for more ends with "…". */
  readonly label: string;
  readonly keywords?: readonly string[];
  readonly place: 'button' | 'menu';
  readonly look?: 'primary' | 'plain';
  readonly danger?: boolean;
  /** Whether it can be done in the run's present status. */
  readonly isOffered: (run: ActionProps['answer']['run'], moment: Moment) => boolean;
  readonly dialog: ComponentType<ActionProps>;
}
