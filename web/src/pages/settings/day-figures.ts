import type { Answer } from '../../api/query.ts';

type Day = Answer<'/v1/metrics'>['days'][number];

/** The columns of a chart: days with nothing have zeros, so that gaps are visible. */
export interface DayFigures {
  /** Midnight of each day in seconds, UTC. */
  readonly at: readonly number[];
  readonly started: readonly number[];
  readonly completed: readonly number[];
  readonly usd: readonly number[];
}

const DAY_S = 86_400;

export function dayFigures(
  days: readonly Pick<Day, 'day' | 'started' | 'completion' | 'cost'>[],
): DayFigures {
  const byTime = new Map(days.map((day) => [Date.parse(`${day.day}T00:00:00Z`) / 1_000, day]));
  const times = [...byTime.keys()];
  const first = Math.min(...times);
  const count = times.length === 0 ? 0 : (Math.max(...times) - first) / DAY_S + 1;
  const at = Array.from({ length: count }, (_, i) => first + i * DAY_S);
  return {
    at,
    started: at.map((time) => byTime.get(time)?.started ?? 0),
    completed: at.map((time) => byTime.get(time)?.completion.count ?? 0),
    usd: at.map((time) => byTime.get(time)?.cost.usd ?? 0),
  };
}
