// Owns: how a request to a person looks: the card, its details, and its one line. Does not own: reading keys and deciding.
import {
  type ApprovalView,
  describeRequest,
  isWithoutSandbox,
  type Json,
  marked,
  markedDiffLine,
  type RequestedAct,
  type RunAnswer,
  requestLine,
  requestTitle,
  shortId,
} from '../api/index.ts';
import { visible } from './printer.ts';
import { showTime } from './show-time.ts';
import { wrapText } from './wrap-text.ts';

type Colors = typeof import('picocolors');
type Request = NonNullable<NonNullable<RunAnswer['run']['waitingFor']>['request']>;

export interface CardOptions {
  readonly columns: number;
  readonly colors: Pick<Colors, 'bold' | 'dim' | 'red' | 'green' | 'yellow'>;
}

const MAX_COLUMNS = 100;
const MAX_DIFF_LINES = 12;
const MAX_LINES = 20;
const MAX_SHOWN = 2_000;
const HIGH_RISKS = ['high', 'critical'];

/** In front of text that is not Oka's, and of lines that go on. Oka's own lines have neither. */
const FOREIGN = '› ';
const CONTINUED = '↳ ';

/** The body of a card. What does not fit in it is counted; a person may allow the call only after the details showed it. */
export function showCard(
  approval: ApprovalView,
  { columns, colors }: CardOptions,
): { readonly body: string; readonly isCut: boolean } {
  const width = cardWidth(columns);
  const act = describeRequest(approval);
  const room = width - 4;
  const wrapped = (text: string): readonly string[] => wrapCard(text, room);
  // The diff shows what the arguments of a file tool change.
  const more = act.kind === 'file' && approval.now?.diff !== undefined ? [] : act.more;
  const asked = [...whatOf(act, approval), ...more].flatMap((text) => wrapped(FOREIGN + text));
  const diff = diffLines(approval, room, colors);
  const body = [
    ...limited(asked, MAX_LINES, colors),
    ...limited(diff, MAX_DIFF_LINES, colors),
    ...joined(circumstances(approval, act), room).map(colors.dim),
    ...(approval.now === undefined
      ? []
      : wrapped(`asks because: ${marked(approval.now.because)}`).map((line) => line.trimEnd())),
  ];
  const title = requestTitle(approval);
  const line = '─'.repeat(Math.max(0, width - title.length - 5));
  return {
    body: [
      `  ┌ ${isWithoutSandbox(approval) ? colors.bold(colors.red(title)) : colors.bold(title)} ${line}`,
      ...body.map((text) => `  │ ${text}`),
    ].join('\n'),
    isCut: asked.length > MAX_LINES || diff.length > MAX_DIFF_LINES,
  };
}

/** The end of a card: what the person can do. */
export function showFoot(words: readonly string[], columns: number): string {
  const [first = '', ...others] = footLines(words, cardWidth(columns) - 4);
  return [`  └ ${first}`, ...others.map((text) => `    ${text}`)].join('\n');
}

function cardWidth(columns: number): number {
  return Math.min(columns, MAX_COLUMNS) - 1;
}

/** Breaks a text so that none of its other lines can be taken for one of the card. */
function wrapCard(text: string, room: number): readonly string[] {
  const [first = '', ...others] = wrapText(text, room - CONTINUED.length);
  return [first, ...others.map((line) => CONTINUED + line)];
}

/** The title says the verb of a file tool, and the name of another tool. */
function whatOf({ kind, what }: RequestedAct, { tool }: ApprovalView): readonly string[] {
  if (kind === 'file') return [what.replace(/^(write|edit|delete|move) /, '')];
  return kind === 'tool' && what === tool ? [] : [what];
}

/** Where, how confined, and whether it can be undone. */
function circumstances(approval: ApprovalView, act: RequestedAct): readonly string[] {
  const { now, sideEffect, risk = '' } = approval;
  if (now === undefined) return [];
  const network = act.network === 'none' ? 'no network' : `network: ${act.network}`;
  const confined = isWithoutSandbox(approval)
    ? 'can read and change all your files'
    : `sandboxed, ${network}`;
  const undo = now.canUndo ? 'can be undone' : 'cannot be undone';
  return [
    ...(act.folder === undefined ? [] : [`in ${act.folder}`]),
    ...(act.kind === 'program' ? [confined] : []),
    sideEffect === 'read' ? 'changes nothing' : undo,
    ...(HIGH_RISKS.includes(risk) ? [`${risk} risk`] : []),
  ];
}

function diffLines(
  { now }: ApprovalView,
  room: number,
  { red, green }: CardOptions['colors'],
): readonly string[] {
  return shownDiff(now?.diff).flatMap((line) => {
    const paint = line.startsWith('+') ? green : line.startsWith('-') ? red : (text: string) => text;
    return wrapCard(line, room).map(paint);
  });
}

/** The lines of a diff, each with a sign. The card names the file already. */
function shownDiff(diff: string | undefined): readonly string[] {
  if (diff === undefined) return [];
  const lines = diff.replace(/\n$/, '').split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  return lines
    .slice(Math.max(start, 0))
    .map((line) => markedDiffLine(/^[-+@]/.test(line) ? line : `┊${line.slice(1)}`));
}

function limited(
  lines: readonly string[],
  max: number,
  { yellow }: CardOptions['colors'],
): readonly string[] {
  if (lines.length <= max) return lines;
  const rest = lines.length - max + 1;
  return [...lines.slice(0, max - 1), yellow(`… ${rest} more lines`)];
}

/** Facts in one line, or in several if they do not fit. */
function joined(facts: readonly string[], room: number): readonly string[] {
  const line = facts.join('  ·  ');
  return line.length <= room ? (line === '' ? [] : [line]) : facts.flatMap((fact) => wrapCard(fact, room));
}

function footLines(words: readonly string[], room: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 3 + word.length <= room)
      lines[lines.length - 1] = `${last}   ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Every fact of a request. Arguments are never cut. */
export function showApproval(approval: ApprovalView): string {
  const { status, decidedBy, decidedAt, reason, answer, run, root } = approval;
  const decided =
    decidedBy === undefined
      ? []
      : [`decided   by ${marked(decidedBy)}${decidedAt === undefined ? '' : `, ${showTime(decidedAt)} UTC`}`];
  return [
    `approval  ${approval.id} (${status})`,
    `run       ${run}${root === undefined || root === run ? '' : ` (part of ${root})`}`,
    ...showRequest(approval),
    ...(approval.rationale ? [`reason    ${marked(approval.rationale)}`] : []),
    ...decided,
    ...(reason === undefined ? [] : [`because   ${marked(reason)}`]),
    ...(answer === undefined ? [] : [`answer    ${marked(answer)}`]),
    ...(approval.requestedArguments === undefined
      ? []
      : ['requested arguments', showJson(approval.requestedArguments)]),
    ...(approval.arguments === undefined
      ? []
      : [
          approval.requestedArguments === undefined ? 'arguments' : 'approved arguments',
          showJson(approval.arguments),
        ]),
    ...(approval.now?.diff === undefined ? [] : ['diff', ...shownDiff(approval.now.diff)]),
  ].join('\n');
}

/** What a waiting run asks, for a person without a terminal. */
export function showWaitingRequest(request: Request): string[] {
  const { why, rule } = request;
  return [
    `asks      ${requestLine(request)}`,
    ...placeOf(describeRequest(request)),
    ...describeRequest(request).more.map((line) => `with      ${shorten(line)}`),
    ...(why ? [`because   ${marked(why)}${rule ? ` (rule ${marked(rule)})` : ''}`] : []),
    ...(request.options && request.answers === undefined
      ? [`options   ${request.options.map((one) => marked(one)).join(', ')}`]
      : []),
    ...Object.entries(request.answers ?? {}).map(
      ([name, does]) => `answer    ${marked(name).padEnd(6)} ${marked(does)}`,
    ),
    `expires   ${showTime(request.expiresAt)} UTC`,
  ];
}

/** Where a program runs and what it reaches, unless it is the usual. */
function placeOf({ folder = '.', network = 'none' }: RequestedAct): string[] {
  return [
    ...(folder === '.' ? [] : [`in        ${folder}`]),
    ...(network === 'none' ? [] : [`network   ${network}`]),
  ];
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (all: oka approvals show)` : text;
}

/** What a person is asked, without the arguments. */
function showRequest(request: Request): string[] {
  const { tool, effect, sideEffect, risk, why, rule, question, options, answers } = request;
  return [
    ...(tool ? [`tool      ${marked(tool)}`] : []),
    ...(effect && effect !== tool ? [`effect    ${marked(effect)}`] : []),
    ...(sideEffect
      ? [`class     ${sideEffect}${risk ? `, ${risk} risk` : ''}`]
      : risk
        ? [`risk      ${risk}`]
        : []),
    ...(why ? [`why       ${marked(why)}${rule ? ` (rule ${marked(rule)})` : ''}`] : []),
    ...(question ? [`question  ${visible(question).replaceAll('\n', '\n          ')}`] : []),
    ...(request.known ?? []).map((fact) => `known     ${marked(fact)}`),
    ...(answers === undefined
      ? options
        ? [`options   ${options.map((one) => marked(one)).join(', ')}`]
        : []
      : Object.entries(answers).map(([name, does]) => `answer    ${marked(name).padEnd(6)} ${marked(does)}`)),
    `expires   ${showTime(request.expiresAt)} UTC`,
    ...(request.argumentsHash ? [`hash      ${request.argumentsHash}`] : []),
  ];
}

/** JSON whose texts are marked. */
export function showJson(value: Json): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines.map((line) => line.replace(/[^ ].*$/s, (text) => marked(text))).join('\n');
}

/** What became of a run after a person denied its request. */
export function showDenied({ run }: RunAnswer): string {
  const name = `Run ${shortId(run.id)}`;
  return `Denied: the call was not made.\n${name} ${afterDenial(run)}`;
}

function afterDenial({ id, status, failure, waitingFor }: RunAnswer['run']): string {
  if (failure?.code === 'engine.approval_denied')
    return `ended. It asks again with: oka runs resume ${shortId(id)}`;
  if (status === 'waiting' && waitingFor?.request !== undefined)
    return `continued another way and asks: ${requestLine(waitingFor.request)}`;
  if (status === 'completed') return 'finished without it.';
  if (status === 'failed') return `continued without it and failed: ${marked(failure?.message ?? '')}`;
  if (status === 'paused') return 'is paused.';
  return 'continues without it.';
}
