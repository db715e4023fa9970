import type { ReactNode } from 'react';
import type { ScheduleItem } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import type { Switches } from './use-schedule-switches.ts';

interface ScheduleSwitchesProps {
  readonly schedule: ScheduleItem;
  readonly switches: Switches;
}

/** The buttons that run a schedule now and switch it on or off. */
export function ScheduleSwitches({ schedule: { id, enabled }, switches }: ScheduleSwitchesProps): ReactNode {
  return (
    <span className="row">
      <Button busy={switches.isStarting} onClick={switches.run}>
        Run now <span className="hidden-text">{id}</span>
      </Button>
      <Button look="quiet" busy={switches.isSwitching} onClick={switches.toggle}>
        {enabled ? 'Switch off' : 'Switch on'} <span className="hidden-text">{id}</span>
      </Button>
    </span>
  );
}
