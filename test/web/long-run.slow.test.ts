// A run of 10,000 steps. Frame times are printed, because they depend on the machine.

import { describe, expect, test } from 'vitest';
import type { Workspace } from '../cli/oka-process.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { hasBrowser, useApp } from './browser.ts';

const STEPS = 10_000;
const PER_COMMIT = 500;
const RUN = `01kd${'0'.repeat(22)}`;
const STREAM = `run/${RUN}`;
const MAX_ROWS_IN_PAGE = 120;
/** It draws 300 frames of 10,000 steps, also on a busy machine. */
const MAX_MS = 180_000;

/** Writes a run with reads, writes and model decisions, as the engine records them. */
async function addRun({ root }: Workspace): Promise<void> {
  const clock = new ManualClock();
  const ledger = openTestLedger(root, { clock });
  const commit = async (events: readonly { type: string; data: object; body?: object }[]): Promise<void> => {
    clock.advance(1_000);
    await ledger.store.commit({
      actor: 'test',
      sync: 'normal',
      appends: [{ stream: STREAM, events }] as never,
    });
  };
  const pins = { graph: 'a', planner: 'a', tools: 'a', policy: 'a' };
  const lineage = { root: RUN, depth: 0, line: RUN };
  const limits = { steps: 100_000, cost_usd: 50 };
  const started = { kind: 'agent', state: 'start', pins, limits, lineage, epoch: 1, status: 'running' };
  await commit([{ type: 'run.started', data: started, body: { goal: 'a long run', vars: {} } }]);
  for (let from = 1; from <= STEPS; from += PER_COMMIT)
    await commit(Array.from({ length: PER_COMMIT }, (_, at) => eventsOf(from + at)).flat());
  const ended = { step: STEPS + 1, from: 'work', state: 'end', status: 'completed' };
  await commit([{ type: 'run.completed', data: ended, body: { output: null, rationale: 'done' } }]);
  await ledger.close();
}

function eventsOf(step: number): readonly { type: string; data: object; body?: object }[] {
  const state = `state-${step % 7}`;
  const about = { step, state, tool: 'files.read' };
  const body = { rationale: 'to know more', input: { path: `notes/${step}.md` } };
  if (step % 3 > 0) {
    const spend =
      step % 3 === 1
        ? { spend: { model_calls: 1, cost_usd: 0.001, input_tokens: 900, output_tokens: 90 } }
        : {};
    const data = { ...about, ...spend, kind: 'call_tool', outcome: step % 97 === 0 ? 'failed' : 'ok' };
    return [{ type: 'step.completed', data, body: { ...body, output: { content: 'x'.repeat(200) } } }];
  }
  const intended = { ...about, tool: 'files.write', key: `${RUN}/${step}`, policy: 'allow:write_local' };
  return [
    { type: 'tool.intended', data: intended, body },
    { type: 'tool.completed', data: { step, tool: 'files.write' }, body: { output: { bytes: 200 } } },
  ];
}

/** Changes something once per frame, and answers with how long the frames took. */
const everyFrame = (frames: number, change: string): string => `new Promise((resolve) => {
  const times = [];
  let last = performance.now();
  const list = document.querySelector('.gantt .virtual-list');
  const range = document.querySelector('input[type=range]');
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
  const step = (now) => {
    times.push(now - last);
    last = now;
    const frame = times.length;
    if (frame > ${frames}) return resolve(times.slice(1));
    ${change}
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

describe.skipIf(!hasBrowser)('a long run', () => {
  const app = useApp({ prepare: addRun });

  test(`${STEPS} steps scroll and follow the scrubber with a small page`, { timeout: MAX_MS }, async () => {
    const begin = performance.now();
    const page = await app.open(`/runs/${RUN}`);
    await page.getByText(`step 10,001 of 10,001`).waitFor();
    process.stdout.write(`all events after ${Math.round(performance.now() - begin)} ms\n`);
    const rows = page.getByRole('listitem');
    report('idle', (await page.evaluate(everyFrame(60, ''))) as number[]);
    report('scroll', (await page.evaluate(everyFrame(120, 'list.scrollTop += 700;'))) as number[]);
    expect(await rows.count()).toBeLessThan(MAX_ROWS_IN_PAGE);
    const scrub =
      "setValue.call(range, String(Math.round(range.max * (1 - frame / 150)))); range.dispatchEvent(new Event('input', { bubbles: true }));";
    report('scrub', (await page.evaluate(everyFrame(120, scrub))) as number[]);
    await page.getByText(/^as of/).waitFor();
    expect(await rows.count()).toBeLessThan(MAX_ROWS_IN_PAGE);
    await page.waitForURL(/[?&]at=\d+/);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText(`step 10,001 of 10,001`).waitFor();
    await page.getByRole('tab', { name: /Events/ }).click();
    await page.getByRole('searchbox', { name: 'Search events' }).fill('notes/9998.md');
    await page.getByText('1 of 13,335 events').waitFor();
  });
});

function report(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  process.stdout.write(
    `${what}: ${times.length} frames, median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms\n`,
  );
}
