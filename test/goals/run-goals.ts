import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { fillFixture, putFile } from './goal-fixture.ts';

/** A text that contains this, or matches it. */
type Like = string | RegExp;

/** What a goal must lead to. Without `asked` or `refused` its run completes. */
export interface Expectation {
  /** A part of the output. */
  readonly facts?: object;
  /** The report or other text of the output has these. */
  readonly report?: Like | readonly Like[];
  /** The report has none of these. */
  readonly not?: Like | readonly Like[];
  /** Paths that differ afterwards: the content, `true` for any content or a folder, null for removed. All others must be unchanged. */
  readonly files?: Readonly<Record<string, Like | true | null>>;
  /** The question to the person, or the call to approve. */
  readonly asked?: Like;
  /** Answers to the questions in their order; "yes" also approves a call. The run then goes on to its end. */
  readonly answers?: readonly string[];
  /** The run fails, with a message that has this. */
  readonly refused?: Like | true;
  /** The code of the failure; default `agent.goal_not_understood`. */
  readonly code?: string;
  /** Files that this row has in addition; removed afterwards. */
  readonly given?: Readonly<Record<string, string>>;
  /** The tool calls or procedure words that the run's explanation must have. */
  readonly why?: Like;
  /** The fixture is a git repository. */
  readonly git?: true;
  /** Undoes the run at the end; then nothing may differ from before. */
  readonly undo?: true;
}

export type GoalRow = readonly [goal: string, expectation: Expectation];

type Snapshot = ReadonlyMap<string, string>;

/** Defines one test for each row. The rows share a workspace, which is restored after each. */
export function testGoals(title: string, rows: readonly GoalRow[]): void {
  for (const git of [false, true]) {
    const own = rows.filter(([, { git: needsGit = false }]) => needsGit === git);
    if (own.length > 0) describe(git ? `${title}, in a git repository` : title, () => testRows(own, git));
  }
}

function testRows(rows: readonly GoalRow[], git: boolean): void {
  let folder: GoalFolder;
  beforeAll(async () => {
    folder = new GoalFolder(git);
    await folder.open();
  });
  afterAll(() => folder.close());
  it.each(rows)('%s', async (goal, expectation) => {
    await folder.check(goal, expectation);
  });
}

/** A workspace with the fixture, and an Oka without a model. */
export class GoalFolder {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'oka-goals-')));
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), 'oka-goals-home-')));
  readonly oka: Oka;
  #before: Snapshot = new Map();

  constructor(git = false) {
    fillFixture(this.root, { git });
    this.oka = new Oka({ workspace: this.root, home: this.#home });
  }

  async open(): Promise<void> {
    await this.oka.init({ trust: true });
    this.#before = this.#snapshot();
  }

  async close(): Promise<void> {
    await this.oka.close();
    for (const folder of [this.root, this.#home]) rmSync(folder, { recursive: true, force: true });
  }

  /** Runs a goal, checks the outcome and restores the folder. */
  async check(goal: string, expectation: Expectation): Promise<void> {
    for (const [path, text] of Object.entries(expectation.given ?? {})) putFile(this.root, path, text);
    const before = this.#snapshot();
    try {
      const answer = await this.#pursue(goal, expectation);
      await this.#checkOutcome(answer, expectation);
      this.#checkFiles(before, expectation.files ?? {});
      if (expectation.undo) {
        await this.oka.runs.undo(answer.run.id, 'tester', false);
        this.#checkFiles(before, {});
      }
      if (answer.run.status === 'waiting') await this.oka.runs.cancel(answer.run.id, 'tester', 'checked');
    } finally {
      this.#restore();
    }
  }

  async #pursue(goal: string, { asked, answers = [] }: Expectation): Promise<RunAnswer> {
    let answer = await this.oka.do({ goal, budgets: {}, simulate: false, patienceMs: 0 });
    if (asked !== undefined) expectLike(questionOf(answer), asked);
    for (const text of answers) {
      expect(answer.run, told(answer)).toMatchObject({ status: 'waiting' });
      const id = answer.run.waitingFor?.approval ?? '';
      const isQuestion = answer.run.waitingFor?.request?.question !== undefined;
      if (text === 'no' && !isQuestion) await this.oka.approvals.deny(id, 'tester');
      else await this.oka.approvals.approve({ id, by: 'tester', ...(isQuestion ? { answer: text } : {}) }, 0);
      answer = await this.oka.runs.show(answer.run.id);
    }
    return answer;
  }

  async #checkOutcome(answer: RunAnswer, expectation: Expectation): Promise<void> {
    const { facts, report, not, asked, answers, refused, code, why } = expectation;
    const { status, failure } = answer.run;
    const wanted = refused
      ? 'failed'
      : asked !== undefined && answers === undefined
        ? 'waiting'
        : 'completed';
    expect(status, told(answer)).toBe(wanted);
    if (refused) {
      expect(failure?.code).toBe(code ?? 'agent.goal_not_understood');
      if (refused !== true) expectLike(failure?.message ?? '', refused);
    }
    if (wanted === 'completed') {
      const { actions } = await this.oka.runs.explain(answer.run.id);
      const unexpected = actions.filter(({ outcome, expected }) => outcome === 'failed' && !expected);
      expect(unexpected, 'a run that succeeds shows no failed call').toEqual([]);
    }
    if (facts) expect(answer.output).toMatchObject(facts);
    const text = textOf(answer);
    for (const like of listOf(report)) expectLike(text, like);
    for (const like of listOf(not)) expect(isLike(text, like), `${String(like)} in ${text}`).toBe(false);
    if (why !== undefined) expectLike(JSON.stringify(await this.oka.runs.explain(answer.run.id)), why);
  }

  #checkFiles(before: Snapshot, files: NonNullable<Expectation['files']>): void {
    const after = this.#snapshot();
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) => before.get(path) !== after.get(path),
    );
    const unexpected = changed.filter((path) => !(path in files) && !isFolderOf(path, files, after));
    expect(unexpected).toEqual([]);
    for (const [path, like] of Object.entries(files)) {
      if (like === null) expect(after.has(path), `${path} is there`).toBe(false);
      else expect(after.has(path), `${path} is missing`).toBe(true);
      if (like !== null && like !== true) expectLike(readFileSync(join(this.root, path), 'utf8'), like);
    }
  }

  #snapshot(): Snapshot {
    const found = new Map<string, string>();
    const walk = (folder: string): void => {
      for (const entry of readdirSync(join(this.root, folder), { withFileTypes: true })) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (path === '.oka' || path === '.git') continue;
        if (entry.isDirectory()) {
          found.set(path, '/');
          walk(path);
        } else found.set(path, readFileSync(join(this.root, path), 'base64'));
      }
    };
    walk('');
    return found;
  }

  #restore(): void {
    const now = this.#snapshot();
    for (const path of now.keys())
      if (!this.#before.has(path)) rmSync(join(this.root, path), { recursive: true, force: true });
    for (const [path, content] of this.#before) {
      if (now.get(path) === content) continue;
      if (content === '/') mkdirSync(join(this.root, path), { recursive: true });
      else putFile(this.root, path, Buffer.from(content, 'base64'));
    }
  }
}

/** A folder above an expected file need not be listed. */
function isFolderOf(path: string, files: object, after: Snapshot): boolean {
  return after.get(path) !== undefined && after.get(path) === '/'
    ? Object.keys(files).some((file) => file.startsWith(`${path}/`))
    : false;
}

function questionOf({ run }: RunAnswer): string {
  const { question, tool, arguments: input } = run.waitingFor?.request ?? {};
  return question ?? (tool === undefined ? '' : `${tool} ${JSON.stringify(input)}`);
}

/** The texts of an output: a report, or everything as JSON. */
function textOf({ output }: RunAnswer): string {
  const texts: string[] = [];
  const gather = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) gather(one);
  };
  gather(output);
  return texts.join('\n');
}

function told({ run, output }: RunAnswer): string {
  return JSON.stringify({ ...run.failure, asked: run.waitingFor?.request?.question, output }).slice(0, 1_500);
}

function listOf(like: Like | readonly Like[] | undefined): readonly Like[] {
  if (like === undefined) return [];
  return typeof like === 'string' || like instanceof RegExp ? [like] : like;
}

function isLike(text: string, like: Like): boolean {
  return typeof like === 'string' ? text.includes(like) : like.test(text);
}

function expectLike(text: string, like: Like): void {
  if (typeof like === 'string') expect(text).toContain(like);
  else expect(text).toMatch(like);
}
