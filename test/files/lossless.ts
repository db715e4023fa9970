import { createRedactor, type Random } from '../../src/kernel/index.ts';
import { AgentWorkspace } from '../support/agent-workspace.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { REGISTERED, secretPairs } from './secret-files.ts';

interface Case {
  readonly goal: string;
  readonly files: Readonly<Record<string, string>>;
  readonly target: string;
  /** The content that a plain loop would write. */
  readonly expected: string;
}

type Operation = (random: Random) => Case;

const collator = new Intl.Collator('en', { numeric: true });

function lines(random: Random): string[] {
  return secretPairs(random, true).map(({ name, value }) => `${name}=${value}`);
}

function text(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

function env(random: Random): string {
  return text(secretPairs(random, false).map(({ name, value }) => `${name}=${value}`));
}

function csv(
  rows: readonly { readonly name: string; readonly value: string; readonly amount: number }[],
): string {
  const cell = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return text([
    'name,value,amount',
    ...rows.map(({ name, value, amount }) => `${name},${cell(value)},${amount}`),
  ]);
}

function rows(random: Random) {
  return secretPairs(random, false).map((pair, i) => ({ ...pair, amount: 10 * i + 3 }));
}

/** Every operation on files that does not name a secret. */
const OPERATIONS: readonly Operation[] = [
  (random) => {
    const before = env(random);
    const files = { 'app.env': before };
    return {
      goal: 'add the line "PORT=3000" to app.env',
      files,
      target: 'app.env',
      expected: `${before}PORT=3000\n`,
    };
  },
  (random) => {
    const before = `host localhost\n${env(random)}localhost again\n`;
    const files = { 'app.env': before };
    const expected = before.replaceAll('localhost', 'db.local');
    return { goal: 'replace "localhost" with "db.local" in app.env', files, target: 'app.env', expected };
  },
  (random) => {
    const before = lines(random);
    const expected = text([...before].sort(collator.compare));
    return {
      goal: 'sort the lines of list.txt into sorted.txt',
      files: { 'list.txt': text(before) },
      target: 'sorted.txt',
      expected,
    };
  },
  (random) => {
    const before = lines(random).flatMap((line) => [line, '', line]);
    const files = { 'list.txt': text(before) };
    return {
      goal: 'remove duplicate lines from list.txt',
      files,
      target: 'list.txt',
      expected: text([...new Set(before)]),
    };
  },
  (random) => {
    const value = Object.fromEntries(secretPairs(random, false).map(({ name, value }) => [name, value]));
    const files = { 'data.json': JSON.stringify(value) };
    return {
      goal: 'format data.json',
      files,
      target: 'data.json',
      expected: `${JSON.stringify(value, undefined, 2)}\n`,
    };
  },
  (random) => {
    const all = rows(random);
    const files = { 'data.csv': csv(all) };
    return {
      goal: 'convert data.csv to json',
      files,
      target: 'data.json',
      expected: `${JSON.stringify(all, undefined, 2)}\n`,
    };
  },
  (random) => {
    const all = rows(random);
    const files = { 'data.csv': csv(all) };
    const expected = csv(all.filter(({ amount }) => amount > 10));
    return { goal: 'rows of data.csv where amount > 10 into big.csv', files, target: 'big.csv', expected };
  },
  (random) => {
    const all = rows(random);
    const files = { 'data.csv': csv(all) };
    return {
      goal: 'sort data.csv by amount descending into down.csv',
      files,
      target: 'down.csv',
      expected: csv([...all].reverse()),
    };
  },
  (random) => {
    const [one, two] = [env(random), env(random)];
    const files = { 'a.txt': one, 'b.txt': two };
    return { goal: 'merge a.txt and b.txt into all.txt', files, target: 'all.txt', expected: one + two };
  },
  (random) => {
    const before = env(random);
    return {
      goal: 'copy app.env to copy.env',
      files: { 'app.env': before },
      target: 'copy.env',
      expected: before,
    };
  },
];

/** Carries out random operations on random files, and returns those whose result is not what a plain loop writes. */
export async function lossesIn(seeds: number): Promise<string[]> {
  const wrong: string[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const random = seededRandom(seed);
    const operation = OPERATIONS[seed % OPERATIONS.length] as Operation;
    const { goal, files, target, expected } = operation(random);
    const redactor = createRedactor();
    redactor.addSecret('REGISTERED', REGISTERED);
    const workspace = new AgentWorkspace(files, { redactor });
    const run = await workspace.pursue(goal);
    const isEmpty = expected === 'name,value,amount\n';
    const content = isEmpty ? expected : workspace.text(target);
    if (content !== expected || run.failure !== undefined)
      wrong.push(`seed ${seed}, ${goal}: ${run.failure?.message ?? ''}\n${content}\ninstead of\n${expected}`);
    const record = JSON.stringify(await workspace.engine.events(run.id));
    const shown = Object.values(files).flatMap(
      (one) => one.match(/sk-proj-\w+|ghp_\w+|registered-value-\d+/g) ?? [],
    );
    for (const secret of shown)
      if (record.includes(secret)) wrong.push(`seed ${seed}, ${goal}: ${secret} is in the record`);
  }
  return wrong;
}
