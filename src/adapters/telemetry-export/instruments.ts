// Owns: the metrics, their names and their attributes. An attribute never has a value that identifies a run, a goal or a person.
import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';
import {
  ERROR_TYPE,
  OPERATION,
  OUTCOME,
  PROVIDER,
  REQUEST_MODEL,
  RESPONSE_MODEL,
  RUN_KIND,
  RUN_STATUS,
  TOKEN_TYPE,
  TOOL,
} from './conventions.ts';

/** The boundaries that the conventions recommend, in seconds. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];
/** A commit takes less than a millisecond. */
const SHORT = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** A model request that has ended. */
export interface EndedRequest {
  readonly provider: string;
  readonly model: string;
  readonly seconds: number;
  readonly error?: string | undefined;
  readonly answer?:
    | {
        readonly model: string;
        readonly inputTokens: number | undefined;
        readonly outputTokens: number | undefined;
        readonly costUsd: number | undefined;
      }
    | undefined;
}

export class Instruments {
  readonly #runsStarted: Counter;
  readonly #runsEnded: Counter;
  readonly #runDuration: Histogram;
  readonly #steps: Counter;
  readonly #toolCalls: Counter;
  readonly #toolDuration: Histogram;
  readonly #requestDuration: Histogram;
  readonly #tokens: Histogram;
  readonly #cost: Counter;
  readonly #events: Counter;
  readonly #commitDuration: Histogram;
  readonly #capacityWait: Histogram;
  readonly #schedules: Counter;
  readonly #turns: Counter;

  constructor(meter: Meter) {
    const counter = (name: string, description: string, unit: string) =>
      meter.createCounter(name, { description, unit });
    const histogram = (name: string, description: string, unit: string, boundaries: number[]) =>
      meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: boundaries } });
    this.#runsStarted = counter('oka.runs.started', 'Runs started', '{run}');
    this.#runsEnded = counter('oka.runs.ended', 'Runs ended', '{run}');
    this.#runDuration = histogram('oka.run.duration', 'From the start to the end of a run', 's', SECONDS);
    this.#steps = counter('oka.steps', 'Steps recorded', '{step}');
    this.#toolCalls = counter('oka.tool.calls', 'Tool calls recorded', '{call}');
    this.#toolDuration = histogram('oka.tool.duration', 'Duration of tool handlers', 's', SECONDS);
    this.#requestDuration = histogram(
      'gen_ai.client.operation.duration',
      'Duration of model requests',
      's',
      SECONDS,
    );
    this.#tokens = histogram('gen_ai.client.token.usage', 'Tokens of model requests', '{token}', TOKENS);
    this.#cost = counter('oka.model.cost', 'Cost of model requests with a known price', '{USD}');
    this.#events = counter('oka.ledger.events', 'Events committed by this process', '{event}');
    this.#commitDuration = histogram('oka.ledger.commit.duration', 'Duration of commits', 's', SHORT);
    this.#capacityWait = histogram(
      'oka.ledger.capacity.wait',
      'How long new runs wait for the ledger',
      's',
      SHORT,
    );
    this.#schedules = counter('oka.schedules.fired', 'Schedules fired', '{firing}');
    this.#turns = counter('oka.agent.turns', 'Turns of agents in conversations', '{turn}');
  }

  runStarted(kind: string): void {
    this.#runsStarted.add(1, { [RUN_KIND]: kind });
  }

  runEnded(kind: string, status: string, seconds: number): void {
    const attributes = { [RUN_KIND]: kind, [RUN_STATUS]: status };
    this.#runsEnded.add(1, attributes);
    this.#runDuration.record(seconds, attributes);
  }

  stepTaken(outcome: string): void {
    this.#steps.add(1, { [OUTCOME]: outcome });
  }

  toolCalled(tool: string, outcome: string): void {
    this.#toolCalls.add(1, { [TOOL]: tool, [OUTCOME]: outcome });
  }

  toolRan(tool: string, seconds: number, error: string | undefined): void {
    this.#toolDuration.record(seconds, { [TOOL]: tool, ...failed(error) });
  }

  modelAsked({ provider, model, seconds, error, answer }: EndedRequest): void {
    const about = {
      [OPERATION]: 'chat',
      [PROVIDER]: provider,
      [REQUEST_MODEL]: model,
      ...(answer === undefined ? {} : { [RESPONSE_MODEL]: answer.model }),
    };
    this.#requestDuration.record(seconds, { ...about, ...failed(error) });
    if (answer === undefined) return;
    const { inputTokens, outputTokens, costUsd } = answer;
    if (inputTokens !== undefined) this.#tokens.record(inputTokens, { ...about, [TOKEN_TYPE]: 'input' });
    if (outputTokens !== undefined) this.#tokens.record(outputTokens, { ...about, [TOKEN_TYPE]: 'output' });
    if (costUsd !== undefined) this.#cost.add(costUsd, { [PROVIDER]: provider, [REQUEST_MODEL]: model });
  }

  committed(events: number): void {
    this.#events.add(events);
  }

  commitTook(seconds: number, error: string | undefined): void {
    this.#commitDuration.record(seconds, failed(error));
  }

  waitedForCapacity(seconds: number): void {
    this.#capacityWait.record(seconds);
  }

  scheduleFired(): void {
    this.#schedules.add(1);
  }

  turnEnded(outcome: string): void {
    this.#turns.add(1, { [OUTCOME]: outcome });
  }
}

function failed(error: string | undefined): Attributes {
  return error === undefined ? {} : { [ERROR_TYPE]: error };
}
