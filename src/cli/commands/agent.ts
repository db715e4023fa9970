import { type Command, Option } from 'commander';
import type {
  AgentCheckAnswer,
  AgentDetails,
  AgentProblemView,
  AgentView,
  NewAgentRequest,
} from '../../api/index.ts';
import { collect, parseAmount, parsePairs } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { clip, table } from '../format.ts';
import { runHostInForeground, startHost, stopHost } from '../host-process.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';
import { showStopped } from './daemon.ts';

interface NewOptions extends Pick<NewAgentRequest, 'description' | 'provider' | 'model' | 'script'> {
  readonly fallback: readonly string[];
  readonly temperature?: number;
  readonly contextRole?: string;
  readonly tools: readonly string[];
  readonly budget: readonly string[];
  readonly persona?: string;
}

export function agentCommand(program: Command, run: Run): void {
  const agent = program
    .command('agent')
    .description('Create, check and run agents')
    .addHelpText(
      'after',
      '\nExamples:\n  oka agent list\n  oka agent new ada --provider anthropic --model <model> --persona "You review code." --tools "files.*"\n  oka agent show ada\n  oka agent check\n  oka agent run ada --detach',
    );
  addReadCommands(agent, run);
  addNewCommand(agent, run);
  addHostCommands(agent, run);
}

function addHostCommands(agent: Command, run: Run): void {
  agent
    .command('run')
    .description('Run an agent in its own process until it is stopped')
    .argument('<name>', 'Name')
    .option('--detach', 'Run in the background')
    .addHelpText(
      'after',
      '\nExamples:\n  oka agent run ada\n  oka agent run ada --detach\n  oka agent stop ada',
    )
    .action((name: string, options: { detach?: boolean }) =>
      run(async (context) => {
        await (await context.open()).agents.show(name);
        if (!options.detach) {
          await runHostInForeground(context, name);
          return EXIT.ok;
        }
        const answer = await startHost(context, name);
        context.printer.answer(answer, ({ pid, already }) =>
          already ? `${name} already runs: process ${pid}` : `${name} started: process ${pid}`,
        );
        return EXIT.ok;
      }),
    );
  agent
    .command('stop')
    .description('Stop the process of an agent. Another process continues its turns')
    .argument('<name>', 'Name')
    .action((name: string) =>
      run(async (context) => {
        const answer = await stopHost(context, name);
        if (answer.pid === undefined) await (await context.open()).agents.show(name);
        context.printer.answer(answer, ({ stopped, pid }) => showStopped(name, stopped, pid));
        return answer.stopped || answer.pid === undefined ? EXIT.ok : EXIT.failed;
      }),
    );
}

function addReadCommands(agent: Command, run: Run): void {
  agent
    .command('list')
    .description('List agents')
    .action(() =>
      run(async (context) => {
        const agents = await (await context.open()).agents.list();
        context.printer.answer({ agents }, (data) => showAgents(data.agents));
        return EXIT.ok;
      }),
    );
  agent
    .command('show')
    .description('Show an agent with its persona')
    .argument('<name>', 'Name')
    .action((name: string) =>
      run(async (context) => {
        const found = await (await context.open()).agents.show(name);
        context.printer.answer({ agent: found }, (data) => showAgent(data.agent));
        return EXIT.ok;
      }),
    );
  agent
    .command('check')
    .description('Check agent files and list every problem with a fix')
    .argument('[name]', 'Name; checks all agents if omitted')
    .action((name: string | undefined) =>
      run(async (context) => {
        const answer = await (await context.open()).agents.check(name);
        context.printer.answer(answer, showCheck);
        return answer.valid ? EXIT.ok : EXIT.invalidInput;
      }),
    );
}

function addNewCommand(agent: Command, run: Run): void {
  agent
    .command('new')
    .description('Create and validate an agent')
    .argument('<name>', 'Letters, digits, _ and -')
    .option(
      '--provider <provider>',
      'Use this provider: openai, anthropic, ollama, openai-compatible or scripted',
    )
    .option('--model <model>', 'Use this model, named as the provider names it')
    .option('--script <file>', 'Read answers from this file (provider scripted)')
    .option('--fallback <model>', 'Use this model when the first fails temporarily; repeatable', collect, [])
    .option('--temperature <number>', 'Set the temperature, 0 to 2', parseAmount)
    .option('--description <text>', 'Describe what the agent is for')
    .option('--persona <text>', 'Set the instructions for the agent')
    .option('--tools <patterns>', 'Allow these tools, such as "files.*"; repeatable', collect, [])
    .option('--budget <name=amount>', 'Set a limit, such as steps=50; repeatable', collect, [])
    .addOption(
      new Option('--context-role <role>', 'Set what it may do with context frames').choices([
        'reader',
        'writer',
        'synthesis',
      ]),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  oka agent new ada --provider ollama --model llama3.2 --tools "files.*,skills.read"\n  oka agent new eve --persona "You review code." --context-role writer --budget cost_usd=0.5',
    )
    .action((name: string, options: NewOptions) =>
      run(async (context) => {
        const created = await (await context.open()).agents.create(requestOf(name, options));
        context.printer.answer({ agent: created }, (data) => `wrote ${data.agent.path ?? ''}`);
        return EXIT.ok;
      }),
    );
}

function requestOf(name: string, options: NewOptions): NewAgentRequest {
  const { fallback, tools, budget, ...given } = options;
  const patterns = tools.flatMap((list) => list.split(/[\s,]+/)).filter((pattern) => pattern !== '');
  return {
    name,
    ...given,
    ...(fallback.length === 0 ? {} : { fallback }),
    ...(tools.length === 0 ? {} : { tools: patterns }),
    ...(budget.length === 0 ? {} : { budgets: parsePairs(budget, '--budget') }),
  };
}

function showModel({ provider, model, script }: AgentView): string {
  return provider === undefined ? 'the default' : [provider, model ?? script ?? ''].filter(Boolean).join('/');
}

function showAgents(agents: readonly AgentView[]): string {
  const rows = agents.map((agent) => [
    visible(agent.name),
    clip(showModel(agent), 40),
    agent.contextRole ?? '',
    agent.path ?? 'built in',
    agent.valid ? clip(agent.description ?? '', 80) : 'invalid; run: oka agent check',
  ]);
  return table(['agent', 'model', 'role', 'file', 'description'], rows);
}

function showAgent(agent: AgentDetails): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['file', agent.path ?? 'built in'],
    ['about', agent.description],
    ['model', showModel(agent)],
    ['fallback', agent.fallback?.join(', ')],
    ['temperature', agent.temperature?.toString()],
    ['role', agent.contextRole],
    ['tools', agent.tools === undefined ? 'all that policy allows' : agent.tools.join(', ')],
    [
      'budgets',
      agent.budgets &&
        Object.entries(agent.budgets)
          .map(([name, amount]) => `${name}=${amount}`)
          .join(', '),
    ],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  return [
    visible(agent.name),
    ...known.map(([name, value]) => `  ${name.padEnd(width)}  ${visible(value ?? '')}`),
    ...agent.problems.map((problem) => `  ${showProblem(agent.path ?? agent.name, problem)}`),
    '',
    visible(agent.persona),
  ].join('\n');
}

function showCheck({ agents }: AgentCheckAnswer): string {
  return agents
    .flatMap(({ name, path = `${name} (built in)`, valid, problems }) =>
      valid ? [`✓ ${visible(path)}`] : problems.map((problem) => showProblem(path, problem)),
    )
    .join('\n');
}

function showProblem(path: string, { code, message, next }: AgentProblemView): string {
  return `✗ ${visible(path)}: ${visible(message)}. ${visible(next)} (${code})`;
}
