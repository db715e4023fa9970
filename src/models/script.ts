import { RE2JS } from 're2js';
import * as z from 'zod';
import type { Json } from '../kernel/index.ts';
import { modelError } from './model-error.ts';
import { describeIssues } from './parse-structured.ts';

const ERRORS = [
  'not_configured',
  'request_failed',
  'rate_limited',
  'context_exceeded',
  'refused',
  'malformed',
  'stream_cut',
  'timed_out',
  'answer_too_large',
  'silent',
  'unreachable',
] as const;

const ROLES = ['planner', 'executor', 'critic', 'builder'] as const;

const FLAGS: ReadonlyMap<string, number> = new Map([
  ['i', RE2JS.CASE_INSENSITIVE],
  ['m', RE2JS.MULTILINE],
  ['s', RE2JS.DOTALL],
]);
const PATTERN = /^\/([\s\S]+)\/([a-z]*)$/;

const toolCall = z.strictObject({
  tool: z.string().min(1),
  input: z.custom<Json>((value) => value !== undefined, { error: 'an input is needed' }),
});

const turn = z
  .strictObject({
    when: z.string().min(1).optional(),
    agent: z.string().min(1).optional(),
    role: z.enum(ROLES).optional(),
    text: z.string().optional(),
    json: z.custom<Json>().optional(),
    tool_calls: z.array(toolCall).min(1).optional(),
    finish: z.string().min(1).optional(),
    error: z.enum(ERRORS).optional(),
    delay_ms: z.int().min(0).optional(),
    once: z.boolean().optional(),
  })
  .superRefine((value, context) => {
    for (const message of problemsOf(value)) context.addIssue({ code: 'custom', message });
  });

const script = z.strictObject({ turns: z.array(turn) });

/** One answer of a scripted model and its condition. */
export type ScriptTurn = z.output<typeof turn>;
/** See docs/formats/scripted-model.md. */
export type Script = z.output<typeof script>;

/** Validates a script; `models.script_invalid` lists every problem with its path. */
export function parseScript(source: unknown): Script {
  const result = script.safeParse(source);
  if (result.success) return result.data;
  const problems = describeIssues(result.error);
  throw modelError(
    'models.script_invalid',
    `Invalid script of the scripted model: ${problems.join('; ')}. See docs/formats/scripted-model.md.`,
    { data: { problems } },
  );
}

/** Compiles a `when`: a literal text, or a pattern between slashes, matched in linear time. */
export function compileWhen(when: string): (message: string) => boolean {
  const [, source, flags] = PATTERN.exec(when) ?? [];
  if (source === undefined) return (message) => message.includes(when);
  const pattern = RE2JS.compile(source, flagsOf(flags ?? ''));
  return (message) => pattern.matcher(message).find();
}

function flagsOf(letters: string): number {
  return [...letters].reduce((sum, letter) => {
    const flag = FLAGS.get(letter);
    if (flag === undefined) throw new Error(`the flag "${letter}" is not known; use i, m or s`);
    return sum | flag;
  }, 0);
}

function problemsOf({ when, text, json, tool_calls, finish, error }: z.output<typeof turn>): string[] {
  const problems: string[] = [];
  const answers = text !== undefined || json !== undefined || tool_calls !== undefined;
  if (!answers && error === undefined) problems.push('a turn gives text, json, tool_calls or error');
  if (text !== undefined && json !== undefined) problems.push('a turn gives text or json, not both');
  if (error !== undefined && (json ?? tool_calls ?? finish) !== undefined)
    problems.push('a turn with an error gives neither json nor tool_calls nor finish');
  if (error !== undefined && error !== 'stream_cut' && text !== undefined)
    problems.push('only stream_cut gives text before its error');
  const fault = when === undefined ? undefined : faultOf(when);
  if (fault !== undefined) problems.push(`"when" is not a valid pattern: ${fault}`);
  return problems;
}

function faultOf(when: string): string | undefined {
  try {
    compileWhen(when);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
