// Owns: the way of every procedure that looks, and then tells what it found.
// I1 Each decision follows from the goal and the evidence alone.
// I2 Only the note and what `effect` asks for change anything, and only in `act`.
// I3 A run completes only when every check of its report holds.

import type { CallTool, Decision, Evidence, PlanInput } from '../../engine/index.ts';
import { isLargeOutput } from '../../engine/index.ts';
import { asObject, type Digest, digestOf, type JsonObject } from '../../kernel/index.ts';
import type { Goal } from '../../language/index.ts';
import { changedInput } from '../changed-input.ts';
import { callsOf, fail, failWith, goTo } from '../findings.ts';
import { readBack } from '../plan-with-tool.ts';
import type { Procedure } from '../types.ts';
import { type Report, shortReport, writeReport } from './report.ts';

/** What every such procedure knows from its goal. */
export interface ReportParameters {
  /** The file that the report goes to; without one it is the output. */
  readonly note?: string;
  /** Looked at instead of the workspace, if there is such a folder. */
  readonly perhaps?: string;
}

export interface ReportProcedure<Parameters extends ReportParameters>
  extends Pick<Procedure, 'name' | 'description' | 'example' | 'triggers' | 'tools'> {
  /** Reads a goal; undefined when it is about something else, or says more than the procedure can do. */
  understand(goal: Goal): { readonly said: string; readonly parameters: Parameters } | undefined;
  /** The next step of looking; undefined when enough is known. */
  look(input: PlanInput, parameters: Parameters): Decision | undefined;
  /** The next step that changes something before the report can be made. */
  effect?(input: PlanInput, parameters: Parameters): Decision | undefined;
  /** The next step of looking at what was changed. */
  verify?(input: PlanInput, parameters: Parameters): Decision | undefined;
  report(input: PlanInput, parameters: Parameters): Report;
}

/** A procedure that looks, tells, and writes a note where the goal names one. */
export function reportProcedure<Parameters extends ReportParameters>(
  spec: ReportProcedure<Parameters>,
): Procedure {
  const { name, description, example, triggers, tools } = spec;
  return {
    name,
    description,
    example,
    triggers,
    tools: [...tools, 'files.write'],
    called: (goal) => spec.understand(goal)?.said,
    parameters: (goal) => spec.understand(goal)?.parameters as JsonObject | undefined,
    plan: (input, parameters) =>
      withWholeOutputs(input, (whole) => {
        const settled = settlePlace(whole, parameters);
        return plan(settled.input, settled.parameters as unknown as Parameters, spec);
      }),
  };
}

/**
 * What only may be a place is taken for one until looking there has shown that there is none; then it was a word like any
 * other, and what was tried there does not count.
 */
function settlePlace(
  input: PlanInput,
  { perhaps, ...parameters }: JsonObject,
): { readonly input: PlanInput; readonly parameters: JsonObject } {
  if (typeof perhaps !== 'string') return { input, parameters };
  const isMiss = ({ failure, input: asked }: Evidence): boolean =>
    failure?.code === 'files.not_found' && asObject(asked)['path'] === perhaps;
  if (input.evidence.some(isMiss))
    return {
      input: changedInput(input, { evidence: input.evidence.filter((one) => !isMiss(one)) }),
      parameters,
    };
  const key = 'place' in parameters ? 'place' : 'folder';
  return { input, parameters: { ...parameters, [key]: perhaps } };
}

/** A step that calls a tool. */
export function call(tool: string, input: JsonObject, rationale: string): CallTool {
  return { kind: 'call_tool', tool, input, rationale };
}

function plan<Parameters extends ReportParameters>(
  input: PlanInput,
  parameters: Parameters,
  spec: ReportProcedure<Parameters>,
): Decision {
  const { note } = parameters;
  switch (input.state) {
    case 'explore':
      return spec.look(input, parameters) ?? goTo('decide', `enough is known for ${spec.name}`);
    case 'decide':
      if (note !== undefined || spec.effect !== undefined)
        return goTo(
          'act',
          note === undefined ? 'what is needed is known' : `${note} can be written, and undone`,
        );
      return finish(spec.report(input, parameters), undefined);
    case 'act':
      return spec.effect?.(input, parameters) ?? write(input, note, () => spec.report(input, parameters));
    default:
      return spec.verify?.(input, parameters) ?? validate(input, note, spec.report(input, parameters));
  }
}

function write(input: PlanInput, note: string | undefined, report: () => Report): Decision {
  if (note === undefined) return goTo('validate', 'what was to be done is done, and no note was asked for');
  const last = callsOf(input, 'files.write').at(-1);
  if (last?.failure) return failWith(last);
  const content = writeReport(report());
  return {
    ...call('files.write', { path: note, content }, `everything for ${note} has been gathered`),
    then: 'validate',
  };
}

function validate(input: PlanInput, note: string | undefined, report: Report): Decision {
  if (note === undefined) return finish(report, undefined);
  const content = writeReport(report);
  return readBack(input, note, digestOf(content)) ?? finish(report, { note, content });
}

function finish(report: Report, written: { note: string; content: string } | undefined): Decision {
  const checks = [
    ...report.checks,
    ...(written
      ? [{ check: `${written.note} holds the report, as reading it back has shown`, holds: true }]
      : []),
  ];
  const broken = checks.find(({ holds }) => !holds);
  if (broken) {
    const reason = `it does not hold that ${broken.check}; look at the run's steps, and try again.`;
    return fail('agent.not_validated', reason, 'a check of the result does not hold');
  }
  const told = written
    ? {
        note: written.note,
        bytes: new TextEncoder().encode(written.content).length,
        digest: digestOf(written.content),
      }
    : { report: shortReport(report) };
  return {
    kind: 'finish',
    output: { ...report.facts, ...told, leftOut: report.leftOut, checks: checks.map(({ check }) => check) },
    rationale: `every check holds: ${checks.map(({ check }) => check).join('; ')}`,
  };
}

/** Plans with the outputs that were too large for the record in their places. */
function withWholeOutputs(
  input: PlanInput,
  decide: (input: PlanInput) => Decision,
): Decision | Promise<Decision> {
  const isLarge = ({ source, output }: Evidence): boolean =>
    source === 'tool' && output !== undefined && isLargeOutput(output);
  if (!input.evidence.some(isLarge)) return decide(input);
  const loading = input.evidence.map(async (evidence) =>
    isLarge(evidence)
      ? { ...evidence, output: await input.whole(asObject(evidence.output)['artifact'] as Digest) }
      : evidence,
  );
  return Promise.all(loading).then((evidence) => decide(changedInput(input, { evidence })));
}
