/** The counts in the output of a test command, as far as its format is known. */
export interface TestOutcome {
  readonly format: 'TAP' | 'node:test' | 'vitest' | 'jest' | 'pytest' | 'go test' | 'cargo test' | 'unknown';
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  /** The names of the tests that failed, in order, each once. */
  readonly failures: readonly string[];
}

type Reader = (text: string) => TestOutcome | undefined;

const MAX_TEXT_LENGTH = 2_000_000;

/** Reads the output of a test command. Never throws; an unknown format has no counts. */
export function readTestOutput(output: string): TestOutcome {
  const text = stripAnsi(output.slice(-MAX_TEXT_LENGTH)).replace(/\r\n?/g, '\n');
  for (const read of READERS) {
    const outcome = read(text);
    if (outcome) return { ...outcome, failures: [...new Set(outcome.failures)] };
  }
  return { format: 'unknown', failures: [] };
}

export function stripAnsi(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g, '');
}

const readVitest: Reader = (text) => {
  const summary = /^[ \t]*Tests[ \t]{2,}(?=\S)(.*)\(\d+\)[ \t]*$/m.exec(text);
  if (!summary && !/^[ \t]*(?:RUN|DEV)[ \t]+v\d/m.test(text)) return undefined;
  const failures = all(text, /^[ \t]*FAIL[ \t]+(\S.*?)[ \t]*$/gm);
  const marked = all(text, /^[ \t]*×[ \t]+(.+?)(?:[ \t]+\d+(?:\.\d+)?m?s)?[ \t]*$/gm);
  return {
    format: 'vitest',
    ...counts(summary?.[1] ?? ''),
    failures: failures.length > 0 ? failures : marked,
  };
};

const readJest: Reader = (text) => {
  const summary = /^Tests:[ \t]+(.*\btotal)\b/m.exec(text);
  if (!summary) return undefined;
  const suites = all(text, /^[ \t]*●[ \t]+(.*›.*|Test suite failed to run)[ \t]*$/gm);
  const failures =
    suites.length > 0 ? suites : all(text, /^[ \t]*(?:✕|●)[ \t]+(.+?)(?: \(\d+ m?s\))?[ \t]*$/gm);
  return {
    format: 'jest',
    ...counts(summary[1] as string),
    failures: failures.map((name) => name.replaceAll(' › ', ' > ')),
  };
};

const readPytest: Reader = (text) => {
  const summary = all(
    text,
    /^=*[ \t]*((?:\d+ (?:failed|passed|skipped|errors?|xfailed|xpassed|warnings?|deselected)(?:, )?)+) in [\d.]+s/gm,
  ).at(-1);
  if (summary === undefined) return undefined;
  const counted = counts(summary);
  const errors = Number(/(\d+) errors?/.exec(summary)?.[1] ?? 0);
  return {
    format: 'pytest',
    ...counted,
    failed: counted.failed + errors,
    failures: all(text, /^(?:FAILED|ERROR)[ \t]+(\S+?(?:::.+?)?)(?: - .*)?$/gm),
  };
};

const readCargo: Reader = (text) => {
  const results = [...text.matchAll(/^test result: \S+ (\d+) passed; (\d+) failed; (\d+) ignored/gm)];
  if (results.length === 0) return undefined;
  const sum = (group: number): number => results.reduce((total, match) => total + Number(match[group]), 0);
  return {
    format: 'cargo test',
    passed: sum(1),
    failed: sum(2),
    skipped: sum(3),
    failures: all(text, /^test (\S.*?) \.\.\. FAILED$/gm),
  };
};

const readGo: Reader = (text) => {
  const packages = all(text, /^(?:ok[ \t]+|FAIL\t)(\S+)[ \t]+(?:[\d.]+s|\(cached\)|\[.*)/gm);
  const failed = all(text, /^[ \t]*--- FAIL: (\S+)/gm);
  const passed = all(text, /^[ \t]*--- PASS: (\S+)/gm);
  if (packages.length === 0 && failed.length + passed.length === 0) return undefined;
  // A test with failed subtests fails itself; the subtests say more.
  const wholes = new Set(failed.flatMap(partsAbove));
  const leaves = failed.filter((name) => !wholes.has(name));
  const broken = all(text, /^FAIL\t(\S+) \[(?:build|setup) failed\]/gm).map((name) => `${name} (not built)`);
  const failures = [...leaves, ...broken];
  return {
    format: 'go test',
    ...(passed.length > 0 ? { passed: passed.length } : {}),
    failed: failures.length,
    failures,
  };
};

/** The parents of a test: `a` and `a/b` for `a/b/c`. */
function partsAbove(name: string): string[] {
  return [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index));
}

/** The spec reporter of Node: a sign before each test, and counts at the end. */
const readNodeSpec: Reader = (text) => {
  const [pass, fails, skip] = ['pass', 'fail', 'skipped'].map(
    (word) => new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(text)?.[1],
  );
  if (pass === undefined || fails === undefined) return undefined;
  const until = text.indexOf('\n✖ failing tests:');
  const listed = until < 0 ? text : text.slice(until + 1);
  const failures = all(listed, /^[ \t]*✖ (.+?)(?: \([\d.]+ms\))?$/gm).filter(
    (name) => name !== 'failing tests:',
  );
  return {
    format: 'node:test',
    passed: Number(pass),
    failed: Number(fails),
    skipped: Number(skip ?? 0),
    failures,
  };
};

const readTap: Reader = (text) => {
  if (!/^TAP version \d+$/m.test(text) && !/^1\.\.\d+/m.test(text)) return undefined;
  const lines = text.split('\n');
  const tests = lines.flatMap((line, i) => {
    const [, not, name = '', directive] =
      /^[ \t]*(not )?ok\b[ \t]*\d*[ \t]*-?[ \t]*(.*?)(?:[ \t]+#[ \t]*(skip|todo)\b.*)?$/i.exec(line) ?? [];
    if (!/^[ \t]*(?:not )?ok\b/.test(line)) return [];
    return [
      { name, failed: not !== undefined && directive === undefined, skipped: directive !== undefined, at: i },
    ];
  });
  const failed = tests.filter((test) => test.failed && !isParent(lines, test.at));
  const count = (what: string): number | undefined => {
    const found = new RegExp(`^# ${what} +(\\d+)$`, 'm').exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  return {
    format: 'TAP',
    passed: count('pass') ?? tests.filter((test) => !test.failed && !test.skipped).length,
    failed: count('fail') ?? failed.length,
    skipped: count('skipped') ?? tests.filter((test) => test.skipped).length,
    failures: failed.map(({ name, at }) => name || `test at line ${at + 1}`),
  };
};

/** Whether a failed test only reports that its subtests failed. */
function isParent(lines: readonly string[], at: number): boolean {
  const block = lines.slice(at + 1, at + 30);
  const end = block.findIndex((line) => /^[ \t]*\.\.\.$/.test(line));
  return (
    /^[ \t]*---$/.test(block[0] ?? '') && block.slice(0, end).some((line) => line.includes('subtestsFailed'))
  );
}

const READERS: readonly Reader[] = [
  readVitest,
  readJest,
  readPytest,
  readCargo,
  readNodeSpec,
  readTap,
  readGo,
];

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] as string);
}

/** The numbers of a summary such as "1 failed, 3 passed". */
function counts(text: string): { passed: number; failed: number; skipped: number } {
  const before = (word: string): number => Number(new RegExp(`(\\d+) ${word}\\b`).exec(text)?.[1] ?? 0);
  return { passed: before('passed'), failed: before('failed'), skipped: before('skipped') };
}
