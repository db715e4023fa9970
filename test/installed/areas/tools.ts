// Every built-in tool, called through the installed `oka tools call`. A tool that is not in CALLS fails the test.

import { expect, test } from 'vitest';
import type { RunAnswer, ToolView } from '../../../src/api/index.ts';
import { SMALL_PROJECT, type Workspace } from '../../cli/oka-process.ts';
import { fixtureRegistry } from '../../installs/fixture-registry.ts';
import { startDaemon } from '../installed-oka.ts';
import { servePage } from '../serve-page.ts';
import { type Area, allowAll, callTool, echoGraph, SCRIPTED, script } from './area.ts';

interface Stage {
  readonly workspace: Workspace;
  readonly page: string;
}

type Call = (call: (input: object) => Promise<unknown>, stage: Stage) => Promise<void>;

/** One line for each tool: a call, and what it must give. */
const CALLS: Readonly<Record<string, Call>> = {
  'assistant.check': async (call) =>
    holds(await call({ criteria: [{ file_exists: 'README.md' }] }), /"evidence":"it has \d+ bytes/),
  'assistant.review': async (call) => holds(await call({ artifacts: ['README.md'] }), /"exists":true/),
  'chat.send': async (call, { workspace }) => {
    await workspace.answer('chat', 'new', 'room');
    await call({ conversation: 'room', text: 'good morning' });
    holds((await workspace.answer('chat', 'view', 'room')).data, /good morning/);
  },
  'context.compose': async (call, { workspace }) => {
    await callTool(workspace, 'context.put_frame', { node: 'README.md', content: 'about beds' });
    holds(await call({ node: 'README.md' }), /about beds/);
  },
  'context.generate_frame': async (call) => {
    expect(await call({ node: 'README.md', prompt: 'what is it' })).toBeTruthy();
  },
  'context.get_node': async (call) => holds(await call({ node: 'README.md' }), /README\.md/),
  'context.put_frame': async (call) => {
    expect(await call({ node: 'README.md', content: 'a plan' })).toBeTruthy();
  },
  'context.synthesize': async (call) => {
    await call({ node: '.', type: 'note', policy: 'concatenation' });
  },
  'engine.run_children': async (call) =>
    holds(await call({ children: [{ kind: 'agent', goal: 'greet me' }] }), /Good day/),
  'reminders.all': async (call) => holds(await call({}), /"reminders"/),
  'reminders.cancel': async (call, { workspace }) => {
    const when = { cron: '0 9 * * *' };
    const set = await callTool(workspace, 'reminders.set', { text: 'eat', when, zone: 'UTC' });
    await call({ ids: [(set as { id: string }).id] });
  },
  'reminders.set': async (call) => {
    const when = { at: Date.now() + 86_400_000 };
    holds(await call({ text: 'call Bob', when, zone: 'UTC' }), /next_local/);
  },
  'time.now': async (call) => holds(await call({ words: 'tomorrow at 9' }), /"meant"/),
  'engine.wait': async (call) => void (await call({ seconds: 0 })),
  'engine.wait_event': async (_, { workspace }) => {
    const input = JSON.stringify({ event: 'go' });
    const { data } = await workspace.answer('tools', 'call', 'engine.wait_event', input, '--no-input');
    const signalled = await workspace.answer<RunAnswer>('runs', 'signal', data.run.id, 'go', '{"litres":3}');
    expect(signalled.exitCode).toBe(0);
    const resumed = await workspace.answer('runs', 'resume', data.run.id);
    expect(resumed.data).toMatchObject({ run: { status: 'completed' } });
    holds(resumed.data.output, /litres/);
  },
  'environment.install': async (call, { workspace }) => {
    await call({ ecosystem: 'node', package: 'small', version: '1.0.0' });
    expect(workspace.has('.oka/tools')).toBe(true);
  },
  'files.archive': async (call, { workspace }) => {
    await call({ from: ['README.md'], to: 'readme.zip' });
    expect(workspace.has('readme.zip')).toBe(true);
  },
  'files.copy': async (call, { workspace }) => {
    await call({ from: ['README.md'], to: ['copy/README.md'] });
    expect(workspace.text('copy/README.md')).toContain('Garden');
  },
  'files.delete_many': async (call, { workspace }) => {
    workspace.put('one.tmp', '1');
    await call({ paths: ['one.tmp'] });
    expect(workspace.has('one.tmp')).toBe(false);
  },
  'files.make_folders': async (call, { workspace }) => {
    await call({ paths: ['new/folder'] });
    expect(workspace.has('new/folder')).toBe(true);
  },
  'files.merge': async (call, { workspace }) => {
    workspace.put('part.txt', 'part');
    await call({ from: ['part.txt', 'README.md'], to: 'merged.txt' });
    expect(workspace.text('merged.txt')).toMatch(/^part\n/);
  },
  'files.move_many': async (call, { workspace }) => {
    workspace.put('many.txt', 'moved');
    await call({ from: ['many.txt'], to: ['many/one.txt'] });
    expect(workspace.text('many/one.txt')).toBe('moved');
  },
  'files.survey': async (call) => holds(await call({ path: '.', modified: 'since yesterday' }), /README\.md/),
  'files.unpack': async (call, { workspace }) => {
    workspace.put('packed.txt', 'packed');
    await callTool(workspace, 'files.archive', { from: ['packed.txt'], to: 'packed.zip' });
    await call({ path: 'packed.zip', to: 'unpacked' });
    expect(workspace.text('unpacked/packed.txt')).toBe('packed');
  },
  'files.delete': async (call, { workspace }) => {
    workspace.put('old.txt', 'old');
    await call({ path: 'old.txt' });
    expect(workspace.has('old.txt')).toBe(false);
  },
  'files.edit': async (call, { workspace }) => {
    workspace.put('edit.txt', 'one\ntwo\n');
    holds(await call({ path: 'edit.txt', old: 'two', new: 'three' }), /\+three/);
  },
  'files.list': async (call) => holds(await call({ path: '.' }), /README\.md/),
  'files.move': async (call, { workspace }) => {
    workspace.put('from.txt', 'moved');
    await call({ from: 'from.txt', to: 'to.txt' });
    expect(workspace.text('to.txt')).toBe('moved');
  },
  'files.read': async (call) => holds(await call({ path: 'README.md' }), /Garden/),
  'files.search': async (call) => holds(await call({ query: 'beds' }), /README\.md/),
  'files.write': async (call, { workspace }) => {
    await call({ path: 'new.txt', content: 'new' });
    expect(workspace.text('new.txt')).toBe('new');
  },
  'graph.run': async (call) => holds(await call({ graph: 'echo', input: { litres: 3 } }), /litres/),
  'http.fetch': async (call, { page }) => holds(await call({ url: page }), /a page/),
  'memory.forget': async (call, { workspace }) => {
    const remembered = await callTool(workspace, 'memory.remember', { text: 'Roses need water.' });
    await call({ id: (remembered as { id: string }).id });
  },
  'memory.facts': async (call, { workspace }) => {
    await callTool(workspace, 'memory.remember', { text: 'The crane is blue.' });
    holds(await call({}), /crane/);
  },
  'memory.recall': async (call, { workspace }) => {
    await callTool(workspace, 'memory.remember', { text: 'The pump is green.' });
    holds(await call({ query: 'pump' }), /green/);
  },
  'memory.remember': async (call) => {
    expect(await call({ text: 'The shed is red.' })).toMatchObject({ id: expect.any(String) });
  },
  'model.choose': async (call) => holds(await call({ prompt: 'pick one', options: ['a', 'b'] }), /./),
  'model.complete': async (call) => holds(await call({ prompt: 'say hello' }), /Good day/),
  'procedures.write': async (_, { workspace }) => {
    workspace.put('list.txt', 'one\n');
    const { data } = await workspace.answer<RunAnswer>(
      'do',
      'add the line "two" to list.txt',
      '--model',
      'none',
    );
    expect(data.run).toMatchObject({ status: 'completed' });
    expect(workspace.text('list.txt')).toBe('one\ntwo\n');
  },
  'process.run': async (call, { workspace }) => {
    workspace.put('INSTALL_REQUIREMENTS.md', '## echo\n\n- status: open\n- blocking task: run 1\n');
    holds(await call({ argv: ['echo', 'hello'] }), /hello/);
    expect(workspace.text('INSTALL_REQUIREMENTS.md')).toContain('status: resolved');
  },
  'skills.read': async (call) => holds(await call({ skill: 'brew' }), /Boil it/),
  'state.prior_runs': async (call) => void (await call({ graph: 'echo' })),
  'state.read': async (call) => holds(await call({ key: 'none', default: 'nothing yet' }), /nothing yet/),
  'state.write': async (call, { workspace }) => {
    await call({ key: 'count', value: 7 });
    holds(await callTool(workspace, 'state.read', { key: 'count' }), /7/);
  },
};

function holds(value: unknown, words: RegExp): void {
  expect(JSON.stringify(value)).toMatch(words);
}

export function toolsArea({ open }: Area): void {
  test.each(['in the command itself', 'through the daemon'])(
    'every built-in tool works %s',
    async (where) => {
      const page = await servePage();
      const registry = await fixtureRegistry({ name: 'small', version: '1.0.0' });
      const workspace = await open({
        files: {
          ...SMALL_PROJECT,
          'script.json': script({ when: 'pick one', text: 'a' }, { text: 'Good day.' }),
          '.oka/graphs/echo.json': echoGraph('echo'),
          '.oka/skills/brew/SKILL.md': '---\nname: brew\ndescription: Brews tea.\n---\n\nBoil it.\n',
        },
        config: SCRIPTED,
        userConfig: { allow_private: [page.host], installs: { npm_registry: registry.address } },
      });
      allowAll(workspace);
      if (where === 'through the daemon') await startDaemon(workspace);
      const { data } = await workspace.answer<{ tools: ToolView[] }>('tools', 'list');
      const names = data.tools.filter(({ source }) => source === 'built-in').map(({ name }) => name);
      expect(names.sort(), 'each tool needs a line in CALLS').toEqual(Object.keys(CALLS).sort());

      const failures: Record<string, string> = {};
      await succeedAll(workspace, page.url, failures);
      expect(failures).toEqual({});
      await workspace.verified();
    },
  );
}

async function succeedAll(workspace: Workspace, page: string, failures: Record<string, string>) {
  await workspace.answer('context', 'scan');
  for (const [tool, use] of Object.entries(CALLS))
    try {
      await use((input) => callTool(workspace, tool, input), { workspace, page });
    } catch (error) {
      failures[tool] = (error as Error).message;
    }
}
