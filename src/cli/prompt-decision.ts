// Owns: prompting for a decision on a request, and applying it. Nothing is chosen in advance but the harmless answer.
import {
  type ApprovalView,
  type Json,
  marked,
  type OkaApi,
  type RunAnswer,
  type RunListener,
  whyNotRemembered,
} from '../api/index.ts';
import { showApproval, showCard, showDenied, showFoot, showJson } from './approval-card.ts';
import { type Context, parseJsonArgument } from './context.ts';
import { visible } from './printer.ts';
import { KeyReader } from './read-key.ts';

/** How long a command waits for a timer before it leaves the run parked. */
export const PATIENCE_MS = 60_000;

const MAX_NUMBERED = 9;
const DEFAULT_COLUMNS = 80;
const SHOW_REST = { key: 'd', label: 'show the rest' };
const DETAILS = { key: 'd', label: 'details' };
const LATER = { key: 'l', label: 'later' };

/** A key of a card and what it does. */
interface CardKey {
  readonly key: string;
  readonly label: string;
}

export type Decision =
  | { readonly kind: 'answer'; readonly answer: string }
  | { readonly kind: 'allow'; readonly remember: boolean; readonly edit?: Json }
  | { readonly kind: 'deny' };

export interface PromptOptions {
  /** The card appears while the person does something else: Enter then means later. */
  readonly unasked: boolean;
}

/** Shows a request as a card and reads the decision. Undefined means later. */
export async function promptForDecision(
  context: Context,
  approval: ApprovalView,
  { unasked }: PromptOptions,
): Promise<Decision | undefined> {
  if (approval.kind === 'tool') return promptForCall(context, approval, unasked);
  const { options } = approval;
  return options !== undefined && options.length <= MAX_NUMBERED
    ? promptForOption(context, approval, options)
    : promptForText(context, approval, unasked);
}

async function promptForCall(
  context: Context,
  approval: ApprovalView,
  unasked: boolean,
): Promise<Decision | undefined> {
  let isShown = false;
  for (;;) {
    const keys = (isCut: boolean) => callKeys(approval, isShown || !isCut);
    const key = await readChoice(context, approval, keys, unasked ? 'l' : 'n');
    if (key === 'n') return { kind: 'deny' };
    if (key === 'y' || key === 'a') return { kind: 'allow', remember: key === 'a' };
    if (key === undefined || key === 'l') return undefined;
    if (key === 'd') {
      context.printer.output.write(`${showApproval(approval)}\n\n`);
      isShown = true;
    } else {
      const edit = await promptForEdit(context, approval);
      if (edit !== undefined) return { kind: 'allow', remember: false, edit };
    }
  }
}

/** What a person can do. A call is allowed only after all of it was shown. */
function callKeys(approval: ApprovalView, isShown: boolean): readonly CardKey[] {
  const no = { key: 'n', label: 'no' };
  const edit = { key: 'e', label: 'edit' };
  if (!isShown) return [SHOW_REST, no, edit, LATER];
  return [
    no,
    { key: 'y', label: 'yes, once' },
    ...(whyNotRemembered(approval) === undefined
      ? [{ key: 'a', label: 'allow exactly this for 30 days' }]
      : []),
    edit,
    DETAILS,
    LATER,
  ];
}

/** Shows the card and reads one of its keys; undefined if the person leaves. */
async function readChoice(
  context: Context,
  approval: ApprovalView,
  keysOf: (isCut: boolean) => readonly CardKey[],
  enter: string,
): Promise<string | undefined> {
  const { output, colors } = context.printer;
  const reader = new KeyReader();
  try {
    const columns = output.columns || DEFAULT_COLUMNS;
    const card = showCard(approval, { columns, colors });
    const keys = keysOf(card.isCut);
    const label = keys.find(({ key }) => key === enter)?.label ?? enter;
    const foot = [...keys.map((one) => `[${one.key}] ${one.label}`), `(Enter: ${label})`];
    output.write(`${card.body}\n`);
    await reader.discard();
    // The keys are shown when they count.
    output.write(`${showFoot(foot, columns)}\n`);
    for (;;) {
      const pressed = await reader.next();
      if (pressed.kind === 'leave') return undefined;
      const key = pressed.kind === 'enter' ? enter : pressed.text;
      const chosen = keys.find((one) => one.key === key);
      if (chosen === undefined) continue;
      output.write(`    ${colors.dim(chosen.label)}\n`);
      return key;
    }
  } finally {
    reader.close();
  }
}

/** The arguments as the person changes them; undefined to return to the card. */
async function promptForEdit(context: Context, approval: ApprovalView): Promise<Json | undefined> {
  const { isCancel, text, select } = await import('@clack/prompts');
  const { stream: output } = context.printer.output;
  const written = await text({
    message: 'Arguments as JSON',
    initialValue: JSON.stringify(approval.arguments),
    output,
    validate: (value) => {
      try {
        parseJsonArgument(value ?? '', 'the arguments');
        return undefined;
      } catch (error) {
        return visible((error as Error).message);
      }
    },
  });
  if (isCancel(written)) return undefined;
  const edit = parseJsonArgument(written, 'the arguments');
  context.printer.output.write(`${showJson(edit)}\n`);
  const choice = await select({
    message: `Allow ${marked(approval.tool ?? '')} once, with exactly these arguments?`,
    options: [
      { value: false, label: 'No, back to the request' },
      { value: true, label: 'Yes, once' },
    ],
    initialValue: false,
    output,
  });
  return choice === true ? edit : undefined;
}

/** A question with a few answers: each has a number. */
async function promptForOption(
  context: Context,
  approval: ApprovalView,
  options: readonly string[],
): Promise<Decision | undefined> {
  const keys = [
    ...options.map((value, at) => {
      const does = approval.answers?.[value];
      return { key: String(at + 1), label: marked(does === undefined ? value : `${value}: ${does}`) };
    }),
    DETAILS,
    LATER,
  ];
  let isShown = false;
  for (;;) {
    const keysOf = (isCut: boolean) => (isShown || !isCut ? keys : [SHOW_REST, LATER]);
    const key = await readChoice(context, approval, keysOf, 'l');
    const answer = options[Number(key) - 1];
    if (answer !== undefined) return { kind: 'answer', answer };
    if (key !== 'd') return undefined;
    isShown = true;
    context.printer.output.write(`${showApproval(approval)}\n\n`);
  }
}

async function promptForText(
  context: Context,
  approval: ApprovalView,
  unasked: boolean,
): Promise<Decision | undefined> {
  const { isCancel, select, text } = await import('@clack/prompts');
  context.printer.output.write(`${showApproval(approval)}\n`);
  const { stream: output } = context.printer.output;
  const message = visible(approval.question ?? 'Your answer');
  const { options } = approval;
  const answer =
    options === undefined
      ? await text({ message, output, ...(unasked ? { placeholder: 'Enter alone: later' } : {}) })
      : await select<string>({
          message,
          options: [
            { value: '', label: 'Decide later' },
            ...options.map((value) => ({ value, label: visible(value) })),
          ],
          initialValue: '',
          output,
        });
  if (isCancel(answer)) return undefined;
  if (!answer && (unasked || options !== undefined)) return undefined;
  return { kind: 'answer', answer: answer ?? '' };
}

export async function applyDecision(
  context: Context,
  api: OkaApi,
  { id, argumentsHash }: ApprovalView,
  decision: Decision,
  print: (text: string) => void = (text) => context.printer.message(text.replaceAll(/^/gm, '    ')),
  listeners: Pick<RunListener, 'onEvent' | 'onText' | 'onActivity'> = {},
): Promise<RunAnswer> {
  if (decision.kind === 'deny') {
    const answer = await api.approvals.deny(id, context.by);
    print(showDenied(answer));
    return answer;
  }
  const request = { id, by: context.by, signal: context.interrupted, ...listeners };
  if (decision.kind === 'answer')
    return api.approvals.approve({ ...request, answer: decision.answer }, PATIENCE_MS);
  const seen = argumentsHash === undefined ? {} : { argumentsHash };
  const remember = decision.remember ? { remember: 'exact' as const } : {};
  const edit = decision.edit === undefined ? {} : { edit: decision.edit };
  return api.approvals.approve({ ...request, ...seen, ...remember, ...edit }, PATIENCE_MS);
}
