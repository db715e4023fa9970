import { useAction } from '../../api/query.ts';
import type { ScheduleItem } from '../../api/types.ts';
import { showInfo } from '../../state/toasts.ts';

interface Switches {
  readonly run: () => void;
  readonly toggle: () => void;
  readonly isStarting: boolean;
  readonly isSwitching: boolean;
}

/** Runs a schedule now and switches it on and off. `onStarted` shows where its runs are. */
export function useScheduleSwitches({ id, enabled }: ScheduleItem, onStarted: () => void): Switches {
  const start = useAction('post', '/v1/schedules/{id}/trigger', {
    onDone: () => {
      showInfo(`${id} has started a run.`);
      onStarted();
    },
  });
  const enable = useAction('post', '/v1/schedules/{id}/enable');
  const disable = useAction('post', '/v1/schedules/{id}/disable');
  const input = { params: { path: { id } }, body: {} };
  return {
    run: () => start.mutate(input),
    toggle: () => (enabled ? disable : enable).mutate(input),
    isStarting: start.isPending,
    isSwitching: enable.isPending || disable.isPending,
  };
}
