// Lists as long as after months of use. Frame times are printed, because they depend on the machine.

import { describe, expect, test } from 'vitest';
import type { Workspace } from '../cli/oka-process.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { hasBrowser, useApp } from './browser.ts';

const RUNS = 10_000;
const PER_COMMIT = 500;
const MAX_ROWS_IN_PAGE = 80;
/** It loads 10,000 rows, also on a busy machine. */
const MAX_MS = 180_000;

const idOf = (index: number): string => `01kd${String(index).padStart(22, '0')}`;

/** Writes runs that ended, as the engine records them. */
async function addRuns({ root }: Workspace): Promise<void> {
  const clock = new ManualClock();
  const ledger = openTestLedger(root, { clock });
  for (let from = 0; from < RUNS; from += PER_COMMIT) {
    clock.advance(1_000);
    const appends = Array.from({ length: PER_COMMIT }, (_, at) => runStream(from + at));
    await ledger.store.commit({ actor: 'test', sync: 'normal', appends });
  }
  await ledger.close();
}

function runStream(index: number) {
  const id = idOf(index);
  const pins = { graph: 'a', planner: 'a', tools: 'a', policy: 'a' };
  const started = {
    ...{ kind: 'agent', state: 'start', pins, limits: {}, epoch: 1, status: 'running' },
    lineage: { root: id, depth: 0, line: id },
  };
  const ended = { step: 1, from: 'start', state: 'end', status: 'completed' };
  return {
    stream: `run/${id}`,
    events: [
      { type: 'run.started', data: started, body: { goal: `goal ${index}`, vars: {} } },
      { type: 'run.completed', data: ended, body: { output: null, rationale: 'done' } },
    ],
  };
}

/** Scrolls to the end of what is loaded, one step per frame, and answers with how long the frames took. */
const SCROLL = `new Promise((resolve) => {
  const list = document.querySelector('.virtual-list');
  const times = [];
  let last = performance.now();
  const step = (now) => {
    times.push(now - last);
    last = now;
    const end = list.scrollHeight - list.clientHeight;
    if (list.scrollTop >= end - 1) return resolve(times);
    list.scrollTop = Math.min(end, list.scrollTop + 2000);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

describe.skipIf(!hasBrowser)('long lists', () => {
  const app = useApp({ prepare: addRuns });

  test(`the list of ${RUNS} runs reaches the oldest one and keeps the page small`, {
    timeout: MAX_MS,
  }, async () => {
    const page = await app.open('/runs');
    const rows = page.getByRole('listitem');
    await rows.first().waitFor();
    const times: number[] = [];
    const oldest = page.getByRole('link', { name: 'goal 0', exact: true });
    while ((await oldest.count()) === 0) {
      times.push(...((await page.evaluate(SCROLL)) as number[]));
      expect(await rows.count()).toBeLessThan(MAX_ROWS_IN_PAGE);
    }
    expect(Number(await rows.last().getAttribute('aria-setsize'))).toBeGreaterThanOrEqual(RUNS);
    report(times);
  });

  test('shows a new run above thousands of loaded ones without loading them again', async () => {
    const page = await app.open('/runs');
    const reads: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('cursor=')) reads.push(request.url());
    });
    await page.getByRole('listitem').first().waitFor();
    while (reads.length <= 3) await page.evaluate(SCROLL);
    await page.evaluate("document.querySelector('.virtual-list').scrollTop = 0");
    await app.request('POST', '/v1/runs', { goal: 'write a brief of this folder to BRIEF.md' });
    const row = page.getByRole('listitem').filter({ hasText: 'BRIEF.md' });
    await row.getByText('Completed').waitFor();
    expect(new Set(reads).size).toBe(reads.length);
  });
});

function report(times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  process.stdout.write(
    `frames ${times.length}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms\n`,
  );
}
