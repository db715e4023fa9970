import { useMemo } from 'react';
import { useAction } from '../../api/query.ts';
import type { ScheduleItem } from '../../api/types.ts';
import { useActions } from '../../state/actions.ts';
import { showInfo } from '../../state/toasts.ts';

export interface Switches {
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
  const startNow = start.mutate;
  const change = (enabled ? disable : enable).mutate;
  const { run, toggle } = useMemo(() => {
    const input = { params: { path: { id } }, body: {} };
    return { run: () => startNow(input), toggle: () => change(input) };
  }, [id, startNow, change]);
  return {
    ...{ run, toggle },
    isStarting: start.isPending,
    isSwitching: enable.isPending || disable.isPending,
  };
}

/** Offers the switches in the palette. */
export function useSwitchActions({ id, enabled }: ScheduleItem, { run, toggle }: Switches): void {
  useActions(
    useMemo(
      () => [
        { id: `schedules.run.${id}`, label: `Run ${id} now`, keywords: ['trigger', 'fire'], run },
        { id: `schedules.switch.${id}`, label: `Switch ${id} ${enabled ? 'off' : 'on'}`, run: toggle },
      ],
      [id, enabled, run, toggle],
    ),
  );
}
