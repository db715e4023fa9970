import { tokenise } from '../../retrieval/index.ts';
import type { PackRequest, PackSource } from './ports.ts';
import type { PackCandidate } from './types.ts';

type Place = Omit<PackRequest, 'limit'>;

/** What packs need of the workspace beside its memory. Each answers with nothing where there is nothing. */
export interface PackWorkspace {
  /** What people wrote for agents, outermost first. */
  instructions(): Promise<readonly { readonly path: string; readonly text: string }[]>;
  /** The rules of the policy under which calls are refused or asked about. */
  policy(): Promise<readonly { readonly match: string; readonly decision: string; readonly why: string }[]>;
  /** The other tasks of the plan that the run belongs to. */
  tasks(
    request: Place,
  ): Promise<readonly { readonly id: string; readonly title: string; readonly status: string }[]>;
  /** What other runs for the same goal wait for. */
  blockers(request: Place): Promise<readonly { readonly id: string; readonly waitsFor: string }[]>;
  /** The credentials that can be used, by name; never their values. */
  credentials(): Promise<readonly PackCredential[]>;
}

interface PackCredential {
  readonly name: string;
  readonly provider?: string;
  readonly accountHint?: string;
}

const SCORES = { policy: 4, instructions: 2, task: 2.5, blocker: 2, namedCredential: 1, credential: 0.1 };
const MOST_RULES = 30;

/** What always holds: the policy in one item, and what people wrote for agents. */
export function ruleSource({ instructions, policy }: PackWorkspace): PackSource {
  return {
    name: 'rules',
    candidates: async () => [
      ...policyCandidates(await policy()),
      ...(await instructions()).map(instructionCandidate),
    ],
  };
}

/** The plan around a task. What the task itself needs stands in its goal. */
export function taskSource({ tasks }: PackWorkspace): PackSource {
  return {
    name: 'tasks',
    candidates: async (request) =>
      (await tasks(request)).map(({ id, title, status }) => ({
        kind: 'task',
        id,
        // A model wrote the title, maybe after it had read what strangers wrote.
        text: `"${id}" of the same plan is ${status}: ${title.replaceAll(/\s+/gu, ' ').trim()}`,
        score: SCORES.task,
        untrusted: true,
        copied: true,
      })),
  };
}

/** What keeps others from reaching the same goal. */
export function blockerSource({ blockers }: PackWorkspace): PackSource {
  return {
    name: 'blockers',
    candidates: async (request) =>
      (await blockers(request)).map(({ id, waitsFor }) => ({
        kind: 'blocker',
        id,
        text: `another run for this goal waits for ${waitsFor}`,
        score: SCORES.blocker,
        copied: true,
      })),
  };
}

/** Which credentials there are, so that a model can ask for one by its name. */
export function credentialSource({ credentials }: PackWorkspace): PackSource {
  return {
    name: 'credentials',
    candidates: async ({ goal, limit }) => {
      const wanted = new Set(tokenise(goal));
      const found = (await credentials()).map((credential) => credentialCandidate(credential, wanted));
      return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
    },
  };
}

function policyCandidates(rules: Awaited<ReturnType<PackWorkspace['policy']>>): readonly PackCandidate[] {
  if (rules.length === 0) return [];
  const told = rules.slice(0, MOST_RULES).map(({ match, decision, why }) => `${decision} ${match} (${why})`);
  const more = rules.length > MOST_RULES ? `; and ${rules.length - MOST_RULES} more rules` : '';
  const text = `The person's policy for calls: ${told.join('; ')}${more}`;
  return [{ kind: 'constraint', id: 'policy', text, score: SCORES.policy, pinned: true, copied: true }];
}

function instructionCandidate(
  { path, text }: { readonly path: string; readonly text: string },
  place: number,
): PackCandidate {
  return {
    kind: 'constraint',
    id: path,
    text: `Instructions of the workspace (${path}):\n${text.trim()}`,
    score: SCORES.instructions - place / 1_000,
    pinned: true,
    copied: true,
  };
}

function credentialCandidate({ name, provider, accountHint }: PackCredential, wanted: ReadonlySet<string>) {
  const about = [provider, accountHint].filter((part) => part !== undefined);
  const named = tokenise([name, ...about].join(' ')).some((word) => wanted.has(word));
  return {
    kind: 'credential' as const,
    id: name,
    text: about.length === 0 ? name : `${name} (${about.join(', ')})`,
    score: named ? SCORES.namedCredential : SCORES.credential,
    copied: true as const,
  };
}
