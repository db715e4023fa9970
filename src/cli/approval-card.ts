// Owns: how a request to a person looks: the card, its details, and its one line. Does not own: reading keys and deciding.
import {
  type ApprovalView,
  describeRequest,
  type Json,
  type RequestedAct,
  type RunAnswer,
  requestLine,
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

/** The card of a request; `foot` says what the person can do. What does not fit in it is counted, and the details show it. */
export function showCard(
  approval: ApprovalView,
  foot: readonly string[],
  { columns, colors }: CardOptions,
): { readonly body: string; readonly foot: string } {
  const width = Math.min(columns, MAX_COLUMNS) - 1;
  const act = describeRequest(approval);
  const room = width - 4;
  const wrapped = (text: string): readonly string[] => wrapText(visible(text), room);
  // The diff shows what the arguments of a file tool change.
  const more = act.kind === 'file' && approval.now?.diff !== undefined ? [] : act.more;
  const body = [
    ...limited([...whatOf(act, approval), ...more].flatMap(wrapped), MAX_LINES, colors),
    ...limited(diffLines(approval, room, colors), MAX_DIFF_LINES, colors),
    ...joined(circumstances(approval, act), room).map(colors.dim),
    ...(approval.now === undefined
      ? []
      : wrapped(`asks because: ${approval.now.because}`).map((line) => line.trimEnd())),
  ];
  const title = titleOf(approval, act);
  const line = '─'.repeat(Math.max(0, width - title.length - 5));
  const [first = '', ...others] = footLines(foot, room);
  return {
    body: [
      `  ┌ ${isWithoutSandbox(approval) ? colors.bold(colors.red(title)) : colors.bold(title)} ${line}`,
      ...body.map((text) => `  │ ${text}`),
    ].join('\n'),
    foot: [`  └ ${first}`, ...others.map((text) => `    ${text}`)].join('\n'),
  };
}

/** The title says the verb of a file tool, and the name of another tool. */
function whatOf({ kind, what }: RequestedAct, { tool }: ApprovalView): readonly string[] {
  if (kind === 'file') return [what.replace(/^(write|edit|delete|move) /, '')];
  return kind === 'tool' && what === tool ? [] : [what];
}

function titleOf(approval: ApprovalView, act: RequestedAct): string {
  switch (act.kind) {
    case 'program':
      return isWithoutSandbox(approval) ? 'Run a program WITHOUT A SANDBOX?' : 'Run a program?';
    case 'file': {
      const verb = approval.tool?.slice('files.'.length) ?? '';
      return `${FILE_VERBS[verb] ?? 'Change'} a file?`;
    }
    case 'request':
      return 'Send a request?';
    case 'question':
      return 'A run asks';
    case 'unknown_effect':
      return 'The outcome of a call is unknown';
    case 'tool':
      return `Call ${visible(approval.tool ?? 'a tool')}?`;
  }
}

const FILE_VERBS: Readonly<Record<string, string>> = {
  write: 'Write',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
};

function isWithoutSandbox({ now, rule }: ApprovalView): boolean {
  return now?.sandbox === 'none' || rule === 'no_sandbox';
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
    ...(act.folder === undefined ? [] : [`in ${visible(act.folder)}`]),
    ...(act.kind === 'program' ? [visible(confined)] : []),
    sideEffect === 'read' ? 'changes nothing' : undo,
    ...(HIGH_RISKS.includes(risk) ? [`${risk} risk`] : []),
  ];
}

function diffLines(
  { now }: ApprovalView,
  room: number,
  { red, green }: CardOptions['colors'],
): readonly string[] {
  if (now?.diff === undefined) return [];
  const lines = now.diff.trimEnd().split('\n');
  // The card names the file already.
  const start = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(start, 0)).flatMap((line) => {
    const paint = line.startsWith('+') ? green : line.startsWith('-') ? red : (text: string) => text;
    return wrapText(visible(line.replaceAll('\t', '    ')), room).map(paint);
  });
}

function limited(
  lines: readonly string[],
  max: number,
  { yellow }: CardOptions['colors'],
): readonly string[] {
  if (lines.length <= max) return lines;
  const rest = lines.length - max + 1;
  return [...lines.slice(0, max - 1), yellow(`… ${rest} more lines: press d`)];
}

/** Facts in one line, or in several if they do not fit. */
function joined(facts: readonly string[], room: number): readonly string[] {
  const line = facts.join('  ·  ');
  return line.length <= room ? (line === '' ? [] : [line]) : facts.flatMap((fact) => wrapText(fact, room));
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
      : [
          `decided   by ${visible(decidedBy)}${decidedAt === undefined ? '' : `, ${showTime(decidedAt)} UTC`}`,
        ];
  return [
    `approval  ${approval.id} (${status})`,
    `run       ${run}${root === undefined || root === run ? '' : ` (part of ${root})`}`,
    ...showRequest(approval),
    ...(approval.rationale ? [`reason    ${visible(approval.rationale)}`] : []),
    ...decided,
    ...(reason === undefined ? [] : [`because   ${visible(reason)}`]),
    ...(answer === undefined ? [] : [`answer    ${visible(answer)}`]),
    ...(approval.requestedArguments === undefined
      ? []
      : ['requested arguments', showJson(approval.requestedArguments)]),
    ...(approval.arguments === undefined
      ? []
      : [
          approval.requestedArguments === undefined ? 'arguments' : 'approved arguments',
          showJson(approval.arguments),
        ]),
    ...(approval.now?.diff === undefined ? [] : ['diff', visible(approval.now.diff.trimEnd())]),
  ].join('\n');
}

/** What a waiting run asks, for a person without a terminal. */
export function showWaitingRequest(request: Request): string[] {
  const { why, rule } = request;
  return [
    ...wrapText(visible(requestLine(request)), Number.POSITIVE_INFINITY).map((line, at) =>
      at === 0 ? `asks      ${line}` : `          ${line}`,
    ),
    ...placeOf(describeRequest(request)),
    ...describeRequest(request).more.map((line) => `with      ${shorten(visible(line))}`),
    ...(why ? [`because   ${visible(why)}${rule ? ` (rule ${visible(rule)})` : ''}`] : []),
    ...(request.options && request.answers === undefined
      ? [`options   ${request.options.map(visible).join(', ')}`]
      : []),
    ...Object.entries(request.answers ?? {}).map(
      ([name, does]) => `answer    ${name.padEnd(6)} ${visible(does)}`,
    ),
    `expires   ${showTime(request.expiresAt)} UTC`,
  ];
}

/** Where a program runs and what it reaches, unless it is the usual. */
function placeOf({ folder = '.', network = 'none' }: RequestedAct): string[] {
  return [
    ...(folder === '.' ? [] : [`in        ${visible(folder)}`]),
    ...(network === 'none' ? [] : [`network   ${visible(network)}`]),
  ];
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (all: oka approvals show)` : text;
}

/** What a person is asked, without the arguments. */
function showRequest(request: Request): string[] {
  const { tool, effect, sideEffect, risk, why, rule, question, options, answers } = request;
  return [
    ...(tool ? [`tool      ${tool}`] : []),
    ...(effect && effect !== tool ? [`effect    ${visible(effect)}`] : []),
    ...(sideEffect
      ? [`class     ${sideEffect}${risk ? `, ${risk} risk` : ''}`]
      : risk
        ? [`risk      ${risk}`]
        : []),
    ...(why ? [`why       ${visible(why)}${rule ? ` (rule ${visible(rule)})` : ''}`] : []),
    ...(question ? [`question  ${visible(question)}`] : []),
    ...(request.known ?? []).map((fact) => `known     ${visible(fact)}`),
    ...(answers === undefined
      ? options
        ? [`options   ${options.map(visible).join(', ')}`]
        : []
      : Object.entries(answers).map(([name, does]) => `answer    ${name.padEnd(6)} ${visible(does)}`)),
    `expires   ${showTime(request.expiresAt)} UTC`,
    ...(request.argumentsHash ? [`hash      ${request.argumentsHash}`] : []),
  ];
}

function showJson(value: Json): string {
  return visible(JSON.stringify(value, null, 2));
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
    return `continued another way and asks: ${visible(requestLine(waitingFor.request))}`;
  if (status === 'completed') return 'finished without it.';
  if (status === 'failed') return `continued without it and failed: ${visible(failure?.message ?? '')}`;
  if (status === 'paused') return 'is paused.';
  return 'continues without it.';
}
