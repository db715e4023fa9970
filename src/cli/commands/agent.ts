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
import { startHost, stayWithHost, stopHost } from '../host-process.ts';
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
    .description('who works here: the agents, each a file in .oka/agents')
    .addHelpText(
      'after',
      '\nExamples:\n  oka agent list\n  oka agent new ada --provider anthropic --model <model> --persona "You review code." --tools "files.*"\n  oka agent show ada\n  oka agent check\n  oka agent run ada --detach',
    );
  lookAtAgents(agent, run);
  newAgent(agent, run);
  hostAgents(agent, run);
}

/** Agents answer in the daemon, or each in a process of its own. */
function hostAgents(agent: Command, run: Run): void {
  agent
    .command('run')
    .description('answer for an agent in a process of its own, until it is stopped')
    .argument('<name>', 'its name')
    .option('--detach', 'in the background')
    .addHelpText(
      'after',
      '\nExamples:\n  oka agent run ada\n  oka agent run ada --detach\n  oka agent stop ada',
    )
    .action((name: string, options: { detach?: boolean }) =>
      run(async (context) => {
        await (await context.open()).agents.show(name);
        if (!options.detach) {
          await stayWithHost(context, name);
          return EXIT.ok;
        }
        const answer = await startHost(context, name);
        context.printer.answer(answer, ({ pid, already }) =>
          already ? `process ${pid} answers for ${name} already` : `process ${pid} answers for ${name}`,
        );
        return EXIT.ok;
      }),
    );
  agent
    .command('stop')
    .description('stop the process of an agent; what it was answering goes on elsewhere')
    .argument('<name>', 'its name')
    .action((name: string) =>
      run(async (context) => {
        const answer = await stopHost(context, name);
        if (answer.pid === undefined) await (await context.open()).agents.show(name);
        context.printer.answer(answer, ({ stopped, pid }) =>
          showStopped(`the host of ${name}`, stopped, pid),
        );
        return answer.stopped || answer.pid === undefined ? EXIT.ok : EXIT.failed;
      }),
    );
}

function lookAtAgents(agent: Command, run: Run): void {
  agent
    .command('list')
    .description('the agents of this workspace')
    .action(() =>
      run(async (context) => {
        const agents = await (await context.open()).agents.list();
        context.printer.answer({ agents }, (data) => showAgents(data.agents));
        return EXIT.ok;
      }),
    );
  agent
    .command('show')
    .description('one agent, with its persona')
    .argument('<name>', 'its name')
    .action((name: string) =>
      run(async (context) => {
        const found = await (await context.open()).agents.show(name);
        context.printer.answer({ agent: found }, (data) => showAgent(data.agent));
        return EXIT.ok;
      }),
    );
  agent
    .command('check')
    .description('what is wrong with agents; every problem at once, with a way out')
    .argument('[name]', 'its name; all of them if left out')
    .action((name: string | undefined) =>
      run(async (context) => {
        const answer = await (await context.open()).agents.check(name);
        context.printer.answer(answer, showCheck);
        return answer.valid ? EXIT.ok : EXIT.invalidInput;
      }),
    );
}

function newAgent(agent: Command, run: Run): void {
  agent
    .command('new')
    .description('write the file of a new agent, after checking all that it names')
    .argument('<name>', 'letters, digits, _ and -')
    .option('--provider <provider>', 'openai, anthropic, ollama, openai-compatible or scripted')
    .option('--model <model>', 'the model to ask, as its provider names it')
    .option('--script <file>', 'for the provider scripted: what it answers')
    .option('--fallback <model>', 'asked when the model fails for now; may be given again', collect, [])
    .option('--temperature <number>', 'from 0 to 2', parseAmount)
    .option('--description <text>', 'what it is for')
    .option('--persona <text>', 'who it is and how it works')
    .option(
      '--tools <patterns>',
      'the tools it may ask for, as in "files.*"; may be given again',
      collect,
      [],
    )
    .option('--budget <name=amount>', 'cap something, as in steps=50; may be given again', collect, [])
    .addOption(
      new Option('--context-role <role>', 'what it may do to context').choices([
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
    agent.valid ? clip(agent.description ?? '', 80) : 'something is wrong; see: oka agent check',
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
  const told = facts.filter(([, value]) => value !== undefined);
  const width = Math.max(...told.map(([name]) => name.length));
  return [
    visible(agent.name),
    ...told.map(([name, value]) => `  ${name.padEnd(width)}  ${visible(value ?? '')}`),
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
