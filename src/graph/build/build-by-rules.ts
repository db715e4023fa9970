import { OkaError } from '../../kernel/index.ts';
import { readTokens, splitSteps, ToolChooser, textOf } from '../../language/index.ts';
import type { Diagnostic, GraphDefinition } from '../types.ts';
import { Drafting, type Problem } from './drafting.ts';
import { readSchedule } from './read-schedule.ts';
import { slug } from './slug.ts';
import type { BuildErrorCode, BuildOptions, BuiltGraph } from './types.ts';

const MAX_NAME_LENGTH = 80;
const MAX_INTENT_LENGTH = 4_000;
const OWN_VERBS = new Set(['wait', 'pause', 'sleep', 'ask', 'remember', 'recall', 'confirm']);

/** Builds a graph without a model: the same intent and tools give the same graph. Refuses steps that it cannot place. */
export function buildByRules(intent: string, { tools, compile }: BuildOptions): BuiltGraph {
  if (intent.length > MAX_INTENT_LENGTH) throw cannotPlace([tooLong(intent)]);
  const { rest, schedule, unclear } = readSchedule(intent);
  const chooser = new ToolChooser(tools);
  const isVerb = (word: string): boolean => OWN_VERBS.has(word.toLowerCase()) || chooser.isVerb(word);
  const steps = splitSteps(rest, isVerb);
  const drafting = new Drafting(chooser);
  const nodes = drafting.draft(steps);
  const problems = [...drafting.problems];
  if (unclear !== undefined)
    problems.push({
      step: unclear,
      problem: 'it is not a regular time',
      help: 'say it as in "every 2 hours" or "every weekday at 9:30"',
    });
  if (steps.length === 0)
    problems.push({
      step: intent,
      problem: 'it contains no step',
      help: 'say what to do, such as "read notes.md"',
    });
  if (problems.length > 0) throw cannotPlace(problems);
  const definition: GraphDefinition = {
    id: slug(textOf(readTokens(rest)), 48) || 'graph',
    name: nameOf(intent),
    version: 1,
    description: intent.trim(),
    start: 'start',
    execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 120, max_retries: 2 },
    nodes,
  };
  const { graph, diagnostics } = compile(definition);
  if (!graph) throw buildFailed('the graph of these steps does not compile', diagnostics);
  return {
    definition,
    by: 'rules',
    choices: drafting.choices,
    ...(schedule && { schedule }),
    warnings: diagnostics,
  };
}

/** The error of a failed build, with all diagnostics. */
export function buildFailed(what: string, diagnostics: readonly Diagnostic[]): OkaError<BuildErrorCode> {
  const found = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, path, message }) => `${path}: ${message} (${code})`);
  return new OkaError(
    'graph.build_failed',
    `${what}: ${found.join(' ')} Write the intent in smaller steps, or write the graph by hand.`,
    { data: { diagnostics } },
  );
}

function cannotPlace(problems: readonly Problem[]): OkaError<BuildErrorCode> {
  const lines = problems.map(({ step, problem, help }) => `"${step}": ${problem}; ${help}.`);
  return new OkaError('graph.cannot_place', `some steps cannot be placed. ${lines.join(' ')}`, {
    data: { problems },
  });
}

function tooLong(intent: string): Problem {
  return {
    step: `${intent.slice(0, MAX_NAME_LENGTH)}…`.toWellFormed(),
    problem: `it is ${intent.length} characters long`,
    help: `say it in at most ${MAX_INTENT_LENGTH}, or build several graphs`,
  };
}

function nameOf(intent: string): string {
  const line = intent.trim().replaceAll(/\s+/g, ' ');
  const name =
    line.length > MAX_NAME_LENGTH ? `${line.slice(0, MAX_NAME_LENGTH).trimEnd()}…`.toWellFormed() : line;
  return name.charAt(0).toUpperCase() + name.slice(1);
}
