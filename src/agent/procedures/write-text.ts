import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject, type JsonObject } from '../../kernel/index.ts';
import { answerTo, ask, call, callFor, callsOf, fail, failWith } from '../findings.ts';
import { readBack } from '../plan-with-tool.ts';
import type { Procedure } from '../types.ts';
import { code, sizeText } from './markdown-text.ts';
import {
  type Report,
  type ReportParameters,
  reportProcedure,
  resultWrites,
  writeResult,
} from './report-procedure.ts';
import { type TextToWrite, textInGoal } from './text-in-goal.ts';

type TextParameters = ReportParameters & TextToWrite;

const MAX_BYTES = 4 * 1_024 * 1_024;
const YES_OR_NO = ['yes', 'no'] as const;

/** Writes a text that the goal gives into a file, or adds it at the end. */
export const writeText: Procedure = reportProcedure<TextParameters>({
  name: 'write-text',
  description: 'Creates a file with a given text, or adds a line at the end of a file.',
  example: 'add the line "buy paint" to notes.txt',
  triggers: ['create file with text', 'append to', 'add line to'],
  tools: ['files.read'],
  understand(goal) {
    const text = textInGoal(goal);
    return text && { said: goal.verb ?? '', parameters: text };
  },
  look,
  effect: write,
  verify: (input, { file }) => readBack(input, file, String(writtenIn(input)['digest'])),
  report,
  content: contentOf,
});

function look(input: PlanInput, parameters: TextParameters): Decision | undefined {
  const { file, text, how, certain } = parameters;
  if (!certain) {
    const verb = how === 'append' ? 'add the line' : 'write the text';
    const unsure = confirm(input, `Shall Oka ${verb} "${text}" ${how === 'append' ? 'to' : 'into'} ${file}?`);
    if (unsure) return unsure;
  }
  if (how === 'replace') return undefined;
  const read = callFor(input, 'files.read', file);
  if (read === undefined)
    return call('files.read', { path: file, max_bytes: MAX_BYTES }, `${file} may already have a content`);
  if (read.failure?.code === 'files.not_found') return undefined;
  if (read.failure) return failWith(read);
  const { truncated, content } = asObject(read.output);
  if (how === 'append')
    return truncated === true
      ? fail(
          'agent.output_too_large',
          `${file} is larger than ${sizeText(MAX_BYTES)}; nothing was added.`,
          'it is too large',
        )
      : undefined;
  if (text === '')
    return fail(
      'agent.not_confirmed',
      `${file} already exists; nothing was changed.`,
      'an empty file would replace it',
    );
  return content === text
    ? undefined
    : confirm(input, `${file} already exists. Shall its content be replaced?`);
}

function confirm(input: PlanInput, question: string): Decision | undefined {
  const answer = answerTo(input, question);
  if (answer === undefined) return ask(question, 'the goal leaves it open', YES_OR_NO);
  if (answer === 'yes') return undefined;
  return fail('agent.not_confirmed', 'It was not confirmed; nothing was written.', 'a person said no');
}

/** The content of the file afterwards. */
function contentOf(input: PlanInput, { file, text, how }: TextParameters): string {
  if (how !== 'append') return text;
  const before = contentBefore(input, file);
  return `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${text}\n`;
}

function contentBefore(input: PlanInput, file: string): string {
  const read = callsOf(input, 'files.read').find(
    (one) => one.state === 'explore' && asObject(one.input)['path'] === file,
  );
  return String(asObject(read?.output)['content'] ?? '');
}

function write(input: PlanInput, parameters: TextParameters): Decision | undefined {
  const last = resultWrites(input).at(-1);
  if (last?.failure) return failWith(last);
  if (last) return undefined;
  const { file } = parameters;
  return writeResult(
    file,
    { procedure: 'write-text', parameters: { ...parameters } as unknown as JsonObject },
    `the goal says what ${file} shall hold`,
  );
}

function writtenIn(input: PlanInput): JsonObject {
  return asObject(resultWrites(input).at(-1)?.output);
}

function report(input: PlanInput, parameters: TextParameters): Report {
  const { file, text, how } = parameters;
  const { bytes = 0, digest } = writtenIn(input);
  const answer =
    how === 'append'
      ? `${code(file)} now ends with the line ${code(text)}.`
      : text === ''
        ? `${code(file)} is there now, and empty.`
        : `${code(file)} now holds the text ${code(text)}.`;
  return {
    title: file,
    answer,
    sections: [],
    facts: { path: file, bytes, ...(how === 'append' ? { added: text } : {}) },
    leftOut: [],
    checks: [
      {
        check: `${file} holds the text, as reading it back has shown`,
        holds: digest !== undefined,
      },
    ],
  };
}
