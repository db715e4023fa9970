import { tokenise } from '../../retrieval/index.ts';
import type { PackCandidate, PackRequest, PackSource } from './types.ts';

type Place = Omit<PackRequest, 'limit'>;

/** The workspace apart from its memory, as packs need it. Methods return an empty list if there is nothing. */
export interface PackWorkspace {
  /** Instructions for agents, outermost first. */
  instructions(): Promise<readonly PackInstructions[]>;
  /** The policy rules that deny calls or require approval. */
  policy(): Promise<readonly { readonly match: string; readonly decision: string; readonly why: string }[]>;
  /** The other tasks of the run's plan. */
  tasks(
    request: Place,
  ): Promise<readonly { readonly id: string; readonly title: string; readonly status: string }[]>;
  /** What other runs with the same goal wait for. */
  blockers(request: Place): Promise<readonly { readonly id: string; readonly waitsFor: string }[]>;
  /** The usable credentials, without their values. */
  credentials(): Promise<readonly PackCredential[]>;
}

interface PackInstructions {
  readonly path: string;
  readonly text: string;
  /** Written by a run that had read untrusted content: information instead of instructions. */
  readonly ofStrangers?: true;
}

interface PackCredential {
  readonly name: string;
  readonly provider?: string;
  readonly accountHint?: string;
}

const SCORES = { policy: 4, instructions: 2, task: 2.5, blocker: 2, namedCredential: 1, credential: 0.1 };
const MAX_RULES = 30;

/** The policy as one item, and the instructions for agents. */
export function ruleSource({ instructions, policy }: PackWorkspace): PackSource {
  return {
    name: 'rules',
    candidates: async () => [
      ...policyCandidates(await policy()),
      ...(await instructions()).map(instructionCandidate),
    ],
  };
}

/** The other tasks of the plan. The task's own input is part of its goal. */
export function taskSource({ tasks }: PackWorkspace): PackSource {
  return {
    name: 'tasks',
    candidates: async (request) =>
      (await tasks(request)).map(({ id, title, status }) => ({
        kind: 'task',
        id,
        // A model wrote the title, possibly after reading untrusted content.
        text: `"${id}" of the same plan is ${status}: ${title.replaceAll(/\s+/gu, ' ').trim()}`,
        score: SCORES.task,
        untrusted: true,
        copied: true,
      })),
  };
}

/** What blocks other runs with the same goal. */
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

/** The available credentials, so that a model can ask for one by name. */
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
  const shown = rules.slice(0, MAX_RULES).map(({ match, decision, why }) => `${decision} ${match} (${why})`);
  const more = rules.length > MAX_RULES ? `; and ${rules.length - MAX_RULES} more rules` : '';
  const text = `The person's policy for calls: ${shown.join('; ')}${more}`;
  return [{ kind: 'constraint', id: 'policy', text, score: SCORES.policy, pinned: true, copied: true }];
}

function instructionCandidate({ path, text, ofStrangers }: PackInstructions, place: number): PackCandidate {
  return {
    kind: 'constraint',
    id: path,
    text: `Instructions of the workspace (${path}):\n${text.trim()}`,
    score: SCORES.instructions - place / 1_000,
    pinned: true,
    copied: true,
    ...(ofStrangers ? { untrusted: true, ofStrangers } : {}),
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
