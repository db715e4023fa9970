import { Command } from 'commander';
import { expect, test } from 'vitest';
import { completeLine, type NameSources } from './complete-line.ts';

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  conversation: ['garden', 'gate'],
  agent: ['anton', 'arya'],
  graph: ['nightly'],
  run: ['01m7'],
};
const NAMES: NameSources = async (kind) => KNOWN[kind] ?? [];

function program(): Command {
  const all = new Command('oka').option('--json');
  const chat = all.command('chat');
  chat.command('send').argument('<conversation>').argument('<text>');
  chat.command('view').argument('<conversation>').option('--since <id>');
  const agent = all.command('agent');
  agent.command('show').argument('<name>');
  agent.command('new').argument('<name>');
  all.command('runs').command('show').argument('<run>');
  const graph = all.command('graph');
  graph.command('run').argument('[graph]');
  all.command('do').argument('<goal>').option('--agent <name>');
  all.command('start', { hidden: true });
  return all;
}

test.for([
  ['/', ['agent', 'chat', 'do', 'exit', 'graph', 'help', 'runs'], ''],
  ['/c', ['chat '], 'c'],
  ['/s', [], 's'],
  ['/chat ', ['send', 'view'], ''],
  ['/chat s', ['send '], 's'],
  ['/chat send ', ['garden', 'gate'], ''],
  ['/chat view gar', ['garden '], 'gar'],
  ['/chat send garden ', [], ''],
  ['/chat view --s', ['--since '], '--s'],
  ['/chat view --j', ['--json '], '--j'],
  ['/agent show a', ['anton', 'arya'], 'a'],
  ['/agent new a', [], 'a'],
  ['/runs show ', ['01m7 '], ''],
  ['/graph run ', ['nightly '], ''],
  ['/do --agent ar', ['arya '], 'ar'],
  ['/resume g', ['garden', 'gate'], 'g'],
  ['/help gr', ['graph '], 'gr'],
  ['/nothing ', [], ''],
  ['ask @ar', ['arya '], 'ar'],
  ['@', ['anton', 'arya'], ''],
  ['mail me@ar', [], 'mail me@ar'],
  ['chat ', [], 'chat '],
] as const)('%s is completed', async ([line, found, part]) => {
  expect(await completeLine(line, program(), NAMES, ['help', 'exit'])).toEqual([found, part]);
});
