// What every subject does, so that all of them do the same.

export const STEPS = 1_000;
export const CONCURRENT_RUNS = 1_000;
export const STEPS_OF_A_SHORT_RUN = 5;
/** How many of them a client of Restate calls at once. */
export const CALLS_AT_ONCE = 256;
export const NODES_TO_COMPILE = 10_000;
export const MAPPED_ITEMS = 10_000;
/**
 * How often 1,000 steps are taken before anything is timed. A daemon is warm, and V8 needs about eight
 * such runs until it no longer gets faster; the first run is a figure of its own.
 * Peers that need seconds for 1,000 steps are warm after one time.
 */
export const WARM_UP_RUNS = 10;
/** How long the chain is that warms up a peer which needs seconds for one of 1,000. */
export const PEER_WARM_UP_NODES = 100;
/** So many that each subject has some in a moment when nothing else runs. */
export const MEASURED_RUNS = 40;
export const EFFECTS = 200;

/** The object of about 200 bytes that a step gives. */
export function result(i) {
  return {
    step: i,
    found: true,
    note: 'two files below the folder have changed since the last look and one of them needs to be read again',
    ref: `sha256:${String(i).padStart(32, '0')}`,
    cost: 0.0025,
  };
}

export const AGENTS = ['arya', 'gendry', 'sansa'];
/** What is said, to all of them. */
export const MESSAGE =
  '@arya @gendry @sansa please look at the beds behind the house, and say what has to be done there first.';
const CHAT_WARM_UP = 500;
const MESSAGES_AT_ONCE = 50;

/**
 * Sends so many messages, each when the one before is stored, and as many again with some under way at once. Answers with
 * the microseconds that a message took in either case.
 */
export async function timeSending(count, send) {
  for (let i = 0; i < CHAT_WARM_UP; i++) await send('warm');
  const messageUs = await timePer(count, async () => {
    for (let i = 0; i < count; i++) await send('room');
  });
  const atOnceUs = await timePer(count, async () => {
    let left = count;
    const sendNext = async () => {
      while (left-- > 0) await send('crowd');
    };
    await Promise.all(Array.from({ length: MESSAGES_AT_ONCE }, sendNext));
  });
  return { messageUs, atOnceUs, sent: CHAT_WARM_UP + 2 * count };
}

/** Answers to whoever started this process. */
export function answer(values) {
  process.stdout.write(`${JSON.stringify(values)}\n`);
}

/** Microseconds per unit of `work`, which is done `count` times at one go. */
export async function timePer(count, work) {
  const from = performance.now();
  await work();
  return ((performance.now() - from) * 1_000) / count;
}

/** How often 1,000 short runs go on at once; peers need seconds for it. */
export const GOES = 9;
export const PEER_GOES = 3;

/** Steps per second of the quickest of so many goes. */
export async function stepsPerSecond(goes, together) {
  const times = [];
  for (let go = 0; go < goes; go++)
    times.push(await timePer(CONCURRENT_RUNS * STEPS_OF_A_SHORT_RUN, () => together(go)));
  return 1e6 / quickest(times);
}

/** The time that stands for repeated runs: the quickest, because other work on the machine only ever adds time. */
export function quickest(times) {
  return Math.min(...times);
}

export function peakMemoryMb() {
  return process.resourceUsage().maxRSS / 1_024;
}
