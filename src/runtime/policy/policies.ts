import { PolicyFiles, realPathIn } from '../../adapters/workspace/index.ts';
import { defaultPolicy, type Policy, type PolicyRequest, type PolicyVerdict } from '../../engine/index.ts';
import { isOkaError } from '../../kernel/index.ts';
import type { PolicySource, PolicySources } from '../../policy/index.ts';

/** The folders of policies. Files of the workspace are read only if it is trusted. */
export interface PolicyPlace {
  readonly workspaceFolder: string;
  readonly home: string;
  readonly trusted: boolean;
}

/** Loaded lazily: reading policies needs a Markdown parser. */
export const loadDomain = () => import('../../policy/index.ts');
export type PolicyDomain = Awaited<ReturnType<typeof loadDomain>>;

/**
 * The effective policy, which is read again when one of its files changes. An unreadable policy is an error at the start; later
 * it denies everything until it is fixed.
 */
export async function loadPolicy(place: PolicyPlace): Promise<Policy> {
  const files = new PolicyFiles(place);
  const stamp = files.stamp();
  const sources = sourcesOf(files, place.workspaceFolder);
  const domain = isEmpty(sources) ? undefined : await loadDomain();
  return new LivePolicy(files, place.workspaceFolder, stamp, domain, domain?.compilePolicy(sources));
}

class LivePolicy implements Policy {
  readonly #files: PolicyFiles;
  readonly #workspace: string;
  #stamp: string;
  #domain: PolicyDomain | undefined;
  #current: Policy;

  constructor(
    files: PolicyFiles,
    workspace: string,
    stamp: string,
    domain: PolicyDomain | undefined,
    current: Policy = defaultPolicy,
  ) {
    this.#files = files;
    this.#workspace = workspace;
    this.#stamp = stamp;
    this.#domain = domain;
    this.#current = current;
  }

  get version(): string {
    this.#follow();
    return this.#current.version;
  }

  decide(request: PolicyRequest): PolicyVerdict {
    this.#follow();
    return this.#current.decide(request);
  }

  #follow(): void {
    const stamp = this.#files.stamp();
    if (stamp === this.#stamp) return;
    try {
      const sources = sourcesOf(this.#files, this.#workspace);
      if (!isEmpty(sources) && this.#domain === undefined) {
        this.#current = whileUnread;
        void loadDomain().then((domain) => {
          this.#domain = domain;
        });
        return; // The stamp stays as it was, so that the next call looks again.
      }
      this.#current = this.#domain?.compilePolicy(sources) ?? defaultPolicy;
    } catch (error) {
      if (!isOkaError(error)) throw error;
      this.#current = refusing(error.message);
    }
    this.#stamp = stamp;
  }
}

/** A policy that appeared but cannot be read yet asks for everything. */
const whileUnread: Policy = {
  version: 'unread',
  decide: () => ({ decision: 'ask', rule: 'policy', why: 'a policy has just appeared and is not read yet' }),
};

function refusing(why: string): Policy {
  return { version: 'unreadable', decide: () => ({ decision: 'deny', rule: 'policy', why }) };
}

function isEmpty({ user, project }: PolicySources): boolean {
  return user === undefined && (project ?? []).length === 0;
}

/** The effective texts. */
export function sourcesOf(files: PolicyFiles, workspace: string): PolicySources {
  const found = files.read();
  const of = (owner: 'user' | 'project'): PolicySource[] =>
    found.flatMap(({ owner: whose, source }) => (whose === owner && source ? [source] : []));
  const [user] = of('user');
  return { ...(user ? { user } : {}), project: of('project'), workspace, realPath: realPathIn(workspace) };
}
