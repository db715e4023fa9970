// Owns: the answers that stream and are not stored yet: what of them is printed, and what the agents do meanwhile.
// Does not own: where it is shown.

import { FRAME_MS, SPINNER_FRAMES } from '../drawn-line.ts';
import { type Colors, visible } from '../printer.ts';
import { completeBlocks, type MarkdownOptions, renderMarkdown } from '../render-markdown.ts';
import { showElapsed } from '../spinner.ts';

const COLOURS = ['cyan', 'magenta', 'yellow', 'blue', 'green', 'red'] as const;

/** Colours a name by its hash. The user has no colour. */
export function showSpeaker(name: string, colours: Colors): string {
  if (name === 'user') return colours.bold(name);
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return colours.bold(colours[COLOURS[sum % COLOURS.length] ?? 'cyan'](name));
}

interface LiveAnswer {
  /** The text since the last step. */
  text: string;
  /** How much of it is printed. */
  printed: number;
  /** Such as "waiting for gpt-5-mini"; undefined while the agent answers. */
  activity: string | undefined;
  /** Such as the last line of a running program. */
  detail: string;
  /** When the activity began. */
  since: number;
  /** Later text is ignored, because the turn is cancelled. */
  muted: boolean;
}

export class LiveAnswers {
  readonly #options: () => MarkdownOptions;
  readonly #now: () => number;
  readonly #answers = new Map<string, LiveAnswer>();

  /** The options are read again for each drawing, because the width can change. */
  constructor(options: () => MarkdownOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  get agents(): readonly string[] {
    return [...this.#answers.keys()];
  }

  begin(from: string): void {
    this.#of(from);
  }

  /** What the agent does now. */
  setActivity(from: string, activity: string): void {
    const answer = this.#of(from);
    if (answer.activity === activity) return;
    answer.activity = activity;
    answer.detail = '';
    answer.since = this.#now();
  }

  setDetail(from: string, detail: string): void {
    this.#of(from).detail = detail;
  }

  append(from: string, words: string): void {
    const answer = this.#of(from);
    if (answer.muted) return;
    answer.text += words.replaceAll('\r\n', '\n');
    if (answer.activity !== undefined) answer.since = this.#now();
    answer.activity = undefined;
  }

  /** The complete blocks that are not printed yet, rendered; undefined if there are none. Only the first agent prints. */
  takeBlocks(from: string): string | undefined {
    const answer = this.#answers.get(from);
    if (answer === undefined || this.agents[0] !== from) return undefined;
    const { done } = completeBlocks(answer.text.slice(answer.printed));
    return this.#take(answer, answer.printed + done.length);
  }

  /** The text before a step that is not printed yet. False if the agent streamed something else. */
  takeBefore(from: string, said: string): string | undefined | false {
    const answer = this.#answers.get(from);
    if (answer === undefined || said === '') return false;
    const start = answer.text.length - answer.text.trimStart().length;
    if (!answer.text.startsWith(said, start)) return false;
    const end = start + said.length;
    const shown = this.#take(answer, Math.max(end, answer.printed));
    answer.text = answer.text.slice(end);
    answer.printed = Math.max(0, answer.printed - end);
    return shown;
  }

  /** Everything that is not printed yet. The rest of the stream is ignored. */
  interrupt(from: string): string | undefined {
    const answer = this.#of(from);
    answer.muted = true;
    this.setActivity(from, 'stopping');
    return this.#take(answer, answer.text.length);
  }

  /** Ends the answer. Returns the part of the stored text that is not printed yet. */
  finish(from: string, stored: string): string {
    const { text = '', printed = 0 } = this.#answers.get(from) ?? {};
    this.end(from);
    const whole = stored.replaceAll('\r\n', '\n').trim();
    const before = text.slice(0, printed).trim();
    return before !== '' && whole.startsWith(before) ? whole.slice(before.length).trimStart() : whole;
  }

  end(from: string): void {
    this.#answers.delete(from);
  }

  hasText(from: string): boolean {
    return (this.#answers.get(from)?.text.trim() ?? '') !== '';
  }

  /** Whether a part of the current text is printed. */
  isPrinted(from: string): boolean {
    return (this.#answers.get(from)?.printed ?? 0) > 0;
  }

  /** The unfinished text and the activity of each agent. Text of agents other than `unnamed` is under their name. */
  text({
    unnamed,
    detail: more = '',
  }: {
    readonly unnamed?: string | undefined;
    readonly detail?: string;
  } = {}): string {
    const { colors } = this.#options();
    const { length } = SPINNER_FRAMES;
    const frame = SPINNER_FRAMES[Math.floor(this.#now() / FRAME_MS) % length] ?? '';
    return [...this.#answers]
      .flatMap(([from, { text, printed, activity = 'answering', since, detail }]) => {
        const rest = text.slice(printed).trim();
        const seconds = Math.floor((this.#now() - since) / 1_000);
        const elapsed = seconds < 1 ? '' : ` ${showElapsed(seconds)}`;
        const facts = [detail, more].filter((fact) => fact !== '').map((fact) => `   ${visible(fact)}`);
        const what = colors.dim(`${from} is ${visible(activity)}…${elapsed}${facts.join('')}`);
        const name = from === unnamed || rest === '' ? [] : [showSpeaker(from, colors)];
        return [...name, ...(rest === '' ? [] : [visible(rest)]), `${colors.cyan(frame)} ${what}`];
      })
      .join('\n');
  }

  #take(answer: LiveAnswer, end: number): string | undefined {
    const { text, printed } = answer;
    answer.printed = end;
    const part = text.slice(printed, end).trim();
    return part === '' ? undefined : renderMarkdown(part, this.#options());
  }

  #of(from: string): LiveAnswer {
    const known = this.#answers.get(from);
    if (known) return known;
    const made = { text: '', printed: 0, activity: 'starting', detail: '', since: this.#now(), muted: false };
    this.#answers.set(from, made);
    return made;
  }
}
