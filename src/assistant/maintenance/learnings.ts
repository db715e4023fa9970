// Owns: learnings from runs by topic: attempts, rejections and their outcome, corrections, failures. A pure function of the
// runs; stored only in the derived files.
import { applyRunEvent, type RunState, type RunSummary } from '../../engine/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { readProgress } from '../progress.ts';
import type { Rejection, Round } from '../types.ts';
import { minuteOf, quoteText, section } from './render-pages.ts';

const MAX_TOPICS = 100;
const MAX_RUNS = 50;
const OTHER = 'other';
const FREQUENT_RUNS = 3;

/** A rejection by the critic, the tasks planned instead, and whether they were accepted. */
interface Rework {
  readonly rejection: Rejection;
  readonly instead: readonly string[];
  readonly fixed: boolean;
}

/** An ended run with its rejections and corrections. */
export interface TriedRun extends RunSummary {
  readonly rework: readonly Rework[];
  readonly corrections: readonly string[];
}

/** The rejections in an assistant run's events; none if some of it was erased. */
export function reworkIn(events: readonly LedgerEvent[]): readonly Rework[] {
  if (events.some(({ bodyDigest, bodyText }) => bodyDigest !== null && bodyText === null)) return [];
  let run: RunState | undefined;
  for (const event of events) run = applyRunEvent(run, event);
  if (run === undefined) return [];
  const { rounds } = readProgress(run.evidence);
  const completed = run.ended?.status === 'completed';
  return rounds.flatMap(({ rejected = [] }, i) =>
    rejected.map((rejection) => ({
      rejection,
      instead: changedTasks(rounds[i], rounds[i + 1]),
      fixed: completed && isMetLater(rejection, rounds.slice(i + 1)),
    })),
  );
}

function changedTasks(before: Round | undefined, after: Round | undefined): readonly string[] {
  const known = new Set(before?.graph.tasks.map((task) => JSON.stringify(task)));
  return (after?.graph.tasks ?? [])
    .filter((task) => !known.has(JSON.stringify(task)))
    .map(({ title }) => title);
}

function isMetLater({ criterion }: Rejection, later: readonly Round[]): boolean {
  return later.length > 0 && !(later.at(-1)?.rejected ?? []).some((one) => one.criterion === criterion);
}

/**
 * Groups runs by the subject that came back: the automation, or the word that most goals share. Runs whose subject did
 * not come back share a page, and so do the rarest subjects. A goal that was not understood taught nothing.
 */
export function byTopic(runs: readonly TriedRun[]): ReadonlyMap<string, readonly TriedRun[]> {
  const understood = runs.filter((run) => !wasNotUnderstood(run));
  const counts = wordCounts(understood);
  const groups = groupBy(understood, (run) => topicOf(run, counts));
  const ranked = [...groups].sort(
    ([one, left], [other, right]) => right.length - left.length || (one < other ? -1 : 1),
  );
  const found = new Map<string, TriedRun[]>();
  for (const [place, [topic, members]] of ranked.entries()) {
    const cameBack = members.length > 1 && place < MAX_TOPICS - 1;
    const page = cameBack ? topic : OTHER;
    found.set(page, [...(found.get(page) ?? []), ...members]);
  }
  return found;
}

const NOT_UNDERSTOOD = 'agent.goal_not_understood';

function wasNotUnderstood({ failureCode, corrections: said }: TriedRun): boolean {
  return failureCode === NOT_UNDERSTOOD && said.length === 0;
}

export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Whether a topic gets a page: a run failed, was rejected or corrected, or the topic is frequent. */
export function isInstructive(topic: string, runs: readonly TriedRun[]): boolean {
  const taught = runs.some(({ rework, corrections: said }) => rework.length + said.length > 0);
  // A single failure of a subject that did not come back is in TODOS.md.
  if (topic === OTHER) return taught;
  return taught || runs.length >= FREQUENT_RUNS || runs.some(({ status }) => status === 'failed');
}

export function renderLearnings(topic: string, runs: readonly TriedRun[]): string {
  const newest = [...runs].sort(
    (one, other) => other.startedAt - one.startedAt || (one.id < other.id ? 1 : -1),
  );
  const count = (status: string): number => runs.filter((run) => run.status === status).length;
  const tried = `Tried ${times(runs.length)}: ${count('completed')} completed, ${count('failed')} failed, ${count('cancelled')} cancelled.`;
  return [
    `# Learnings: ${topic}`,
    '',
    tried,
    '',
    ...section('Rejections and their outcome', newest.flatMap(rejections)),
    ...section('Corrections', newest.flatMap(corrections)),
    ...section('Failures', failures(newest)),
    ...section('Runs', newest.map(runLine), MAX_RUNS),
  ].join('\n');
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function rejections({ id, rework }: TriedRun): readonly string[] {
  return rework.map(({ rejection: { task, criterion, evidence }, instead, fixed }) => {
    const plan = instead.length === 0 ? '' : `; planned instead: ${quoteText(instead.join('; '))}`;
    return `${quoteText(criterion)} did not hold for the task ${quoteText(task)}: ${quoteText(evidence)}${plan}; ${fixed ? 'then it held' : 'it never held'} (${explain(id)})`;
  });
}

function corrections({ id, corrections: said }: TriedRun): readonly string[] {
  return said.map((text) => `${quoteText(text)} (${explain(id)})`);
}

/** Each failure code once, with its newest run. */
function failures(newest: readonly TriedRun[]): readonly string[] {
  const failed = newest.filter(({ failureCode }) => failureCode !== undefined);
  return [...groupBy(failed, ({ failureCode }) => failureCode as string)].map(([code, members]) => {
    const { startedAt, id } = members[0] as TriedRun;
    return `${quoteText(code)}: ${times(members.length)}, last ${minuteOf(startedAt)} (${explain(id)})`;
  });
}

function runLine({ id, goal, status, startedAt }: TriedRun): string {
  return `${minuteOf(startedAt)} ${quoteText(goal)}: ${status} (${explain(id)})`;
}

function explain(run: string): string {
  return quoteText(`oka runs explain ${run}`);
}

const STOP_WORDS = new Set(
  `a about after all also an and any are as at be before below but by can could do does for from get give have how i if in
  into is it its just let make me my need of on one or our out please she should so some than that the their them then there
  these they this those to up us use want was we were what when where which who why will with would you your`.split(
    /\s+/,
  ),
);
/** Words for what to do; the subject is what it is done with. */
const TASK_WORDS = new Set(
  `add analyse analyze answer archive ask brief build calculate change check clean close collect compare compute convert copy
  count create delete describe draft edit explain extract fetch find fix format generate go improve install learn list look
  merge move open plan prepare print put read remember remind remove rename replace report review run save search send
  show sort start stop summarise summarize summary tell test tidy translate try unpack update verify wait write`.split(
    /\s+/,
  ),
);
const MAX_TOPIC_LENGTH = 40;

/** How many runs name each word. */
export function wordCounts(
  runs: readonly Pick<RunSummary, 'goal' | 'subject'>[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { goal, subject } of runs)
    if (subject === undefined)
      for (const word of new Set(subjectWords(goal))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The subject of a run as a file name part: its automation, or the word of its goal that most goals share. */
export function topicOf(
  { goal, subject }: Pick<RunSummary, 'goal' | 'subject'>,
  counts: ReadonlyMap<string, number>,
): string {
  if (subject !== undefined) return slugOf(subject);
  const words = subjectWords(goal);
  const [best] = [...words].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  return slugOf(best ?? '');
}

/** The words of a goal that can be its subject: nouns first, words for what to do only if there is nothing else. */
function subjectWords(goal: string): readonly string[] {
  const [first = ''] = goal.slice(0, 1_000).split(/[.!?;]\s|\n/u);
  const plain = first.replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`|\S*[/\\.@:]\S+/gu, ' ');
  const words = (plain.toLowerCase().match(/\p{L}{2,}/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  const nouns = words.filter((word) => !TASK_WORDS.has(word));
  return (nouns.length === 0 ? words : nouns).map(singular);
}

function singular(word: string): string {
  return /[^s]s$/u.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

function slugOf(text: string): string {
  const slug = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_TOPIC_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? OTHER : slug;
}
