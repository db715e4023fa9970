import { type ReactNode, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { DayFigures } from './day-figures.ts';

const HEIGHT = 220;

/** Started and completed work by day, and its cost. The same numbers are in a table for screen readers. */
export default function MetricsChart({ days }: { readonly days: DayFigures }): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const chart = new uPlot(optionsFor(element), dataOf(days), element);
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [days]);
  return (
    <>
      <div ref={frame} className="settings-chart" aria-hidden="true" />
      <table className="hidden-text">
        <caption>Work by day</caption>
        <thead>
          <tr>
            <th>Day</th>
            <th>Started</th>
            <th>Completed</th>
            <th>Cost</th>
          </tr>
        </thead>
        <tbody>
          {days.at.map((time, i) => (
            <tr key={time}>
              <td>{new Date(time * 1_000).toISOString().slice(0, 10)}</td>
              <td>{days.started[i]}</td>
              <td>{days.completed[i]}</td>
              <td>{days.usd[i]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const dataOf = ({ at, started, completed, usd }: DayFigures): uPlot.AlignedData => [
  [...at],
  [...started],
  [...completed],
  [...usd],
];

/** Colours are those of the theme at the time. */
function optionsFor(element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--ink-2'),
    grid: { stroke: color('--line') },
    ticks: { stroke: color('--line') },
  };
  const point = { show: true, size: 5 };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    scales: {
      y: { range: (_, __, max) => [0, Math.max(1, max)] },
      usd: { range: (_, __, max) => [0, Math.max(0.01, max)] },
    },
    axes: [
      axis,
      axis,
      { ...axis, scale: 'usd', side: 1, values: (_, ticks) => ticks.map((tick) => `$${tick}`) },
    ],
    series: [
      {},
      { label: 'Started', stroke: color('--run'), width: 2, points: point },
      { label: 'Completed', stroke: color('--ok'), width: 2, points: point },
      { label: 'Cost', scale: 'usd', stroke: color('--wait'), dash: [4, 4], points: point },
    ],
  };
}
