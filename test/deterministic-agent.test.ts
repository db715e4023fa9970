import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Digest, digestOf } from '../src/kernel/index.ts';
import { defineTool } from '../src/tools/define-tool.ts';
import { AgentWorkspace } from './support/agent-workspace.ts';

const READING = ['intake', 'explore', 'decide', 'done'];
const ACTING = ['intake', 'explore', 'decide', 'act', 'validate', 'done'];
const FILES = {
  'README.md': '# Hello\n',
  'src/main.ts': '// TODO: start\nrun();\n',
  'src/other.ts': 'export {};\n',
};

describe('the deterministic agent, reading', () => {
  it.each([
    ['read README.md', 'files.read'],
    ['Please show me the file "README.md".', 'files.read'],
    ['could you open ./README.md?', 'files.read'],
  ])('reads a file: %s', async (goal, tool) => {
    const workspace = new AgentWorkspace(FILES);
    const run = await workspace.pursue(goal);
    expect(run.output).toMatchObject({ path: 'README.md', content: '# Hello\n' });
    expect(await workspace.retell(run)).toEqual({ states: READING, tools: [tool], differences: [] });
  });

  it.each(['list src'])('lists a folder: %s', async (goal) => {
    const workspace = new AgentWorkspace(FILES);
    const run = await workspace.pursue(goal);
    expect(run.output).toMatchObject({
      path: 'src',
      entries: [{ path: 'src/main.ts' }, { path: 'src/other.ts' }],
    });
    expect(await workspace.retell(run)).toEqual({
      states: READING,
      tools: ['files.list'],
      differences: [],
    });
  });

  it('lists the workspace when no folder is named', async () => {
    const run = await new AgentWorkspace(FILES).pursue('list this folder with depth 2');
    expect(run.output).toMatchObject({
      path: '.',
      entries: [{}, { path: 'src' }, { path: 'src/main.ts' }, {}],
    });
  });

  it.each(['search for "TODO" in src', 'find TODO in src', 'search for todo: in the folder src'])(
    'searches: %s',
    async (goal) => {
      const workspace = new AgentWorkspace({ ...FILES, 'TODO.md': 'TODO elsewhere' });
      const run = await workspace.pursue(goal);
      expect(run.output).toMatchObject({
        matches: [{ path: 'src/main.ts', line: 1, text: '// TODO: start' }],
        files: 2,
      });
      expect(await workspace.retell(run)).toEqual({
        states: READING,
        tools: ['files.search'],
        differences: [],
      });
    },
  );

  it('waits as long as the goal says', async () => {
    const run = await new AgentWorkspace().pursue('wait 0.01 seconds');
    expect(run).toMatchObject({ ended: { status: 'completed' }, output: { at: expect.any(Number) } });
  });

  it('fails with the reason of the tool', async () => {
    const workspace = new AgentWorkspace(FILES);
    const run = await workspace.pursue('read absent.txt');
    expect(run).toMatchObject({ ended: { status: 'failed' }, failure: { code: 'files.not_found' } });
    expect(run.failure?.message).toContain('absent.txt');
    expect(await workspace.retell(run)).toMatchObject({
      states: ['intake', 'explore', 'failed'],
      differences: [],
    });
    const wait = await workspace.pursue('wait');
    expect(wait).toMatchObject({ failure: { code: 'engine.tool_input_invalid' } });
  });

  it('reaches nothing outside the workspace', async () => {
    const run = await new AgentWorkspace(FILES).pursue('read ../../etc/passwd');
    expect(run).toMatchObject({ failure: { code: 'files.outside_workspace' } });
  });

  it('gives a reference where the output is too large for the record, without the secrets in it', async () => {
    const secret = `ghp_${'0123456789'.repeat(4)}`;
    const workspace = new AgentWorkspace({ 'big.txt': `${secret}\n${'😀'.repeat(50_000)}` });
    const run = await workspace.pursue('read big.txt');
    expect(run).toMatchObject({
      ended: { status: 'completed' },
      output: { artifact: expect.any(String), bytes: expect.any(Number) },
    });
    const { artifact } = run.output as { artifact: Digest };
    const stored = new TextDecoder().decode(await workspace.engine.parts.artifacts.get(artifact));
    expect(stored).toMatch(/\[redacted github-token [0-9a-f]{8}\]/);
    expect(stored).not.toContain(secret);
  });
});

describe('the deterministic agent, asking', () => {
  it('asks for a missing value and continues with the answer', async () => {
    const workspace = new AgentWorkspace(FILES);
    const asked = await workspace.pursue('search');
    expect(asked.waiting).toMatchObject({
      for: 'answer',
      question: 'files.search needs "query": the text to find. What should it be?',
    });
    const run = await workspace.pursue('search', 'start');
    expect(run.output).toMatchObject({ query: 'start', matches: [{ path: 'src/main.ts' }] });
    expect(await workspace.retell(run)).toEqual({
      states: READING,
      tools: ['files.search'],
      differences: [],
    });
  });

  it('asks for each missing value in turn', async () => {
    const workspace = new AgentWorkspace();
    const run = await workspace.pursue('write', 'notes.txt', '  kept as it is ');
    expect(workspace.text('notes.txt')).toBe('  kept as it is ');
    expect(await workspace.retell(run)).toMatchObject({ states: ACTING, differences: [] });
  });

  it('does not continue with an empty answer', async () => {
    const workspace = new AgentWorkspace();
    const run = await workspace.pursue('read', '  ');
    expect(run).toMatchObject({ failure: { code: 'agent.answer_not_usable' } });
    expect((await workspace.retell(run)).differences).toEqual([]);
  });

  it.each([
    ['', 'The goal is empty'],
    ['  ', 'The goal is empty'],
    ['make me a sandwich', 'was not understood'],
    ['"just a quote"', 'was not understood'],
  ])('does not guess what "%s" means', async (goal, message) => {
    const workspace = new AgentWorkspace(FILES);
    const run = await workspace.pursue(goal);
    expect(run).toMatchObject({
      ended: { status: 'failed' },
      failure: { code: 'agent.goal_not_understood' },
    });
    expect(run.failure?.message).toContain(message);
    expect(run.failure?.message).toContain('oka do "what can you do?"');
    expect(await workspace.retell(run)).toEqual({ states: ['intake', 'failed'], tools: [], differences: [] });
  });
});

describe('the deterministic agent, asked to destroy', () => {
  it('does not interpret "everything", and deletes nothing', async () => {
    const workspace = new AgentWorkspace(FILES);
    const run = await workspace.pursue('delete everything');
    expect(run.failure?.message).toContain('but not what to do here with: "everything"');
    expect((await workspace.retell(run)).tools).toEqual([]);
  });
});

describe('the deterministic agent, acting', () => {
  it.each(['write "hello" to notes.txt', 'save "hello" into "notes.txt"', 'create notes.txt with "hello"'])(
    'writes a file, reads it back, and can undo it: %s',
    async (goal) => {
      const workspace = new AgentWorkspace();
      const run = await workspace.pursue(goal);
      expect(run.output).toEqual({ path: 'notes.txt', bytes: 5, digest: digestOf('hello') });
      expect(run.artifacts).toMatchObject([{ name: 'notes.txt', mediaType: 'text/plain', bytes: 5 }]);
      expect(workspace.text('notes.txt')).toBe('hello');
      expect(await workspace.retell(run)).toEqual({
        states: ACTING,
        tools: ['files.write', 'files.read'],
        differences: [],
      });
      const report = await workspace.engine.undo(run.id, 'tester');
      expect(report.changes).toMatchObject([
        { restored: true, what: 'removed notes.txt, which the run had created' },
      ]);
      expect(existsSync(join(workspace.root, 'notes.txt'))).toBe(false);
    },
  );

  it('does not write a protected file', async () => {
    const workspace = new AgentWorkspace();
    const run = await workspace.pursue('write "x" to .git/hooks/pre-commit');
    expect(run).toMatchObject({ failure: { code: 'files.protected' } });
    expect(await workspace.retell(run)).toMatchObject({
      states: ['intake', 'explore', 'decide', 'act', 'failed'],
      differences: [],
    });
    expect(existsSync(join(workspace.root, '.git'))).toBe(false);
  });

  const destroyed: string[] = [];
  const destroy = defineTool({
    name: 'things.delete',
    description: 'Deletes a thing for good.',
    input: z.strictObject({ path: z.string() }),
    output: z.strictObject({ gone: z.string() }),
    annotations: { readOnly: false, destructive: true, idempotent: false, cacheable: false, risk: 'high' },
    sideEffect: 'write_local',
    handler: ({ path }) => {
      destroyed.push(path);
      return { gone: path };
    },
  });
  const ALLOW = {
    version: 'test',
    decide: () => ({ decision: 'allow' as const, rule: 'test', why: 'a test' }),
  };

  it('asks a person before a destructive call, whatever policy allows', async () => {
    const workspace = new AgentWorkspace({}, { tools: [destroy], policy: ALLOW });
    const asked = await workspace.pursue('delete things/a.txt');
    expect(asked.waiting).toMatchObject({
      for: 'approval',
      call: { tool: 'things.delete' },
      rule: 'confirm',
    });
    expect(asked.state).toBe('act');
    expect(await workspace.pursue('delete things/a.txt', 'no')).toMatchObject({
      failure: { code: 'engine.approval_denied' },
    });
    expect(destroyed).toEqual([]);
    const run = await workspace.pursue('delete things/a.txt', 'yes');
    expect(run.output).toEqual({ gone: 'things/a.txt' });
    expect(await workspace.retell(run)).toEqual({
      states: ACTING,
      // The request, and the call.
      tools: ['things.delete', 'things.delete'],
      differences: [],
    });
    expect(destroyed).toEqual(['things/a.txt']);
  });

  it('destroys nothing if the goal names no target', async () => {
    const workspace = new AgentWorkspace({}, { tools: [destroy], policy: ALLOW });
    const run = await workspace.pursue('delete everything');
    expect(run).toMatchObject({ failure: { code: 'agent.goal_not_understood' } });
    const asked = await workspace.pursue('delete');
    expect(asked.waiting).toMatchObject({ for: 'answer', question: expect.stringContaining('needs "path"') });
  });
});
