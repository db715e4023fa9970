// Owns: the course of every procedure that inspects files and reports its result.
// I1 Each decision follows from the goal and the evidence alone.
// I2 Only the note and what `effect` asks for change anything, and only in `act`.
// I3 A run completes only when every check of its report holds.

import type { CallTool, Decision, Evidence, PlanInput } from '../../engine/index.ts';
import { isLargeOutput } from '../../engine/index.ts';
import { asObject, type Digest, type JsonObject } from '../../kernel/index.ts';
import type { Goal } from '../../language/index.ts';
import { call, changedInput, fail, failWith, goTo } from '../findings.ts';
import { readBack } from '../plan-with-tool.ts';
import type { Procedure } from '../types.ts';
import type { Vocabulary } from './read-task.ts';
import { suggestFile } from './suggest-file.ts';

const MAX_SHORT_LENGTH = 12_000;

/** The result of a procedure. Lines are Markdown. */
export interface Report {
  readonly title: string;
  /** The answer in one sentence. */
  readonly answer: string;
  readonly sections: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** The answer for programs; must be small. */
  readonly facts: JsonObject;
  /** The parts that were not inspected, and why. */
  readonly leftOut: readonly string[];
  /** Conditions that must hold at the end. */
  readonly checks: readonly { readonly check: string; readonly holds: boolean }[];
}

/** The parameters of every such procedure. */
export interface ReportParameters {
  /** The file for the report; without one the report is the output. */
  readonly note?: string | undefined;
  /** Replaces the workspace, if there is such a folder. */
  readonly perhaps?: string | undefined;
}

export interface ReportProcedure<Parameters extends ReportParameters>
  extends Pick<Procedure, 'name' | 'description' | 'example' | 'triggers' | 'tools'> {
  /** The words of its goals; a typo in one of them is corrected. */
  readonly vocabulary?: Pick<Vocabulary, 'needs' | 'also'>;
  /** Reads a goal; undefined when it is about something else, or says more than the procedure can do. */
  understand(goal: Goal): { readonly said: string; readonly parameters: Parameters } | undefined;
  /** The next read; undefined when everything is known. */
  look(input: PlanInput, parameters: Parameters): Decision | undefined;
  /** The next change before the report. */
  effect?(input: PlanInput, parameters: Parameters): Decision | undefined;
  /** The next read that verifies the changes. */
  verify?(input: PlanInput, parameters: Parameters): Decision | undefined;
  report(input: PlanInput, parameters: Parameters): Report;
  /** The content of the note if it is not the report; undefined when there is nothing to write. */
  content?(input: PlanInput, parameters: Parameters, path: string): string | undefined;
}

/** A procedure that inspects, reports, and writes a note if the goal names one. */
export function reportProcedure<Parameters extends ReportParameters>(
  spec: ReportProcedure<Parameters>,
): Procedure {
  const { name, description, example, triggers, tools, vocabulary } = spec;
  return {
    name,
    description,
    example,
    triggers,
    ...(vocabulary && { words: [...vocabulary.needs, vocabulary.also].join(' ') }),
    tools: [...tools, 'procedures.write'],
    called: (goal) => spec.understand(goal)?.said,
    parameters: (goal) => spec.understand(goal)?.parameters as JsonObject | undefined,
    plan: (input, parameters) =>
      withWholeOutputs(input, (whole) => {
        const settled = settlePlace(whole, parameters);
        const known = settled.parameters as unknown as Parameters;
        return suggestFile(whole, plan(settled.input, known, { ...spec, given: parameters }));
      }),
    result(evidence, parameters, path) {
      const settled = settlePlace(seeing(evidence), parameters);
      const known = settled.parameters as unknown as Parameters;
      return spec.content?.(settled.input, known, path) ?? writeReport(spec.report(settled.input, known));
    },
  };
}

/** A possible place counts as one until a read finds no such folder; then that read is ignored. */
function settlePlace(
  input: PlanInput,
  { perhaps, ...parameters }: JsonObject,
): { readonly input: PlanInput; readonly parameters: JsonObject } {
  if (typeof perhaps !== 'string') return { input, parameters };
  const isMiss = ({ failure, input: asked }: Evidence): boolean =>
    failure?.code === 'files.not_found' && asObject(asked)['path'] === perhaps;
  if (input.evidence.some(isMiss)) {
    const evidence = input.evidence.filter((one) => !isMiss(one));
    return { input: changedInput(input, { evidence }), parameters };
  }
  const key = 'place' in parameters ? 'place' : 'folder';
  return { input, parameters: { ...parameters, [key]: perhaps } };
}

function plan<Parameters extends ReportParameters>(
  input: PlanInput,
  parameters: Parameters,
  spec: ReportProcedure<Parameters> & { readonly given: JsonObject },
): Decision {
  const { note: named } = parameters;
  const isEmpty =
    input.state !== 'explore' &&
    spec.content !== undefined &&
    (named === undefined || spec.content(input, parameters, named) === undefined);
  const note = isEmpty ? undefined : named;
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
      return spec.effect?.(input, parameters) ?? write(input, note, spec);
    default: {
      const next = spec.verify?.(input, parameters);
      if (next !== undefined) return next;
      const report = spec.report(input, parameters);
      if (note === undefined) return finish(report, undefined);
      const { digest, bytes } = asObject(resultWrites(input).at(-1)?.output);
      const written = {
        note,
        digest: String(digest),
        bytes: Number(bytes),
        isReport: spec.content === undefined,
      };
      return readBack(input, note, written.digest) ?? finish(report, written);
    }
  }
}

function write(
  input: PlanInput,
  note: string | undefined,
  { name, given }: { readonly name: string; readonly given: JsonObject },
): Decision {
  if (note === undefined) return goTo('validate', 'what was to be done is done, and no note was asked for');
  const last = resultWrites(input).at(-1);
  if (last?.failure) return failWith(last);
  return {
    ...writeResult(note, { procedure: name, parameters: given }, `everything for ${note} has been gathered`),
    then: 'validate',
  };
}

/** An input with evidence only: reports and contents read nothing else. */
export function seeing(evidence: readonly Evidence[]): PlanInput {
  return { evidence } as PlanInput;
}

/** The writes of results so far. Older runs wrote them with `files.write`. */
export function resultWrites(input: PlanInput): Evidence[] {
  return input.evidence.filter(({ tool }) => tool === 'procedures.write' || tool === 'files.write');
}

/** The call that writes what a procedure results in. */
export function writeResult(
  path: string,
  result: { readonly procedure: string; readonly parameters: JsonObject },
  rationale: string,
): CallTool {
  const parameters = JSON.parse(JSON.stringify(result.parameters)) as JsonObject;
  return call('procedures.write', { path, procedure: result.procedure, parameters }, rationale);
}

interface Written {
  readonly note: string;
  readonly digest: string;
  readonly bytes: number;
  readonly isReport: boolean;
}

function finish(report: Report, written: Written | undefined): Decision {
  const checks = [
    ...report.checks,
    ...(written
      ? [
          {
            check: `${written.note} holds the ${written.isReport ? 'report' : 'result'}, as reading it back has shown`,
            holds: true,
          },
        ]
      : []),
  ];
  const broken = checks.find(({ holds }) => !holds);
  if (broken) {
    const reason = `it does not hold that ${broken.check}; look at the run's steps, and try again.`;
    return fail('agent.not_validated', reason, 'a check of the result does not hold');
  }
  const output = written
    ? {
        note: written.note,
        bytes: written.bytes,
        digest: written.digest,
        ...(written.isReport ? {} : { report: shortReport(report) }),
      }
    : { report: shortReport(report) };
  return {
    kind: 'finish',
    output: { ...report.facts, ...output, leftOut: report.leftOut, checks: checks.map(({ check }) => check) },
    outcome:
      report.leftOut.length > 0
        ? { is: 'partial', because: report.leftOut }
        : { is: 'checked', because: checks.map(({ check }) => check) },
    rationale: `every check holds: ${checks.map(({ check }) => check).join('; ')}`,
  };
}

/** Plans with the outputs that were too large for the record loaded. */
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

/** The report as a Markdown document. The same report gives the same bytes. */
export function writeReport({ title, answer, sections, leftOut }: Report): string {
  const blocks = [
    `# ${title}`,
    answer,
    ...sections
      .filter(({ lines }) => lines.length > 0)
      .map((section) => `## ${section.title}\n\n${section.lines.join('\n')}`),
    ...(leftOut.length > 0 ? [`## Left out\n\n${leftOut.map((line) => `- ${line}`).join('\n')}`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The report, cut to fit the record of a run. */
function shortReport(report: Report): string {
  const text = writeReport(report);
  if (text.length <= MAX_SHORT_LENGTH) return text;
  const lines = text.split('\n');
  let length = 0;
  const shown = lines.findIndex((line) => {
    length += line.length + 1;
    return length > MAX_SHORT_LENGTH;
  });
  const rest = lines.length - shown;
  return `${lines.slice(0, shown).join('\n')}\n\n(${rest} more lines; name a note for the whole, as in "… into report.md")\n`;
}
