import { SqlProcedureRecords } from '../../adapters/sql/index.ts';
import { fileVersions, ProcedureFiles } from '../../adapters/workspace/index.ts';
import type { ProceduresApi, ProcedureView } from '../../api/index.ts';
import type { AssistantProcedures, ScoreProcedures } from '../../assistant/index.ts';
import { ToolRegistry } from '../../engine/index.ts';
import type { JsonObject } from '../../kernel/index.ts';
import { readGoal } from '../../language/index.ts';
import {
  type GivenProcedures,
  type KnownProcedure,
  type Procedure,
  type ProcedureStep,
  Procedures,
  type ToolVersions,
} from '../../memory/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { eraseContent } from './erase-content.ts';
import type { MemoryServices } from './memory.ts';

/** A procedure that is part of Oka, as agents know it. */
interface BuiltInProcedure {
  readonly name: string;
  readonly description: string;
  readonly example: string;
  readonly triggers: readonly string[];
  readonly tools: readonly string[];
}

export type ProcedureServices = MemoryServices & Pick<WorkspaceServices, 'tools' | 'isTrusted'>;

export interface ProceduresExtras {
  readonly builtIn?: readonly BuiltInProcedure[];
}

/** The procedures on a ledger. What writes must be asked only once the ledger may be written. */
export function proceduresOn(
  services: ProcedureServices,
  ledger: OpenLedger,
  extras: ProceduresExtras = {},
): Procedures {
  const { folder, clock, nodes } = services;
  const records = new SqlProcedureRecords(ledger.tables);
  return new Procedures({
    events: ledger.events,
    records,
    runs: records,
    tools: toolVersions(services),
    nodes: nodes ?? fileVersions(folder.workspace),
    given: givenProcedures(services, extras.builtIn ?? []),
    readGoal: (goal) => readGoal(goal).parts,
    erasure: { erase: (events, by, reason) => eraseContent(services, ledger, { events, by, reason }) },
    clock,
  });
}

/** Some of those that fit a goal are left out. */
const MAX_FOUND = 10;
const PLACE = /\{\{[^{}]*\}\}/;
const PLACES = /\{\{[^{}]*\}\}/g;

/**
 * For planning without a model: what people wrote and what was learned, with the goal's own values in its steps. A learned
 * one only where every step says exactly what to call; a candidate only until it has the uses that the gate wants to see.
 */
export function assistantProcedures(services: ProcedureServices): AssistantProcedures {
  return {
    find: async (goal, limit) => {
      const procedures = proceduresOn(services, services.ledger());
      const found = await procedures.find(goal, MAX_FOUND);
      const learned = new Set(await procedures.executable(found));
      return found
        .flatMap((one) => {
          const { procedure, steps, checks = [] } = one;
          const certain = procedure.origin === 'file' || learned.has(one);
          const filled = steps ?? (PLACE.test(JSON.stringify(procedure.steps)) ? undefined : procedure.steps);
          if (!certain || filled === undefined) return [];
          const phrases = procedure.trigger.phrases.map((phrase) =>
            phrase.replaceAll(PLACES, '').replaceAll(/\s+/g, ' ').trim(),
          );
          const { id, name, origin } = procedure;
          const tasks = withChecks(filled.map(asTask), checks);
          return [{ id, name, origin, trigger: { ...procedure.trigger, phrases }, steps: tasks }];
        })
        .slice(0, limit);
    },
  };
}

/** Appends the checks of the critic to the last step. */
function withChecks(
  steps: readonly ProcedureStep[],
  checks: readonly JsonObject[],
): readonly ProcedureStep[] {
  const last = steps.at(-1);
  if (last === undefined || checks.length === 0) return steps;
  return [...steps.slice(0, -1), { ...last, acceptance: [...(last.acceptance ?? []), ...checks] }];
}

/** A tool without an input is advice, not a call. */
function asTask(step: ProcedureStep): ProcedureStep {
  const { tool, input, ...told } = step;
  return tool !== undefined && input !== undefined ? { ...told, tool, input } : told;
}

/** For maintenance: learns from the runs of the ledger, promotes and takes back; nothing new writes nothing. */
export function scoreProcedures(services: ProcedureServices): ScoreProcedures {
  return {
    score: async ({ by, dryRun }) => {
      const procedures = dryRun
        ? proceduresOn(services, services.ledger())
        : await writingProcedures(services);
      const { scored, proposed, promoted, demoted } = await procedures.score(by, { dryRun });
      return { scored, changed: [...proposed, ...promoted, ...demoted] };
    },
  };
}

/** All that can be done with procedures on one workspace. */
export function openProcedures(services: ProcedureServices, extras: ProceduresExtras = {}): ProceduresApi {
  const reading = (): Procedures => proceduresOn(services, services.ledger(), extras);
  return {
    list: async () => {
      const { procedures, faults, forming } = await reading().list();
      const trusted = services.isTrusted();
      return { procedures: procedures.map(viewProcedure), faults, forming, trusted };
    },
    show: async (procedure) => viewProcedure(await reading().show(procedure)),
    explain: async (procedure) => {
      const { evidence, precedents, contradictions, waitsFor, history, ...known } =
        await reading().explain(procedure);
      return {
        procedure: viewProcedure(known),
        ...(evidence === undefined ? {} : { evidence }),
        precedents,
        contradictions,
        waitsFor,
        history,
      };
    },
    find: async (goal, limit) => {
      const found = await reading().find(goal, limit);
      return found.map(({ procedure, status, score, why, executable }) => ({
        procedure: viewProcedure({ procedure, status }),
        score,
        why,
        executable,
      }));
    },
    score: async (by) => (await writingProcedures(services)).score(by),
    forget: async (procedure, by) => (await writingProcedures(services, extras)).forget(procedure, by),
  };
}

async function writingProcedures(
  services: ProcedureServices,
  extras?: ProceduresExtras,
): Promise<Procedures> {
  return proceduresOn(services, await services.writableRedacted(), extras);
}

/** Only the tools that are asked for are written out. */
function toolVersions(services: Pick<ProcedureServices, 'tools'>): ToolVersions {
  return {
    digests: async (names) => {
      if (names.length === 0) return new Map();
      const wanted = new Set(names);
      const tools = (await services.tools()).filter(({ name }) => wanted.has(name));
      return new Map(Object.entries(new ToolRegistry(tools).digests()));
    },
  };
}

/** People's own files are read only where the person trusts the workspace. */
function givenProcedures(
  services: Pick<ProcedureServices, 'folder' | 'isTrusted'>,
  builtIn: readonly BuiltInProcedure[],
): GivenProcedures {
  const shipped = builtIn.map(fromBuiltIn);
  return {
    all: async () => {
      if (!services.isTrusted()) return { procedures: shipped, faults: [] };
      const { procedures, faults } = await new ProcedureFiles(services.folder.workspace).all();
      return { procedures: [...shipped, ...procedures], faults };
    },
  };
}

function fromBuiltIn({ name, description, example, triggers, tools }: BuiltInProcedure): Procedure {
  return {
    id: `built-in.${name}`,
    name,
    origin: 'built_in',
    description: `${description} For example: ${example}`,
    trigger: { phrases: triggers, words: [] },
    steps: [{ title: example }],
    pitfalls: [],
    checklist: [],
    basis: { files: [], tools: tools.map((tool) => ({ name: tool })) },
  };
}

function viewProcedure({ procedure, status, reason }: KnownProcedure): ProcedureView {
  return { ...procedure, status, ...(reason === undefined ? {} : { reason }) };
}
