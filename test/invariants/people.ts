// Owns: what people do to runs that wait for them. Does not own: which run waits (the world knows).
import fc from 'fast-check';
import { type Engine, hashArguments, type RunState, runStream } from '../../src/engine/index.ts';
import { canonicalJson, isOkaError, type Json } from '../../src/kernel/index.ts';
import type { EventStore } from '../../src/ledger/index.ts';
import type { ManualClock } from '../support/manual-clock.ts';

export const PERSON_MOVES = [
  'agree',
  'agree',
  'agree, naming what was seen',
  'agree, naming something else',
  'agree twice',
  'agree to an edit',
  'agree and remember these arguments',
  'agree and remember the tool',
  'refuse',
  'let it expire',
  'forge an agreement',
  'look away',
  'pause',
  'cancel',
] as const;
export type PersonMove = (typeof PERSON_MOVES)[number];

/** What a person has said to happen on an unknown effect, in turn. */
export const UNKNOWN_ANSWERS = ['retry', 'done', 'fail'] as const;

export function personMoves(maxLength = 8): fc.Arbitrary<readonly PersonMove[]> {
  return fc.array(fc.constantFrom(...PERSON_MOVES), { maxLength });
}

/** An agreement as the person remembers it, apart from what the ledger says. */
export interface Agreement {
  readonly approval: string;
  readonly run: string;
  readonly tool: string;
  readonly input: string;
  /** The step that was carried out under it. */
  usedBy?: number;
}

export interface StandingYes {
  readonly tool: string;
  /** Undefined: any arguments. */
  readonly input: string | undefined;
}

export interface PeopleWorld {
  readonly desk: Engine;
  readonly store: EventStore;
  readonly clock: ManualClock;
  readonly agreements: Agreement[];
  readonly standing: StandingYes[];
  /** What a person gave to a run, by budget. */
  readonly added: { readonly run: string; readonly budget: string; readonly amount: number }[];
  /** Answers that came out otherwise than they must. */
  readonly surprises: string[];
}

/** Differs from time to time, so that nobody repeats themselves. */
function edited(count: number): Json {
  return { edited: `by a person, at ${count}` };
}

/** One person's move on one run that waits; the run may be resumed afterwards. */
export async function respond(
  world: PeopleWorld,
  run: RunState,
  move: PersonMove,
  count: number,
): Promise<void> {
  if (move === 'cancel') return void (await world.desk.cancel(run.id, 'a person', 'changed my mind'));
  if (move === 'pause') return void (await world.desk.pause(run.id, 'a person'));
  const { waiting } = run;
  switch (waiting?.for) {
    case 'approval':
      return respondToApproval(world, run, waiting, move, count);
    case 'answer':
      return respondToQuestion(world, run, waiting, move, count);
    case 'budget':
      if (move === 'refuse' || move === 'look away') return;
      world.added.push({ run: run.id, budget: waiting.budget, amount: Math.ceil(waiting.needed) });
      await world.desk.addBudget(run.id, { [waiting.budget]: Math.ceil(waiting.needed) }, 'a person');
      return;
    case 'time':
      world.clock.advance(Math.max(0, waiting.at - world.clock.now()));
      return;
    case 'outcome':
      if (waiting.pending.kind === 'event')
        await world.desk.signal(run.id, 'go', { by: 'a person' }, 'a person');
      if (waiting.pending.kind === 'timer')
        world.clock.advance(Math.max(0, waiting.pending.at - world.clock.now()));
      return;
    case undefined:
      return;
  }
}

type Asked = Extract<NonNullable<RunState['waiting']>, { for: 'approval' }>;

async function respondToApproval(
  world: PeopleWorld,
  run: RunState,
  waiting: Asked,
  move: PersonMove,
  count: number,
): Promise<void> {
  const edit = edited(count);
  const shown = await world.desk.parts.runs.approval(waiting.id);
  const seen = shown?.arguments ?? null;
  const agree = (input: Json): Agreement => {
    const agreement = {
      approval: waiting.id,
      run: run.id,
      tool: waiting.call.tool,
      input: canonicalJson(input),
    };
    world.agreements.push(agreement);
    return agreement;
  };
  const decide = (decision: Parameters<Engine['decide']>[1]): Promise<string> =>
    world.desk.decide(waiting.id, decision, 'a person');
  switch (move) {
    case 'agree':
    case 'agree, naming what was seen':
      await decide({
        kind: 'approve',
        ...(move === 'agree' ? {} : { argumentsHash: hashArguments(waiting.call.tool, seen) }),
      });
      agree(seen);
      return;
    case 'agree, naming something else': {
      const argumentsHash = hashArguments(waiting.call.tool, edit);
      await mustRefuse(world, 'engine.approval_mismatch', decide({ kind: 'approve', argumentsHash }));
      return;
    }
    case 'agree twice': {
      const both = await Promise.allSettled([decide({ kind: 'approve' }), decide({ kind: 'approve' })]);
      const taken = both.filter((one) => one.status === 'fulfilled').length;
      if (taken !== 1) world.surprises.push(`an approval was taken ${taken} times`);
      agree(seen);
      await mustRefuse(world, 'engine.approval_decided', decide({ kind: 'deny' }));
      return;
    }
    case 'agree to an edit':
      try {
        await decide({ kind: 'approve', edit });
        agree(edit);
      } catch (error) {
        if (!isOkaError(error, 'engine.tool_input_invalid')) throw error;
      }
      return;
    case 'agree and remember these arguments':
    case 'agree and remember the tool': {
      const exact = move === 'agree and remember these arguments';
      await decide({ kind: 'approve', remember: exact ? 'exact' : 'tool' });
      world.standing.push({ tool: waiting.call.tool, input: exact ? canonicalJson(seen) : undefined });
      agree(seen);
      return;
    }
    case 'refuse':
      await decide({ kind: 'deny' });
      await mustRefuse(world, 'engine.approval_decided', decide({ kind: 'approve' }));
      return;
    case 'let it expire':
      world.clock.advance(waiting.expiresAt - world.clock.now());
      await mustRefuse(world, 'engine.approval_expired', decide({ kind: 'approve' }));
      return;
    case 'forge an agreement':
      await forgeAgreement(world, run, waiting);
      return;
    default:
      return;
  }
}

/** Writes to the ledger what only a decision may: a yes for other arguments than those that were asked for. */
async function forgeAgreement(world: PeopleWorld, run: RunState, waiting: Asked): Promise<void> {
  const argumentsHash = hashArguments(waiting.call.tool, { never: 'asked for' });
  const data = { id: waiting.id, by: 'nobody', argumentsHash, status: 'pending' };
  await world.store.commit({
    actor: 'nobody',
    sync: 'full',
    appends: [{ stream: runStream(run.id), events: [{ type: 'approval.granted', data }] }],
  });
}

async function respondToQuestion(
  world: PeopleWorld,
  run: RunState,
  waiting: Extract<NonNullable<RunState['waiting']>, { for: 'answer' }>,
  move: PersonMove,
  count: number,
): Promise<void> {
  const decide = (decision: Parameters<Engine['decide']>[1]): Promise<string> =>
    world.desk.decide(waiting.id, decision, 'a person');
  if (move === 'look away') return;
  if (move === 'refuse') return void (await decide({ kind: 'deny' }));
  if (move === 'let it expire') {
    world.clock.advance(waiting.expiresAt - world.clock.now());
    return;
  }
  if (waiting.options !== undefined)
    await mustRefuse(world, 'engine.answer_not_offered', decide({ kind: 'answer', answer: 'sideways' }));
  const answer =
    waiting.about === 'unknown_effect' ? UNKNOWN_ANSWERS[count % 3] : (waiting.options?.[0] ?? 'go on');
  await decide({ kind: 'answer', answer: answer as string });
  if (answer === 'retry' && run.intent) {
    // Who says that it should be done again has agreed to it.
    const { tool, input } = run.intent.call;
    world.agreements.push({
      approval: waiting.id,
      run: run.id,
      tool,
      input: canonicalJson(input),
      usedBy: run.intent.step,
    });
  }
}

async function mustRefuse(world: PeopleWorld, code: string, attempt: Promise<unknown>): Promise<void> {
  await attempt.then(
    () => world.surprises.push(`${code} was expected, and it was taken`),
    (error: unknown) => {
      if (!isOkaError(error, code)) world.surprises.push(`${code} was expected, not ${String(error)}`);
    },
  );
}
