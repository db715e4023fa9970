// Makes a set of long conversations with questions from written scenes, always the same for the same seed.
//
// A scene is a block: `slots name=one|other; …` (a value is drawn for each pair of people), turns `A: …` and `B: …`, of which
// `A#1:` may be named as evidence, and questions `? kind 1,2 text`. Every pair plays every scene once; a third of them
// is played again, later, with the roles changed and other values, so that a question has a rival in the same words.

import type { ScoredCandidate } from '../support/rank-hits.ts';
import { smallTalk } from './small-talk.ts';
import { heldOutTopics } from './topics-held-out.ts';
import { trainTopics } from './topics-train.ts';

export interface Question {
  readonly kind: string;
  readonly text: string;
  readonly evidence: readonly string[];
}

export interface Conversation {
  readonly id: string;
  readonly turns: readonly ScoredCandidate[];
  readonly questions: readonly Question[];
}

interface Scene {
  readonly slots: ReadonlyMap<string, readonly string[]>;
  readonly turns: readonly { readonly role: string; readonly mark: string; readonly text: string }[];
  readonly questions: readonly {
    readonly kind: string;
    readonly marks: readonly string[];
    readonly text: string;
  }[];
}

type Values = ReadonlyMap<string, string>;

const DAY_MS = 86_400_000;
const START = Date.UTC(2023, 0, 9, 18);
const SCENES_IN_A_SITTING = 2;
const FEWEST_TURNS = 210;

const PAIRS = {
  train: [
    ['Clara', 'Dev'],
    ['Hugo', 'Mina'],
    ['Joan', 'Pavel'],
    ['Rosa', 'Kofi'],
    ['Edith', 'Sven'],
    ['Lena', 'Omar'],
    ['Greta', 'Yusuf'],
  ],
  'held-out': [
    ['Anouk', 'Tariq'],
    ['Wilma', 'Diego'],
    ['Noor', 'Felix'],
    ['Ruth', 'Ivan'],
    ['Paula', 'Emeka'],
  ],
} as const;

/** The conversations of one part of the set. */
export function generateSet(part: keyof typeof PAIRS): Conversation[] {
  const scenes = readScenes(part === 'train' ? trainTopics : heldOutTopics);
  return PAIRS[part].map(([one, other], place) => playAll(scenes, [one, other], place));
}

function readScenes(source: string): Scene[] {
  return source.trim().split('\n\n').map(readScene);
}

function readScene(block: string): Scene {
  const lines = block.split('\n');
  const slots = new Map<string, readonly string[]>();
  for (const slot of lines.flatMap((line) => (line.startsWith('slots ') ? line.slice(6).split('; ') : []))) {
    const [name = '', values = ''] = slot.split('=');
    slots.set(name, values.split('|'));
  }
  return {
    slots,
    turns: lines.flatMap((line) => {
      const [, role, mark, text] = /^([AB])(?:#(\d))?: (.*)$/.exec(line) ?? [];
      return role && text ? [{ role, mark: mark ?? '', text }] : [];
    }),
    questions: lines.flatMap((line) => {
      const [, kind, marks, text] = /^\? (\w+) ([\d,]+) (.*)$/.exec(line) ?? [];
      return kind && marks && text ? [{ kind, marks: marks.split(','), text }] : [];
    }),
  };
}

function playAll(scenes: readonly Scene[], pair: readonly [string, string], place: number): Conversation {
  const draw = drawing(place + 1);
  const recording = new Recording(pair.join('-').toLowerCase(), draw);
  const first = shuffled(scenes, draw).map((scene, turn) => ({ scene, swapped: turn % 2 === 1, shift: 0 }));
  const rivals = first
    .filter((_, turn) => turn % 3 === 0)
    .map((play) => ({ ...play, swapped: !play.swapped, shift: 1 }));
  const plays = [...first, ...shuffled(rivals, draw)];
  plays.forEach(({ scene, swapped, shift }, turn) => {
    const [one, other] = pair;
    if (turn % SCENES_IN_A_SITTING === 0) recording.sitDown(pair);
    const roles = swapped ? ([other, one] as const) : ([one, other] as const);
    recording.play(scene, roles, place + shift);
  });
  while (recording.turns.length < FEWEST_TURNS) recording.sitDown(pair);
  return { id: recording.id, turns: recording.turns, questions: recording.questions };
}

/** Writes down turns and questions while scenes are played. */
class Recording {
  readonly id: string;
  readonly turns: ScoredCandidate[] = [];
  readonly questions: Question[] = [];
  readonly #draw: (below: number) => number;
  #sitting = 0;
  #order = 0;
  #at = START;

  constructor(id: string, draw: (below: number) => number) {
    this.id = id;
    this.#draw = draw;
  }

  /** Begins a new sitting, some days later, with small talk. */
  sitDown(pair: readonly [string, string]): void {
    this.#sitting += 1;
    this.#order = 0;
    this.#at += (3 + this.#draw(14)) * DAY_MS;
    this.#chat(pair);
  }

  play(scene: Scene, roles: readonly [string, string], variant: number): void {
    const values = this.#values(scene, roles, variant);
    const ids = new Map(
      scene.turns.map(({ role, mark, text }) => [mark, this.#say(roles, role, fill(text, values))]),
    );
    for (const { kind, marks, text } of scene.questions)
      this.questions.push({
        kind,
        text: fill(text, values),
        evidence: marks.map((mark) => ids.get(mark) ?? ''),
      });
    if (this.#draw(2) === 0) this.#chat(roles);
  }

  #chat(roles: readonly [string, string]): void {
    const values = this.#values({ slots: new Map(), turns: [], questions: [] }, roles, 0);
    const lines = smallTalk[this.#draw(smallTalk.length)] ?? [];
    lines.forEach((line, turn) => {
      this.#say(roles, turn % 2 === 0 ? 'A' : 'B', fill(line, values));
    });
  }

  #values(scene: Scene, [one, other]: readonly [string, string], variant: number): Values {
    const date = new Date(this.#at);
    const month = date.toLocaleString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const drawn = [...scene.slots].map(
      ([name, values]) => [name, values[variant % values.length] ?? ''] as const,
    );
    return new Map([['A', one], ['B', other], ['month', month], ...drawn]);
  }

  #say(roles: readonly [string, string], role: string, text: string): string {
    this.#order += 1;
    this.#at += 60_000;
    const id = `${this.id}/${this.#sitting}:${this.#order}`;
    const speaker = role === 'A' ? roles[0] : roles[1];
    const sitting = `${this.id}/${this.#sitting}`;
    this.turns.push({
      id,
      text,
      speaker,
      conversation: sitting,
      order: this.#order,
      at: this.#at,
      kind: 'episode',
    });
    return id;
  }
}

/** A text with its slots filled; a value that starts a sentence gets its capital. */
function fill(text: string, values: Values): string {
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? name);
  return filled.charAt(0).toUpperCase() + filled.slice(1);
}

/** Whole numbers below a bound, in an order that the seed decides. */
function drawing(seed: number): (below: number) => number {
  let state = Math.imul(seed, 0x9e3779b9) >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

function shuffled<Item>(items: readonly Item[], draw: (below: number) => number): Item[] {
  const left = [...items];
  const out: Item[] = [];
  while (left.length > 0) out.push(...left.splice(draw(left.length), 1));
  return out;
}
