import type { Command } from 'commander';
import type {
  AgentCheckAnswer,
  AgentDetails,
  AgentProblemView,
  AgentView,
  NewAgentRequest,
} from '../../api/index.ts';
import { choice, collect, parseAmount, parsePairs } from '../context.ts';
import { exitOfCheck } from '../exit-codes.ts';
import { pathArgument } from '../find-workspace.ts';
import { clip, showFacts, table } from '../format.ts';
import { runHostInForeground, startHost, stopHost } from '../host-process.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';
import { exitOfStop, showStarted, showStopped } from './daemon.ts';

type NewOptions = Omit<NewAgentRequest, 'name' | 'fallback' | 'tools' | 'budgets'> &
  Readonly<Record<'fallback' | 'tools' | 'budget', readonly string[]>>;

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
        if (options.detach)
          context.printer.answer(await startHost(context, name), (started) => showStarted(name, started));
        else await runHostInForeground(context, { agent: name });
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
        return exitOfStop(answer);
      }),
    );
}

function addReadCommands(agent: Command, run: Run): void {
  agent
    .command('list')
    .description('List agents and their own processes')
    .action(() => answerWith(run, async (api) => ({ agents: await api.agents.list() }), showAgents));
  agent
    .command('show')
    .description('Show an agent with its persona')
    .argument('<name>', 'Name')
    .action((name: string) =>
      answerWith(run, async (api) => ({ agent: await api.agents.show(name) }), showAgent),
    );
  agent
    .command('check')
    .description('Check agent files and list every problem with a fix')
    .argument('[name]', 'Name; checks all agents if omitted')
    .action((name: string | undefined) =>
      answerWith(run, (api) => api.agents.check(name), showCheck, exitOfCheck),
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
    .option('--model <model>', 'Use this model of the provider; without --provider, a configured model')
    .option('--script <file>', 'Read answers from this file (provider scripted)', pathArgument)
    .option('--fallback <model>', 'Use this model when the first fails temporarily; repeatable', collect, [])
    .option('--temperature <number>', 'Set the temperature, 0 to 2', parseAmount)
    .option('--top-p <number>', 'Set nucleus sampling, 0 to 1', parseAmount)
    .option('--description <text>', 'Describe what the agent is for')
    .option('--persona <text>', 'Set the instructions for the agent')
    .option('--tools <patterns>', 'Allow these tools, such as "files.*"; repeatable', collect, [])
    .option('--budget <name=amount>', 'Set a limit, such as steps=50; repeatable', collect, [])
    .addOption(
      choice(
        '--context-role <role>',
        'Set what it may do with context frames',
        'reader',
        'writer',
        'synthesis',
      ),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  oka agent new ada --provider ollama --model llama3.2 --tools "files.*,skills.read"\n  oka agent new eve --persona "You review code." --context-role writer --budget cost_usd=0.5',
    )
    .action((name: string, options: NewOptions) =>
      answerWith(
        run,
        async (api) => ({ agent: await api.agents.create(requestOf(name, options)) }),
        (data) => `wrote ${data.agent.path ?? ''}`,
      ),
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
  const own = [provider, model ?? script].filter((part) => part !== undefined);
  return own.length === 0 ? 'the default' : own.join('/');
}

function showAgents({ agents }: { readonly agents: readonly AgentView[] }): string {
  const rows = agents.map((agent) => [
    visible(agent.name),
    clip(showModel(agent), 40),
    agent.contextRole ?? '',
    agent.path ?? 'built in',
    agent.process === undefined ? '' : `process ${agent.process.pid}`,
    agent.valid ? clip(agent.description ?? '', 80) : 'invalid; run: oka agent check',
  ]);
  return table(['agent', 'model', 'role', 'file', 'runs in', 'description'], rows);
}

function showAgent({ agent }: { readonly agent: AgentDetails }): string {
  const budgets = agent.budgets && Object.entries(agent.budgets).map(([name, amount]) => `${name}=${amount}`);
  return [
    visible(agent.name),
    ...showFacts([
      ['file', agent.path ?? 'built in'],
      ['about', agent.description],
      ['model', showModel(agent)],
      ['fallback', agent.fallback?.join(', ')],
      ['temperature', agent.temperature?.toString()],
      ['top_p', agent.topP?.toString()],
      ['role', agent.contextRole],
      ['tools', agent.tools === undefined ? 'all that policy allows' : agent.tools.join(', ')],
      ['budgets', budgets?.join(', ')],
    ]),
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
