// The engine of Oka with a planner of its own: what a step costs without any graph. Called with a workload and a
// workspace folder.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { engineLoop } from './engine-loop.mjs';
import { makeTool, openOka } from './open-oka.mjs';
import { rawEffects, rawSteps } from './raw-rows.mjs';
import {
  answer,
  CONCURRENT_RUNS,
  EFFECTS,
  GOES,
  MEASURED_RUNS,
  peakMemoryMb,
  quickest,
  result,
  STEPS,
  STEPS_OF_A_SHORT_RUN,
  stepsPerSecond,
  timePer,
  WARM_UP_RUNS,
} from './workload.mjs';

/** How many steps are taken at a go, in runs of any length, and how often. */
const FLAT_STEPS = 10_000;
const FLAT_GOES = 3;

/** A loop that takes the time from its first step to its last, the mirror written. */
function timedLoop(name, steps) {
  let from = 0;
  const timed = { flush() {}, stepUs: 0, kind: undefined };
  timed.kind = engineLoop(name, 'look', steps, (i) => {
    if (i === 0) from = performance.now();
    else {
      timed.flush();
      timed.stepUs = ((performance.now() - from) * 1_000) / steps;
    }
  });
  return timed;
}

/** Opens the workspace with one tool of each kind and the given kinds of runs. */
async function open(workspace, kinds, onLook = () => {}) {
  const look = async ({ i }) => {
    onLook(i);
    return result(i);
  };
  const tools = [makeTool('look', 'read', look), makeTool('act', 'write_local', async ({ i }) => result(i))];
  const opened = await openOka(workspace, { kinds, tools });
  const together = (kind, runs) => opened.together({ kind }, runs);
  return { ...opened, together, run: (kind) => together(kind, 1) };
}

/** The bytes of `.oka` once the log is folded into the database and the mirror is written. */
async function bytesOf({ ledger, folder }) {
  ledger.mirror.flush();
  ledger.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return readdirSync(folder.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

const workloads = {
  /**
   * Microseconds per step of a run of 1,000: the whole of the very first, and after the warm-up the quickest, as a whole
   * and from its first step to its last. After each run its rows and lines are stored raw, so that both find the machine
   * in the same mood.
   */
  async step(workspace, finished) {
    const timed = timedLoop('steps', STEPS);
    const { run, ledger } = await open(workspace, [timed.kind]);
    timed.flush = () => ledger.mirror.flush();
    const beside = rawSteps(workspace, finished);
    const whole = [];
    const inner = [];
    const raw = [];
    for (let i = 0; i < WARM_UP_RUNS + MEASURED_RUNS; i++) {
      whole.push(await timePer(STEPS, () => run('steps')));
      inner.push(timed.stepUs);
      raw.push(await timePer(STEPS, beside.write));
    }
    beside.close();
    await ledger.close();
    answer({
      coldUs: whole[0],
      stepUs: quickest(whole.slice(WARM_UP_RUNS)),
      innerUs: quickest(inner.slice(WARM_UP_RUNS)),
      rawUs: quickest(raw.slice(WARM_UP_RUNS)),
    });
  },

  /** Microseconds per effect, whose intent and outcome are both synced, and per raw commit of such a row, by turns. */
  async effect(workspace, finished) {
    const { run, ledger } = await open(workspace, [
      engineLoop('steps', 'look', STEPS),
      engineLoop('effects', 'act', EFFECTS),
    ]);
    const beside = rawEffects(workspace, finished);
    for (let i = 0; i < WARM_UP_RUNS; i++) await run('steps');
    const times = [];
    const raw = [];
    for (let i = 0; i < WARM_UP_RUNS + MEASURED_RUNS; i++) {
      times.push(await timePer(EFFECTS, () => run('effects')));
      raw.push(await timePer(beside.commits, beside.write));
    }
    beside.close();
    await ledger.close();
    answer({ effectUs: quickest(times.slice(WARM_UP_RUNS)), commitUs: quickest(raw.slice(WARM_UP_RUNS)) });
  },

  /**
   * Cost and bytes per step in runs of the given length, in a ledger of its own, from the first to the last step of each.
   * Whatever the length, as many steps are taken at a go, so that each pays its share of what the disk asks for.
   */
  async flat(workspace, length) {
    const steps = Number(length);
    const timed = timedLoop('measured', steps);
    const warm = await open(join(workspace, 'warm-up'), [engineLoop('steps', 'look', STEPS)]);
    for (let i = 0; i < WARM_UP_RUNS; i++) await warm.run('steps');
    await warm.ledger.close();
    const opened = await open(join(workspace, 'measured'), [timed.kind, engineLoop('empty', 'look', 0)]);
    timed.flush = () => opened.ledger.mirror.flush();
    await opened.run('empty');
    const before = await bytesOf(opened);
    await opened.run('measured');
    const bytes = (await bytesOf(opened)) - before;
    const times = [];
    for (let go = 0; go < FLAT_GOES; go++) {
      const runs = FLAT_STEPS / steps;
      let sum = 0;
      for (let i = 0; i < runs; i++) {
        await opened.run('measured');
        sum += timed.stepUs;
      }
      times.push(sum / runs);
    }
    await opened.ledger.close();
    answer({ stepUs: quickest(times), stepBytes: bytes / steps });
  },

  /** The bytes of `.oka` after a run that has gathered 1,000 messages of 200 bytes. */
  async growing(workspace) {
    const opened = await open(workspace, [engineLoop('steps', 'look', STEPS)]);
    await opened.run('steps');
    const bytes = await bytesOf(opened);
    await opened.ledger.close();
    answer({ bytes });
  },

  /** Steps per second when 1,000 runs of five steps go on at once. */
  async concurrent(workspace) {
    const { together, ledger } = await open(workspace, [engineLoop('short', 'look', STEPS_OF_A_SHORT_RUN)]);
    for (let i = 0; i < WARM_UP_RUNS; i++) await together('short', STEPS / STEPS_OF_A_SHORT_RUN);
    const go = () => together('short', CONCURRENT_RUNS);
    const first = await stepsPerSecond(1, go);
    const memoryMb = peakMemoryMb();
    const later = await stepsPerSecond(GOES - 1, go);
    await ledger.close();
    answer({ stepsPerSecond: Math.max(first, later), memoryMb, laterMemoryMb: peakMemoryMb() });
  },

  /** A run that is killed while it works on its last step. */
  async crash(workspace) {
    const onLook = (i) => {
      if (i === STEPS - 1) process.kill(process.pid, 'SIGKILL');
    };
    const { run } = await open(workspace, [engineLoop('steps', 'look', STEPS)], onLook);
    await run('steps');
  },

  /** Milliseconds from opening the workspace of a killed run to the end of the run. */
  async resume(workspace) {
    let looked = 0;
    const from = performance.now();
    const { engine, ledger } = await open(workspace, [engineLoop('steps', 'look', STEPS)], () => {
      looked += 1;
    });
    const [{ id }] = await ledger.runs.list({ limit: 1 });
    const run = await engine.resume(id);
    const resumeMs = performance.now() - from;
    if (run.ended?.status !== 'completed' || looked !== 1) throw new Error(`resumed with ${looked} steps`);
    await ledger.close();
    answer({ resumeMs });
  },

  /** Leaves a finished run behind, for its rows and lines. */
  async finished(workspace, kind) {
    const { run, ledger } = await open(workspace, [
      engineLoop('steps', 'look', STEPS),
      engineLoop('effects', 'act', EFFECTS),
    ]);
    await run(kind);
    await ledger.close();
    answer({});
  },

  /** Leaves many short runs behind, for a list of them. */
  async many(workspace, runs) {
    const { run, ledger } = await open(workspace, [engineLoop('short', 'look', STEPS_OF_A_SHORT_RUN)]);
    for (let i = 0; i < Number(runs); i++) await run('short');
    await ledger.close();
    answer({});
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
