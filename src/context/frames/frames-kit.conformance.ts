import { InMemoryFrameRecords } from '../../../test/support/in-memory-frame-records.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { digestOf, OkaError } from '../../kernel/index.ts';
import { type EventStore, MemoryEventStore } from '../../ledger/index.ts';
import { parentOf, pathIn } from '../paths.ts';
import { directoryNodeId, fileNodeId } from '../tree/node-ids.ts';
import type { ChildRef, NodeRecord, WorkspaceTree } from '../types.ts';
import { type AgentIdentity, identityOf, USER_IDENTITY } from './agent-identity.ts';
import { ContextFrames, type FrameServices } from './context-frames.ts';
import { frameProjection } from './frame-projection.ts';
import type { ContentBlobs, ContextParts, FrameRecords } from './ports.ts';
import { SynthesisPolicies } from './synthesis-policies.ts';

/** A tree of files that a test makes up. Its ids are those that a scan would find. */
export class MadeUpTree implements WorkspaceTree {
  readonly #contents = new Map<string, string>();
  #nodes: ReadonlyMap<string, NodeRecord> | undefined;
  #children = new Map<string, ChildRef[]>();

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  write(path: string, content: string): void {
    this.#contents.set(path, content);
    this.#nodes = undefined;
  }

  remove(path: string): void {
    this.#contents.delete(path);
    this.#nodes = undefined;
  }

  async root(): Promise<string | undefined> {
    return this.#scanned().get('')?.id;
  }

  async node(path: string): Promise<NodeRecord | undefined> {
    return this.#scanned().get(path);
  }

  async byId(prefix: string): Promise<readonly NodeRecord[]> {
    return [...this.#scanned().values()].filter(({ id }) => id.startsWith(prefix)).slice(0, 2);
  }

  async children(path: string): Promise<readonly ChildRef[]> {
    this.#scanned();
    return this.#children.get(path) ?? [];
  }

  async unchecked(): Promise<undefined> {}
  async compare(): Promise<void> {}

  #scanned(): ReadonlyMap<string, NodeRecord> {
    if (this.#nodes) return this.#nodes;
    const names = new Map<string, Set<string>>([['', new Set()]]);
    for (const path of this.#contents.keys()) {
      for (let at = path; at !== ''; ) {
        const parent = parentOf(at) ?? '';
        const siblings = names.get(parent) ?? new Set();
        names.set(parent, siblings.add(at.slice(parent === '' ? 0 : parent.length + 1)));
        at = parent;
      }
    }
    const nodes = new Map<string, NodeRecord>();
    this.#children = new Map();
    const visit = (path: string): NodeRecord => {
      const content = this.#contents.get(path);
      const node: NodeRecord =
        content === undefined ? this.#directory(path, names, visit) : fileNode(path, content);
      nodes.set(path, node);
      return node;
    };
    visit('');
    this.#nodes = nodes;
    return nodes;
  }

  #directory(
    path: string,
    names: ReadonlyMap<string, ReadonlySet<string>>,
    visit: (path: string) => NodeRecord,
  ): NodeRecord {
    const own = [...(names.get(path) ?? [])].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const nodes = own.map((name) => visit(pathIn(path, name)));
    this.#children.set(
      path,
      nodes.map(({ id, kind }, i) => ({ name: own[i] as string, id, kind })),
    );
    const kinds = nodes.map(({ kind }) => (kind === 'file' ? 'f' : 'd')).join('');
    const contents = nodes.map(({ id, contentHash }) => contentHash ?? id);
    return { id: directoryNodeId(path, { names: own, kinds, contents }), path, kind: 'directory' };
  }
}

function fileNode(path: string, content: string): NodeRecord {
  const contentHash = digestOf(content);
  return { id: fileNodeId(path, contentHash, false), path, kind: 'file', contentHash, executable: false };
}

/** Content kept in memory; a test may damage it. */
class MadeUpBlobs implements ContentBlobs {
  readonly kept = new Map<string, Uint8Array>();

  async put(content: string) {
    const digest = digestOf(content);
    this.kept.set(digest, new TextEncoder().encode(content));
    return digest;
  }

  async get(digest: string): Promise<Uint8Array | undefined> {
    return this.kept.get(digest);
  }
}

const AGENTS: readonly AgentIdentity[] = [
  USER_IDENTITY,
  identityOf('reader', 'reader'),
  identityOf('writer', 'writer'),
  identityOf('synthesizer', 'synthesis'),
];

/** Frames on a tree that a test makes up, in memory unless the test brings stores of its own. */
export function framesKit(
  files: Readonly<Record<string, string>> = {},
  own: Partial<ContextParts> & { readonly events?: EventStore; readonly records?: FrameRecords } = {},
) {
  const clock = (own.clock as ManualClock | undefined) ?? new ManualClock();
  const events = new MemoryEventStore({ clock, random: seededRandom(), projections: [frameProjection] });
  const tree = (own.tree as MadeUpTree | undefined) ?? new MadeUpTree(files);
  const blobs = new MadeUpBlobs();
  const trees = { current: () => parts.tree, whole: () => parts.tree, scanned: () => parts.tree };
  const parts: ContextParts & FrameServices = {
    trees,
    events,
    records: new InMemoryFrameRecords(events.tables),
    tree,
    blobs,
    agents: {
      find: async (agent) => {
        const found = AGENTS.find(({ id }) => id === agent);
        if (found) return found;
        throw new OkaError('agent.unknown', `there is no agent "${agent}".`);
      },
    },
    policies: new SynthesisPolicies(),
    redact: (value) => value,
    clock,
    ...own,
  };
  const frames = new ContextFrames(parts);
  const put = async (node: string, content: string, more: { type?: string; agent?: string } = {}) => {
    const { type = 'note', agent = 'user' } = more;
    clock.advance(1);
    return (await frames.putFrame({ node, content, type, agent, by: 'tester' })).frame;
  };
  const synthesize = (node: string, more: { policy?: string; type?: string; recursive?: boolean } = {}) => {
    clock.advance(1);
    const usual = { type: 'note', recursive: false, agent: 'user', by: 'tester' };
    return frames.synthesize({ ...usual, node, ...more });
  };
  const regenerate = (node: string, more: { recursive?: boolean; dryRun?: boolean } = {}) => {
    clock.advance(1);
    return frames.regenerate({ node, recursive: true, dryRun: false, agent: 'user', by: 'tester', ...more });
  };
  const contentOf = async (node: string, type = 'note'): Promise<string | undefined> => {
    const { head } = await frames.getHead(node, type);
    const { frames: all } = await frames.getNode(node, { maxFrames: 1_000 }, 'user');
    const frame = all.find(({ id }) => id === head?.id);
    return frame && 'content' in frame ? frame.content : undefined;
  };
  return {
    clock,
    events: parts.events,
    memory: events,
    tree,
    blobs,
    parts,
    frames,
    put,
    synthesize,
    regenerate,
    contentOf,
  };
}
