// Owns: where the parts of a context pack come from in one workspace. Does not own: which of them fit.
import { SqlMemoryRecords } from '../../adapters/sql/index.ts';
import type { MemoryPackApi, PolicyApi } from '../../api/index.ts';
import { taskGraphOf } from '../../assistant/index.ts';
import type { RunStatus, RunSummary } from '../../engine/index.ts';
import type { JsonObject, Redactor } from '../../kernel/index.ts';
import { SYSTEM_STREAM } from '../../ledger/index.ts';
import {
  blockerSource,
  buildPack,
  credentialSource,
  episodeSource,
  factSource,
  type PackMemory,
  type PackRequest,
  type PackSource,
  type PackWorkspace,
  packCap,
  packManifest,
  pinnedFactSource,
  readFrom,
  ruleSource,
  taskSource,
} from '../../memory/index.ts';
import type { Agents } from '../agents/agents.ts';
import { shownMessages } from '../chat/conversation-recall.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { ContextPacks, WorkspaceServices } from '../services/workspace-services.ts';
import type { VaultFace } from '../vault/vault.ts';
import { type MemoryServices, openMemory } from './memory.ts';

type PackServices = MemoryServices &
  Pick<WorkspaceServices, 'redactor' | 'requireTrust' | 'primeRedactor'> &
  Partial<Pick<WorkspaceServices, 'content'>> & {
    readonly agents: () => Promise<Pick<Agents, 'instructions' | 'load'>>;
    readonly vault: () => Promise<Pick<VaultFace, 'list'>>;
  };

export interface PackExtras {
  readonly policy?: Pick<PolicyApi, 'show'>;
  /** Learned procedures, frames of the workspace. */
  readonly sources?: readonly PackSource[];
}

export function contextPacks(services: PackServices, extras: PackExtras = {}): ContextPacks {
  const memory = packMemory(services);
  const workspace = packWorkspace(services, extras);
  const sources = [
    ruleSource(workspace),
    pinnedFactSource(memory),
    taskSource(workspace),
    blockerSource(workspace),
    factSource(memory),
    episodeSource(memory),
    credentialSource(workspace),
    ...(extras.sources ?? []),
  ].map((source) => withoutSecrets(source, services.redactor));
  return {
    build: (request) => buildPack(sources, request, packCap(request.vars['context_tokens'])),
    read: readFrom(sources),
  };
}

/** Content stored before a value came into the vault may still contain it. */
function withoutSecrets(source: PackSource, redactor: Redactor): PackSource {
  return {
    name: source.name,
    candidates: async (request) =>
      (await source.candidates(request)).map((one) => ({ ...one, text: redactor.text(one.text) })),
    read: async (item) => {
      const text = await source.read?.(item);
      return text === undefined ? undefined : redactor.text(text);
    },
  };
}

/** Shows packs without a run. */
export function openContextPack(services: PackServices & Pick<WorkspaceServices, 'packs'>): MemoryPackApi {
  return {
    preview: async ({ goal, cap, agent }) => {
      services.requireTrust();
      await services.primeRedactor();
      if (agent !== undefined) await (await services.agents()).load(agent);
      const vars: JsonObject = {
        ...(agent === undefined ? {} : { agent }),
        ...(cap === undefined ? {} : { context_tokens: cap }),
      };
      const pack = await (await services.packs()).build({ goal, vars });
      const { digest } = packManifest(pack);
      const items = pack.items.map(({ copied: _copied, span: _span, ...item }) => item);
      return { ...pack, items, digest: digest as string };
    },
  };
}

function packMemory(services: PackServices): PackMemory {
  const api = openMemory(services);
  const records = (): SqlMemoryRecords => new SqlMemoryRecords(services.ledger().tables);
  // Nothing before the adoption of a stranger's ledger is trusted.
  const adoptedUntil = async (): Promise<number> =>
    (await services.ledger().events.read(SYSTEM_STREAM)).findLast(({ type }) => type === 'ledger.adopted')
      ?.seq ?? 0;
  return {
    facts: async (limit) =>
      (await api.listFacts({ limit })).map(({ status, ...fact }) =>
        status === 'candidate' ? { ...fact, candidate: true } : fact,
      ),
    fact: (id) => records().fact(id),
    findFacts: async (query, limit) => (await api.searchFacts({ query, limit })).hits,
    findDaily: async (query, limit) => (await api.searchDaily({ query, limit })).hits,
    shownMessages: async (vars) => {
      const { ledger, clock } = services;
      return shownMessages(vars, { ledger, clock });
    },
    episode: (id) => records().episode(id),
    endedRun: async (id) => {
      const run = await services.ledger().runs.get(id);
      if (run?.endedAt === undefined || !ENDED.includes(run.status)) return undefined;
      const [started] = await services.ledger().events.read(`run/${id}`, 0);
      const isForeign = started !== undefined && started.seq <= (await adoptedUntil());
      const marked = started?.data['untrusted'] === true || isForeign ? { untrusted: true as const } : {};
      return { goal: run.goal, status: run.status, at: run.endedAt, ...marked };
    },
  };
}

const ENDED: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];
const OPEN: readonly RunStatus[] = ['waiting', 'paused'];
const LOOKED_THROUGH = 200;

function packWorkspace(services: PackServices, { policy }: PackExtras): PackWorkspace {
  return {
    instructions: async () => {
      const origins = await services.content?.();
      const found = await (await services.agents()).instructions();
      return Promise.all(
        found.map(async (one) =>
          (await origins?.untrustedFile(one.path)) === undefined
            ? one
            : { ...one, ofStrangers: true as const },
        ),
      );
    },
    policy: async () => {
      const rules = (await policy?.show())?.rules ?? [];
      return rules.filter(({ decision, effective }) => effective && decision !== 'allow');
    },
    credentials: async () => {
      const { credentials } = await (await services.vault()).list();
      return credentials.filter(({ status }) => status === 'active');
    },
    tasks: (request) => otherTasks(services.ledger(), request),
    blockers: (request) => blockersOf(services.ledger(), request),
  };
}

type Place = Pick<PackRequest, 'goal' | 'vars' | 'run'>;

/** The tasks of the plan that a run belongs to, or that is under way for the same goal, without its own. */
async function otherTasks(ledger: OpenLedger, { goal, vars, run }: Place) {
  const plan =
    run?.parent ?? (await openRuns(ledger, 'assistant')).find((one) => sameGoal(one.goal, goal))?.id;
  if (plan === undefined || plan === run?.id) return [];
  const graph = taskGraphOf(await ledger.events.read(`run/${plan}`));
  const own = (vars['task'] as JsonObject | undefined)?.['id'];
  return (graph?.tasks ?? []).filter(({ id }) => id !== own);
}

/** Blockers of runs for the same goal and of the same tree. */
async function blockersOf(ledger: OpenLedger, { goal, run }: Place) {
  const root = run && (await ledger.runs.get(run.parent ?? run.id))?.root;
  const concerns = (other: RunSummary): boolean =>
    other.id !== run?.id && (sameGoal(other.goal, goal) || (root !== undefined && other.root === root));
  const blockers: { id: string; waitsFor: string }[] = [];
  for (const { id, run: asker, kind, tool } of await ledger.runs.approvals({ status: 'pending' })) {
    const other = await ledger.runs.get(asker);
    if (other === undefined || !concerns(other)) continue;
    blockers.push({ id, waitsFor: kind === 'tool' ? `a person's approval of ${tool}` : "a person's answer" });
  }
  const paused = await ledger.runs.list({ status: 'paused', limit: LOOKED_THROUGH });
  for (const other of paused) if (concerns(other)) blockers.push({ id: other.id, waitsFor: 'being resumed' });
  return blockers;
}

async function openRuns(ledger: OpenLedger, kind: string): Promise<readonly RunSummary[]> {
  const lists = await Promise.all(
    [...OPEN, 'running' as const].map((status) => ledger.runs.list({ status, kind, limit: LOOKED_THROUGH })),
  );
  return lists.flat().sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
}

function sameGoal(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(goal: string): string {
  return goal.normalize('NFC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}
