import { describe, expect, it } from 'vitest';
import { type DerivedSources, deriveFiles } from '../../src/assistant/index.ts';
import { type Engine, runStream } from '../../src/engine/index.ts';
import { assistantEngine, GOAL, plan, RoleModel, task } from '../assistant/assistant-kit.ts';

const FORGED = 'tidy\n# Forged heading\n- [x](https://evil.example) `code`\n<script>alert(1)</script>';

function sourcesOf(engine: Engine, more: Partial<DerivedSources> = {}): DerivedSources {
  const { runs, events } = engine.parts;
  return {
    runs: () => runs.list({}),
    approvals: () => runs.approvals({ status: 'pending' }),
    events: (run) => events.read(runStream(run)),
    corrections: async () => [],
    episodes: async function* () {},
    facts: async () => [],
    ...more,
  };
}

describe('derived files', () => {
  it('report what was rejected, what was planned instead, and what people corrected', async () => {
    const judged = { acceptance: [{ judge: 'it reads well' }] };
    const verdict = (met: boolean) => ({
      verdicts: [{ criterion: 'draft.1', met, evidence: 'the second half is missing' }],
    });
    const model = new RoleModel({
      planner: [plan(task('draft', judged)), plan(task('draft', { ...judged, title: 'draft it better' }))],
      critic: [verdict(false), verdict(true)],
    });
    const engine = assistantEngine(model);
    const { id } = await engine.run(GOAL);
    const corrections = async () => [{ run: id, text: 'shorter, please', at: 0 }];
    const files = await deriveFiles(sourcesOf(engine, { corrections }));
    const learned = files.get('brain/LEARNINGS-other.md') ?? '';
    expect(learned).toContain('Tried once: 1 completed');
    expect(learned).toMatch(/it reads well.*the second half is missing.*draft it better.*then it held/);
    expect(learned).toContain('`shorter, please`');
    expect(learned).toContain(`oka runs explain ${id}`);
    expect(files.get('brain/TODOS.md')).toContain('Nothing is open.');
  });

  it('list the runs that wait for a person with the command that continues them', async () => {
    const engine = assistantEngine(new RoleModel({ planner: [plan(task('draft'))] }));
    const run = await engine.run({ ...GOAL, vars: { ...GOAL.vars, autonomy: 'manual' } });
    const approval = run.waiting?.for === 'answer' ? run.waiting.id : '';
    const todos = (await deriveFiles(sourcesOf(engine))).get('brain/TODOS.md') ?? '';
    expect(todos).toContain(`oka approvals approve ${approval} --answer`);
    expect(todos).toContain('`do draft`: pending');
  });

  it('cannot get headings, links or markup from the words of a person', async () => {
    const engine = assistantEngine(undefined);
    const { id } = await engine.run({ kind: 'agent', goal: FORGED });
    const turn = {
      id: 'e',
      namespace: 'n',
      conversation: FORGED,
      text: FORGED,
      at: 1_700_000_000_000,
      index: 0,
    };
    const fact = {
      id: 'f',
      namespace: 'n',
      text: FORGED,
      importance: 3,
      confidence: 0.5,
      by: 'me',
      at: turn.at,
      index: 0,
    };
    const files = await deriveFiles(
      sourcesOf(engine, {
        corrections: async () => [{ run: id, text: FORGED, at: 0 }],
        facts: async () => [{ ...fact, source: FORGED }],
        episodes: async function* () {
          yield turn;
        },
      }),
    );
    expect(files.size).toBe(3);
    for (const text of files.values()) {
      expect(text).toContain('Forged heading');
      // Without what stands as code, nothing is left of it.
      expect(text.replaceAll(/`[^`\n]*`/g, '')).not.toMatch(/Forged|evil|script/);
      expect(
        text
          .split('\n')
          .filter((line) => line.startsWith('#'))
          .join(),
      ).not.toContain('Forged');
    }
  });
});
