import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence, Finish, JudgeRun, RunSummary, ToolFace } from '../engine/index.ts';
import { judgeRun } from './judge-run.ts';

type About = Parameters<JudgeRun>[0];

const face = (name: string, sideEffect: 'read' | 'write_local', writes?: ToolFace['writes']) =>
  ({ name, sideEffect, ...(writes && { writes }) }) as ToolFace;
const TOOLS: Readonly<Record<string, ToolFace>> = {
  'files.read': face('files.read', 'read'),
  'files.write': face('files.write', 'write_local', (input) => [(input as { path: string }).path]),
  'process.run': face('process.run', 'write_local'),
};

const call = (tool: string, input: object, failure?: string): Evidence =>
  ({
    ...{ step: 1, state: 'act', source: 'tool', tool, input },
    ...(failure === undefined ? { output: { ok: true } } : { failure: { code: 'x', message: failure } }),
  }) as Evidence;

interface Case {
  readonly goal: string;
  readonly evidence?: readonly Evidence[];
  readonly files?: readonly string[];
  readonly finish?: Partial<Finish>;
  readonly children?: readonly Partial<RunSummary>[];
  readonly modelCalls?: number;
}

async function judged({ goal, evidence = [], files = [], finish, children = [], modelCalls = 2 }: Case) {
  const run = { goal, evidence, used: { model_calls: modelCalls }, childrenUsed: {} };
  return judgeRun({
    run,
    finish: { kind: 'finish', output: 'I wrote report.md and deleted the rest.', rationale: 'r', ...finish },
    children,
    tool: (name: string) => TOOLS[name],
    capabilities: { files: { stat: async (path: string) => (files.includes(path) ? {} : undefined) } },
  } as unknown as About);
}

const is = async (about: Case) => (await judged(about)).is;

describe('the outcome of a run with a model', () => {
  it('is not proven by what the model says', async () => {
    for (const goal of [
      'write report.md',
      'write a summary of the notes into report.md',
      'delete the old logs',
      'fix the failing test',
      'read notes.md and delete it',
      'frobnicate everything',
    ])
      expect([goal, await is({ goal, evidence: [call('files.read', { path: 'notes.md' })] })]).toEqual([
        goal,
        'unproven',
      ]);
  });

  it('is checked for a question, and for a text that goes nowhere', async () => {
    for (const goal of [
      'what is in this folder?',
      'explain how to delete a branch',
      'summarise notes.md',
      'write a poem about the sea',
      'hello',
    ])
      expect([goal, await is({ goal })]).toEqual([goal, 'checked']);
  });

  it('is checked if a call wrote the file that the goal names', async () => {
    const goal = 'write a summary of the notes into report.md';
    const evidence = [call('files.write', { path: 'report.md' })];
    expect(await is({ goal, evidence })).toBe('checked');
    expect(await is({ goal, evidence: [call('files.write', { path: 'other.md' })] })).toBe('unproven');
    const program = [call('process.run', { argv: ['make'] })];
    expect(await is({ goal, evidence: program, files: ['report.md'] })).toBe('checked');
    expect(await is({ goal, evidence: program })).toBe('unproven');
  });

  it('is partial if the last change failed, and if a part of the work is not proven', async () => {
    const failed = [
      call('files.write', { path: 'a.md' }),
      call('files.write', { path: 'b.md' }, 'the disk is full'),
    ];
    expect(await judged({ goal: 'write b.md', evidence: failed })).toEqual({
      is: 'partial',
      because: ['files.write failed: the disk is full'],
    });
    const children = [{ goal: 'water', outcome: 'unproven' }] as const;
    expect(await is({ goal: 'water the garden', children })).toBe('partial');
    expect(await is({ goal: 'x', children: [...children, { goal: 'water', outcome: 'checked' }] })).toBe(
      'checked',
    );
  });
});

it('never says checked for a goal that needs a change when no call with an effect succeeded', async () => {
  const word = fc.constantFrom(
    'delete',
    'move',
    'fix',
    'rename',
    'install',
    'zap',
    'deploy',
    'commit',
    'refactor',
  );
  const rest = fc.constantFrom('all images', 'a.txt', 'the tests', 'src/a.ts to b.ts', '"old" files', 'it');
  const fact = fc.constantFrom(
    call('files.read', { path: 'a.txt' }),
    call('files.write', { path: 'a.txt' }, 'denied'),
    call('process.run', { argv: ['x'] }, 'missing'),
  );
  await fc.assert(
    fc.asyncProperty(
      word,
      rest,
      fc.array(fact),
      fc.array(fc.string()),
      async (verb, object, evidence, files) => {
        expect(await is({ goal: `${verb} ${object}`, evidence, files })).not.toBe('checked');
      },
    ),
  );
});

it('believes a planner by rules that checked its result, unless something is missing', async () => {
  const outcome = { is: 'checked', because: ['2 files were read'] } as const;
  expect(await judged({ goal: 'count files', modelCalls: 0, finish: { outcome } })).toEqual(outcome);
  const partial = { is: 'partial', because: ['closed: a'] } as const;
  expect(await judged({ goal: 'count files', modelCalls: 0, finish: { outcome: partial } })).toEqual(partial);
});
