import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentWorkspace } from '../support/agent-workspace.ts';

const FILES = { 'docs/a b.txt': '1', 'docs/sub/c.txt': '2', 'docs/d.md': '3', 'e.txt': '4' };
const GOAL = 'rename *.txt to *.md in docs';

describe('renaming files', () => {
  it('shows the new names, renames after approval, and can be undone', async () => {
    const workspace = new AgentWorkspace(FILES);
    const asked = await workspace.pursue(GOAL);
    expect(asked.waiting).toMatchObject({
      for: 'answer',
      question:
        'Shall 2 files be renamed? `docs/a b.txt` to `docs/a b.md`, `docs/sub/c.txt` to `docs/sub/c.md`',
      options: ['yes', 'no'],
    });
    expect(workspace.text('docs/a b.txt')).toBe('1');
    const run = await workspace.pursue(GOAL, 'yes');
    expect(run.failure).toBeUndefined();
    expect(run.output).toMatchObject({ renamed: [{ to: 'docs/a b.md' }, { to: 'docs/sub/c.md' }] });
    expect(workspace.text('docs/a b.md')).toBe('1');
    expect(existsSync(join(workspace.root, 'docs/a b.txt'))).toBe(false);
    expect(workspace.text('e.txt')).toBe('4');
    expect(await workspace.retell(run)).toMatchObject({
      states: ['intake', 'explore', 'decide', 'act', 'validate', 'done'],
      differences: [],
    });
    await workspace.engine.undo(run.id, 'tester');
    expect(workspace.text('docs/a b.txt')).toBe('1');
    expect(existsSync(join(workspace.root, 'docs/a b.md'))).toBe(false);
  });

  it('renames nothing when a person refuses, when a name is taken, and when nothing matches', async () => {
    const workspace = new AgentWorkspace({ ...FILES, 'docs/sub/c.md': 'mine' });
    const taken = await workspace.pursue(GOAL);
    expect(taken.failure?.message).toContain(
      'docs/sub/c.txt would become docs/sub/c.md, which is there already',
    );
    expect(await workspace.pursue('rename *.txt to *.rst', 'no')).toMatchObject({
      failure: { code: 'agent.not_confirmed' },
    });
    const none = await workspace.pursue('rename *.zip to *.tar');
    expect(none).toMatchObject({ ended: { status: 'completed' }, output: { renamed: [] } });
    for (const [path, content] of Object.entries(FILES)) expect(workspace.text(path)).toBe(content);
  });
});
