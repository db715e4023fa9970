// Owns: the grants of a workspace, one file each in the user's folder, so that concurrent changes do not overwrite each other.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, writeNewFile } from '../../disk/index.ts';
import type { Grant, Grants } from '../../engine/index.ts';
import { asObject, type Clock, type Json } from '../../kernel/index.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { keyOfWorkspace, type WorkspaceIdentity } from './workspace-identity.ts';

/** The format of earlier versions: grants by the path of a workspace, without end. */
interface EarlierGrants {
  readonly workspaces: Readonly<Record<string, readonly Omit<Grant, 'id'>[]>>;
}

/** A grant with what `oka grants list` shows about it. */
export interface ListedGrant extends Grant {
  /** Why it covers nothing any more. */
  readonly void?: string;
}

const FILE = /^([0-9A-Za-z]{1,64})\.json$/;
const EARLIER_PREFIX = 'earlier-';

export class GrantFiles implements Grants {
  readonly #folder: string;
  readonly #earlier: string;
  readonly #path: string;
  readonly #clock: Clock;

  constructor(home: string, workspace: WorkspaceIdentity, clock: Clock) {
    this.#folder = join(home, 'grants', keyOfWorkspace(workspace));
    this.#earlier = join(home, 'grants.json');
    this.#path = workspace.path;
    this.#clock = clock;
  }

  /** Read anew each time, because another process may revoke a grant. */
  of(tool: string): readonly Grant[] {
    return this.list().filter((grant) => grant.tool === tool && grant.void === undefined);
  }

  async add(grant: Grant): Promise<void> {
    makePrivateFolder(join(this.#folder, '..'));
    makePrivateFolder(this.#folder);
    writeNewFile(join(this.#folder, `${grant.id}.json`), `${JSON.stringify(grant, null, 2)}\n`);
  }

  /** All grants of the workspace, also those that cover nothing any more; the newest first. */
  list(): readonly ListedGrant[] {
    return [...this.#current(), ...this.#earlierOnes()].sort((a, b) => b.at - a.at);
  }

  /** Removes these grants. Unknown ids are ignored. */
  revoke(ids: ReadonlySet<string>): void {
    for (const { id } of this.#current())
      if (ids.has(id)) rmSync(join(this.#folder, `${id}.json`), { force: true });
    const earlier = this.#earlierOnes();
    if (!earlier.some(({ id }) => ids.has(id))) return;
    const { workspaces } = this.#readEarlier();
    const kept = earlier.filter(({ id }) => !ids.has(id)).map(({ id: _, void: __, ...grant }) => grant);
    writeJsonFile(this.#earlier, {
      workspaces: { ...workspaces, [this.#path]: kept },
    } satisfies EarlierGrants);
  }

  #current(): readonly ListedGrant[] {
    if (!existsSync(this.#folder)) return [];
    const now = this.#clock.now();
    return readdirSync(this.#folder).flatMap((name) => {
      const id = FILE.exec(name)?.[1];
      const grant = id === undefined ? undefined : readJsonFile(join(this.#folder, name));
      // Another process may have revoked it meanwhile.
      if (id === undefined || grant === undefined) return [];
      const { expiresAt = 0 } = grant as Grant;
      const why = expiresAt > now ? voidWords(grant as Grant) : 'expired';
      return [{ ...(grant as Grant), id, ...(why === undefined ? {} : { void: why }) }];
    });
  }

  #earlierOnes(): readonly ListedGrant[] {
    const { workspaces } = this.#readEarlier();
    const given = Object.hasOwn(workspaces, this.#path) ? workspaces[this.#path] : [];
    const found = Array.isArray(given) ? given : [];
    return found.map((grant, index) => ({
      ...grant,
      id: `${EARLIER_PREFIX}${index + 1}`,
      void: 'given in an earlier version, which bound it to a path only',
    }));
  }

  #readEarlier(): EarlierGrants {
    const { workspaces } = asObject(readJsonFile(this.#earlier) as Json | undefined);
    return { workspaces: asObject(workspaces) as unknown as EarlierGrants['workspaces'] };
  }
}

/** Earlier versions put `…` for words that might differ. Now every word must be the one that the card showed. */
function voidWords({ binding }: Grant): string | undefined {
  const { argv } = asObject(binding?.scope);
  const isOpen = Array.isArray(argv) && argv.some((word) => typeof word === 'string' && /(^|=)…$/.test(word));
  return isOpen ? 'given in an earlier version, for any text in place of …' : undefined;
}
