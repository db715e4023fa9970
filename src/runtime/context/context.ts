// Owns: the context of one workspace as the faces and the tools of runs see it. Does not own: the tree
// (context-tree.ts), or what frames mean (src/context).
import { SqlFrameRecords } from '../../adapters/sql/index.ts';
import type { ContextApi, FrameView, TreeChangeView, WrittenFrameAnswer } from '../../api/index.ts';
import {
  type ContextAgents,
  ContextFrames,
  findFrame,
  identityOf,
  SynthesisPolicies,
  USER_AGENT,
  USER_IDENTITY,
  type WrittenFrame,
} from '../../context/index.ts';
import type { Digest } from '../../kernel/index.ts';
import type { Agents } from '../agents/agents.ts';
import { openArtifacts } from '../ledger/open-artifacts.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { cutPage, parseCursor } from '../services/cursor.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { frameGenerator, generationRun } from './context-generation.ts';
import { ContextTree, type ContextTreeServices } from './context-tree.ts';
import { openedTree } from './open-trees.ts';
import { RegenerateOnChange } from './regenerate-on-change.ts';

const MEDIA_TYPE = 'text/markdown';

export type ContextServices = ContextTreeServices &
  Pick<WorkspaceServices, 'redactor' | 'writableRedacted'> &
  Partial<Pick<WorkspaceServices, 'contextExtras'>> & {
    readonly agents: () => Promise<Pick<Agents, 'load'> & Partial<Pick<Agents, 'untrustedBrief'>>>;
  };

/** The tree of a workspace. */
export function treeOf(services: ContextTreeServices): ContextTree {
  return openedTree(services.folder, () => new ContextTree(services));
}

/** Frames, and what they are worked on with. */
export interface OpenFrames {
  readonly frames: ContextFrames;
  readonly records: SqlFrameRecords;
}

/** The frames on a ledger. Its writers must be asked only once the ledger may be written. */
export function framesOn(
  services: ContextServices,
  ledger: Pick<OpenLedger, 'tables' | 'events' | 'shared'>,
): OpenFrames {
  const { clock, redactor, contextExtras } = services;
  const records = new SqlFrameRecords(ledger.tables);
  const store = openArtifacts(services, ledger);
  const frames = new ContextFrames({
    events: ledger.events,
    records,
    trees: treeOf(services),
    blobs: {
      put: async (content) => (await store.put(content, { mediaType: MEDIA_TYPE })).digest,
      get: (digest) => store.get(digest as Digest),
    },
    agents: agentsOf(services),
    policies: new SynthesisPolicies(),
    redact: (value) => redactor.known(value),
    clock,
    changeTimes: () => treeOf(services).changeTimes(),
    ...contextExtras,
  });
  return { frames, records };
}

function agentsOf({ agents }: Pick<ContextServices, 'agents'>): ContextAgents {
  return {
    find: async (agent) => {
      if (agent === USER_AGENT) return USER_IDENTITY;
      const { contextRole } = await (await agents()).load(agent);
      return identityOf(agent, contextRole);
    },
  };
}

/** All that can be done with the context of one workspace. */
export function openContext(services: ContextServices & Pick<WorkspaceServices, 'start'>): ContextApi {
  return new Context(services);
}

class Context implements ContextApi {
  readonly #services: ContextServices & Pick<WorkspaceServices, 'start'>;
  readonly #tree: ContextTree;
  /** One for each open ledger, so that its writers wait for each other. */
  readonly #opened = new WeakMap<OpenLedger, OpenFrames>();

  constructor(services: ContextServices & Pick<WorkspaceServices, 'start'>) {
    this.#services = services;
    this.#tree = treeOf(services);
  }

  scan: ContextApi['scan'] = (request) => this.#tree.scan(request);
  treeStatus: ContextApi['treeStatus'] = () => this.#tree.treeStatus();
  roots: ContextApi['roots'] = (limit) => this.#tree.roots(limit);
  diff: ContextApi['diff'] = async (from, to) => {
    const { after, until, isReversed, changes, ...tree } = await this.#tree.diff(from, to);
    const range = { after, until, isReversed, changes };
    return { ...tree, ...(await this.#reading().frames.diff(range)) };
  };

  watch: ContextApi['watch'] = async ({ regenerate: order, onRegenerated, ...request }) => {
    if (order === undefined) return this.#tree.watch(request);
    const frames = await this.#writing();
    const { models, ...scope } = order;
    const generator = models ? { generator: frameGenerator(this.generate) } : {};
    const usual = { ...scope, ...generator, recursive: true, dryRun: false, by: request.by };
    // Reports a missing permission or node before the watch starts.
    await this.#tree.update({ by: request.by });
    await frames.regenerate({ ...usual, paths: new Set() });
    const passes = new RegenerateOnChange({
      regenerate: async (paths) => ({
        dryRun: false,
        ...(await frames.regenerate({ ...usual, ...(paths === undefined ? {} : { paths }) })),
      }),
      onRegenerated: (answer) => onRegenerated?.(answer),
      onWarning: (what) => request.onWarning?.(what),
      signal: request.signal,
    });
    const ready = (root: string): void => {
      request.onReady?.(root);
      passes.start();
    };
    const changed = (change: TreeChangeView): void => {
      request.onChange(change);
      passes.add(change);
    };
    await this.#tree.watch({ ...request, onReady: ready, onChange: changed });
    await passes.settled();
  };

  status: ContextApi['status'] = async () => ({
    ...(await this.#tree.treeStatus()),
    ...(await this.#reading().frames.counts()),
  });

  getNode: ContextApi['getNode'] = async ({ node, view = {}, agent }) =>
    this.#reading().frames.getNode(node, view, agent);

  children: ContextApi['children'] = async ({ node, limit, cursor }) => {
    const after = cursor === undefined ? {} : { after: parseCursor(cursor) };
    // One more tells whether there is a next page.
    const page = await this.#reading().frames.children(node, { limit: limit + 1, ...after });
    const { path, heads, start, children } = page;
    const placeOf = ({ name }: { readonly name: string }) => ({ at: start + limit - 1, id: name });
    return { path, heads, ...cutPage(children, limit, placeOf) };
  };

  listFrames: ContextApi['listFrames'] = async ({ node, type }) =>
    this.#reading().frames.listFrames(node, type);

  getHead: ContextApi['getHead'] = async ({ node, type }) => {
    const { head = null, ...mark } = await this.#reading().frames.getHead(node, type);
    return { head, ...mark };
  };

  compose: ContextApi['compose'] = async (request) => {
    const { node, agent, nodeMax, parentMax, siblingsMax, relatedMax, ...policy } = request;
    const quotas = {
      ...(nodeMax === undefined ? {} : { node: nodeMax }),
      ...(parentMax === undefined ? {} : { parent: parentMax }),
      ...(siblingsMax === undefined ? {} : { siblings: siblingsMax }),
      ...(relatedMax === undefined ? {} : { related: relatedMax }),
    };
    return this.#reading().frames.compose(node, { ...policy, quotas }, agent);
  };

  putFrame: ContextApi['putFrame'] = async (request) =>
    this.#answer(await (await this.#writing()).putFrame(request));

  synthesize: ContextApi['synthesize'] = async (request) => {
    const { skipped, appended, ...written } = await (await this.#writing()).synthesize(request);
    return { ...(await this.#answer(written)), skipped, appended };
  };

  regenerate: ContextApi['regenerate'] = async ({ models, ...request }) => {
    const { dryRun } = request;
    const frames = dryRun ? this.#reading().frames : await this.#writing();
    const generator = models ? { generator: frameGenerator(this.generate) } : {};
    return { dryRun, ...(await frames.regenerate({ ...request, ...generator })) };
  };

  invalidate: ContextApi['invalidate'] = async (request) => (await this.#writing()).invalidate(request);

  generate: ContextApi['generate'] = async ({ onEvent, onText, onActivity, signal, ...order }) => {
    // What cannot be asked is refused at once and leaves no run behind.
    await (await this.#writing()).prepareGeneration(order);
    const watching = { onEvent, onText, onActivity, ...(signal === undefined ? {} : { signal }) };
    const run = await this.#services.start(generationRun(order), { patienceMs: 0, ...watching });
    const { frame, asked } = (run.output ?? {}) as { frame?: unknown; asked?: boolean };
    if (typeof frame !== 'string') return run;
    const { content } = (await findFrame(this.#reading().frames.reading(), frame)) ?? {};
    const said = content === undefined ? {} : { content };
    return { ...run, frame: { ...(await this.#frame(frame)), ...said }, asked: asked !== false };
  };

  validate: ContextApi['validate'] = async () => {
    const faults = [...(await this.#tree.faults()), ...(await this.#reading().frames.validate())];
    return { ok: faults.length === 0, faults };
  };

  report: ContextApi['report'] = async (request) => ({
    ...(await this.#tree.treeStatus()),
    ...(await this.#reading().frames.report(request)),
  });

  #reading(): OpenFrames {
    return this.#on(this.#services.ledger());
  }

  async #writing(): Promise<ContextFrames> {
    return this.#on(await this.#services.writableRedacted()).frames;
  }

  #on(ledger: OpenLedger): OpenFrames {
    const known = this.#opened.get(ledger) ?? framesOn(this.#services, ledger);
    this.#opened.set(ledger, known);
    return known;
  }

  async #answer({ frame, outcome }: WrittenFrame): Promise<WrittenFrameAnswer> {
    return { frame: await this.#frame(frame), outcome };
  }

  async #frame(id: string): Promise<FrameView> {
    const record = await this.#reading().records.frame(id);
    const { basis: _basis, content: _content, blob: _blob, ...view } = record as NonNullable<typeof record>;
    return view;
  }
}
