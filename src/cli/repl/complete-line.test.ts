import { Command } from 'commander';
import { expect, test } from 'vitest';
import { completeLine, type NameSources } from './complete-line.ts';

const NAMES: NameSources = {
  conversation: async () => ['garden', 'gate'],
  agent: async () => ['anton', 'arya'],
  graph: async () => ['nightly'],
};

function program(): Command {
  const all = new Command('oka').option('--json');
  const chat = all.command('chat');
  chat.command('send').argument('<conversation>').argument('<text>');
  chat.command('view').argument('<conversation>').option('--since <id>');
  all.command('agent').command('show').argument('<name>');
  const graph = all.command('graph');
  graph.command('run').argument('[graph]');
  all.command('do').argument('<goal>').option('--agent <name>');
  all.command('start', { hidden: true });
  return all;
}

test.for([
  ['/', ['agent', 'chat', 'do', 'exit', 'graph', 'help'], ''],
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
