import type { Decision, PlanInput } from '../engine/index.ts';
import { goTo } from './findings.ts';
import { code } from './procedures/markdown-text.ts';
import type { Procedure } from './types.ts';

export const ABILITIES = 'list-abilities';

const ASKING: readonly RegExp[] = [
  /^(?:what|which (?:goals|things|tasks|procedures|commands))(?: all| else)? (?:can|could|do|are)(?: you| oka| i)(?: able to)?(?: do| ask| say| understand| know| for| you| me| here| without a model| with files)*$/,
  /^(?:help|help me|what now|\?)$/,
  /^how (?:can you help|do you work|do i use (?:you|oka|this)|does (?:this|oka) work)(?: me)?$/,
  /^(?:show|give|list|tell)(?: me)?(?: some| all| the| your| a few| what)*(?: examples?| abilities| capabilities| skills| procedures| you can do| you understand| you know)+(?: of goals?| of what you can do| you understand)?$/,
  /^(?:your )?(?:abilities|capabilities|examples)$/,
];
const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['Memory and reminders', /fact|remind|time|remember|recall|forget/],
  ['Tables and data', /data|table|column|row|convert|csv|json|figure|filter|sort/],
  ['Code and projects', /todo|test|git|brief|link|code|changed|commit/],
  ['Text', /text|match|merge|replace|extract/],
  ['Files and folders', /./],
];
/** What tools do without a procedure. */
const TOOL_EXAMPLES = ['read README.md', 'search for "invoice" in notes', 'fetch https://example.com'];

/** Whether a goal asks what Oka can do. */
export function asksForAbilities(goal: string): boolean {
  const said = goal
    .toLowerCase()
    .replaceAll(/[.!,;:]/g, ' ')
    .replaceAll(/\b(?:please|hi|hello|hey|oka,|anton|actually|exactly|so|thanks)\b/g, ' ')
    .replace(/(?!^)\?+\s*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return ASKING.some((pattern) => pattern.test(said));
}

/** Answers with every procedure and an example for each, in groups. */
export function planAbilities({ state }: PlanInput, procedures: readonly Procedure[]): Decision {
  if (state === 'intake') return goTo('explore', 'the goal asks what Oka can do');
  if (state === 'explore') return goTo('decide', 'the list of procedures is known');
  const grouped = GROUPS.map(([title]) => ({
    title,
    members: procedures.filter(({ name }) => groupOf(name) === title),
  })).filter(({ members }) => members.length > 0);
  const lines = grouped.flatMap(({ title, members }) => [
    `## ${title}`,
    '',
    ...members.map(({ example, description }) => `- ${code(example)}: ${lowerFirst(description)}`),
    '',
  ]);
  const report = [
    '# What Oka can do',
    '',
    `Without a model Oka does ${procedures.length} kinds of work. Say it in your own words, for example:`,
    '',
    ...lines,
    '## Single steps',
    '',
    ...TOOL_EXAMPLES.map((example) => `- ${code(example)}`),
    '',
    'Join several goals with "and" or "then". Put texts in quotes. Preview with `--simulate`; take back with `oka runs undo`.',
    'For everything else add a model: `oka model add`.',
    '',
  ].join('\n');
  const abilities = procedures.map(({ name, example }) => ({ name, group: groupOf(name), example }));
  return {
    kind: 'finish',
    output: { report, abilities, leftOut: [], checks: ['every procedure is listed'] },
    rationale: 'every procedure is listed with an example',
  };
}

function groupOf(name: string): string {
  return GROUPS.find(([, pattern]) => pattern.test(name))?.[0] ?? '';
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
