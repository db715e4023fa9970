// Owns: what a recorded run would start with today: its agent's brief, the instructions in its pack, its procedures.
import { type AgentBrief, BRIEF, briefToJson } from '../../agent/index.ts';
import { MAX_RECALLED, PROCEDURES } from '../../assistant/index.ts';
import type { Evidence } from '../../engine/index.ts';
import { asObject, isOkaError, type Json, type JsonObject } from '../../kernel/index.ts';
import { type EventRecord, LedgerEvent } from '../../ledger/index.ts';
import { PACK, ruleSource } from '../../memory/index.ts';
import { assistantProcedures } from '../memory/procedures.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

/** Replaces what the workspace determines in the recalled evidence. The rest, such as remembered facts, stays as recorded. */
export class CurrentEvidence {
  readonly #services: WorkspaceServices;
  /** What the run needs and the workspace no longer has. */
  readonly missing = new Set<string>();

  constructor(services: WorkspaceServices) {
    this.#services = services;
  }

  /** The events of a run with today's evidence. */
  async replaceIn(events: readonly LedgerEvent[], about: RunAbout): Promise<readonly LedgerEvent[]> {
    const replaced: LedgerEvent[] = [];
    for (const event of events) replaced.push(await this.#replaced(event, about));
    const [first] = replaced;
    const isRecalled = events.some(({ type }) => type === 'evidence.recalled');
    const continues = asObject(first?.body)['base'] !== undefined;
    if (first === undefined || isRecalled || continues) return replaced;
    const recalled = await this.#current([], about);
    if (recalled.length === 0) return replaced;
    const event = withBody(
      { ...first, type: 'evidence.recalled' },
      { count: recalled.length },
      recalled as never,
    );
    return [first, event, ...replaced.slice(1)];
  }

  async #replaced(event: LedgerEvent, about: RunAbout): Promise<LedgerEvent> {
    const { type, body, data } = event;
    if (type === 'evidence.recalled')
      return withBody(event, data, (await this.#current(body as never, about)) as never);
    // A run that continues another one carries its evidence.
    const { base } = asObject(body) as { base?: { readonly evidence: readonly Evidence[] } };
    if (type !== 'run.started' || base === undefined) return event;
    const count = base.evidence.filter(({ source }) => source === 'recall').length;
    const first = await this.#current(base.evidence.slice(0, count), about);
    const evidence = [...first, ...base.evidence.slice(count)];
    return withBody(event, data, { ...asObject(body), base: { ...base, evidence } } as never);
  }

  async #current(recorded: readonly Evidence[], about: RunAbout): Promise<readonly Evidence[]> {
    const hasPack = recorded.some(({ tool }) => tool === PACK);
    const current = await Promise.all(
      recorded.map(async (fact) => {
        switch (fact.tool) {
          case BRIEF:
            return { ...fact, output: await this.#brief(fact.output as JsonObject, hasPack) };
          case PACK:
            return { ...fact, output: await this.#pack(fact.output as JsonObject) };
          case PROCEDURES:
            return { ...fact, output: await this.#procedures(fact.output, about) };
          default:
            return fact;
        }
      }),
    );
    if (about.kind !== 'assistant' || recorded.some(({ tool }) => tool === PROCEDURES)) return current;
    const output = await this.#procedures(undefined, about);
    if ((asObject(output)['procedures'] as readonly Json[]).length === 0) return current;
    return [...current, { step: 0, state: 'plan', source: 'recall', tool: PROCEDURES, output }];
  }

  async #brief(recorded: JsonObject, hasPack: boolean): Promise<Json> {
    try {
      const runs = await this.#services.agentRuns();
      return briefToJson(await runs.currentBrief(recorded as unknown as AgentBrief, hasPack));
    } catch (error) {
      if (!isOkaError(error, 'agent.unknown') && !isOkaError(error, 'agent.invalid')) throw error;
      this.missing.add(error.message);
      return recorded;
    }
  }

  /** The instructions for agents as they are now. The policy is asked about each call, so its text stays as recorded. */
  async #pack(recorded: JsonObject): Promise<Json> {
    const { items, dropped } = recorded as unknown as {
      readonly items: readonly PackedItem[];
      readonly dropped?: readonly { readonly id: string }[];
    };
    const instructions = async () => (await this.#services.agents()).instructions();
    const none = async () => [];
    const source = ruleSource({ instructions, policy: none, tasks: none, blockers: none, credentials: none });
    const now = new Map(
      (await source.candidates({ goal: '', vars: {}, limit: 0 })).map((one) => [one.id, one]),
    );
    const current = items.flatMap((item): readonly PackedItem[] => {
      const rule = item.kind === 'constraint' && item.pinned === true && item.id !== POLICY_ITEM;
      if (!rule) return [item];
      const candidate = now.get(item.id);
      now.delete(item.id);
      if (candidate === undefined) return [];
      const text = item.text ?? '';
      const shown = item.cut === undefined ? text : text.slice(0, text.lastIndexOf(CUT_MARK));
      const same = item.cut === undefined ? candidate.text === text : candidate.text.startsWith(shown);
      const { cut: _, ...whole } = item;
      return [same ? item : { ...whole, text: candidate.text }];
    });
    for (const { id } of dropped ?? []) now.delete(id);
    const added = [...now.values()].map((one): PackedItem => ({ ...one, tokens: 0 }));
    return { ...recorded, items: [...current, ...added] as unknown as Json };
  }

  /** Written procedures as they are now; learned ones as recorded, because they are part of a ledger and not of the files. */
  async #procedures(recorded: Json | undefined, { goal }: RunAbout): Promise<Json> {
    const known = (asObject(recorded)['procedures'] ?? []) as readonly { readonly origin: string }[];
    const found = await assistantProcedures(this.#services).find(goal, MAX_RECALLED);
    const written = found.filter(({ origin }) => origin !== 'promoted');
    const learned = known.filter(({ origin }) => origin === 'promoted');
    return JSON.parse(JSON.stringify({ procedures: [...written, ...learned] })) as Json;
  }
}

interface RunAbout {
  readonly goal: string;
  readonly kind: string;
}

function withBody(
  { seq, stream, index, type, at, actor }: Omit<EventRecord, 'dataText' | 'bodyText'>,
  data: JsonObject,
  body: Json,
): LedgerEvent {
  const texts = { dataText: JSON.stringify(data), bodyText: JSON.stringify(body) };
  const known = { seq, stream, index, type, at, actor, ends: true, salt: null, bodyDigest: null, chain: '' };
  return new LedgerEvent({ ...known, ...texts });
}

/** Ends the text of an item that was too long for its pack. */
const CUT_MARK = ' [… cut here';
const POLICY_ITEM = 'policy';

interface PackedItem {
  readonly kind: string;
  readonly id: string;
  readonly text?: string;
  readonly pinned?: boolean;
  readonly cut?: number;
  readonly tokens: number;
}
