// Owns: which operations are reached over HTTP, and how. Does not own: the server, and the schemas of the operations.
import type { JsonObject } from '../kernel/index.ts';
import { OPERATIONS, type OperationName } from './operations.ts';

/** A route of the HTTP API. Its schemas are those of its operation, so none exists without them. */
export interface HttpRoute {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** OpenAPI form: `/v1/runs/{run}/explain`. Path parameters have the names of the operation's arguments. */
  readonly path: string;
  readonly summary: string;
  /** `browser`: only a browser session may call it, because it acts as the person at the machine. */
  readonly access: 'token' | 'browser';
  /** Values of fields that a request may leave out. */
  readonly defaults: JsonObject;
  /** It drives a run: the server answers 202 with the run as soon as it is recorded, and the run continues. */
  readonly background?: true;
  /** The answer is sent as a file of this type: its `html`, under its `name`. */
  readonly file?: 'text/html';
}

type Reached = Omit<HttpRoute, 'operation'>;
type Entry = Reached | { readonly without: string };

/** Fields of many operations that a request may leave out. */
const DEFAULTS = { by: 'web', patienceMs: 0, limit: 100, simulate: false, budgets: {}, vars: {} };

const route =
  (method: HttpRoute['method'], access: HttpRoute['access'] = 'token') =>
  (path: string, summary: string, defaults: JsonObject = {}): Reached => ({
    ...{ method, path, summary, access },
    defaults: { ...DEFAULTS, ...defaults },
  });
const get = route('GET');
const post = route('POST');
const remove = route('DELETE');
/** Changes that only the person may make. */
const personPosts = route('POST', 'browser');
const personPuts = route('PUT', 'browser');
const personRemoves = route('DELETE', 'browser');
const drives = (entry: Reached): Reached => ({ ...entry, background: true });
/** An operation that deliberately has no route, and why. */
const without = (why: string): Entry => ({ without: why });

const TERMINAL_ONLY = 'It asks for or shows secrets, which only the terminal does.';
const DAEMON_DOES = 'The daemon does it automatically.';
const WORKSPACE_SETUP = 'It replaces or sets up a workspace, while no daemon runs on it.';
const PROGRAMS_STREAM = 'It follows events without end. Use GET /v1/events.';

/** Every operation: its route, or why it has none. The type rejects a missing one. */
const TABLE: Readonly<Record<OperationName, Entry>> = {
  init: without(WORKSPACE_SETUP),
  do: drives(post('/v1/runs', 'Give a goal to an agent')),
  'runs.list': without('The list is not paged. Use GET /v1/runs, which is runs.page.'),
  workers: get('/v1/workers', 'List the workers of the cluster and their state'),
  overview: get('/v1/overview', 'Show the state of the workspace'),
  'runs.page': get('/v1/runs', 'List runs, the newest first'),
  'runs.events': get('/v1/runs/{run}/events', 'List the events of a run and its descendants, in order'),
  'runs.artifact': get('/v1/runs/{run}/artifacts/{digest}', 'Get an artifact of a run'),
  'runs.show': get('/v1/runs/{run}', 'Show a run'),
  'runs.explain': get('/v1/runs/{run}/explain', 'Explain every step of a run'),
  'runs.replay': get('/v1/runs/{run}/replay', 'Replay a run and compare it with its record', {
    mode: 'narrative',
  }),
  'runs.export': {
    ...get('/v1/runs/{run}/export', 'Export a run as one HTML file that verifies itself'),
    file: 'text/html',
  },
  'runs.pause': post('/v1/runs/{run}/pause', 'Pause a run at its next step'),
  'runs.resume': drives(post('/v1/runs/{run}/resume', 'Resume a run', { repin: false, addBudgets: {} })),
  'runs.signal': drives(post('/v1/runs/{run}/signal', 'Send an event to a run that waits for it')),
  'runs.fork': drives(post('/v1/runs/{run}/fork', 'Start a new run from a step of a run')),
  'runs.cancel': post('/v1/runs/{run}/cancel', 'Cancel a run', { reason: 'cancelled by the user' }),
  'runs.undo': post('/v1/runs/{run}/undo', 'Undo the file changes of a run', { force: false }),
  'runs.changes': get('/v1/changes', 'List the files that runs changed'),
  'runs.correct': personPosts('/v1/runs/{run}/correct', 'Record a correction of a run'),
  'runs.pinDifferences': get('/v1/runs/{run}/pin-differences', 'List what has changed since a run started'),
  'approvals.list': without('The list is not paged. Use GET /v1/approvals, which is approvals.page.'),
  'approvals.page': get('/v1/approvals', 'List requests to a person, the newest first', { brief: true }),
  'approvals.show': get('/v1/approvals/{id}', 'Show an approval'),
  'approvals.approve': drives(
    personPosts('/v1/approvals/{id}/approve', 'Approve a call or answer a question'),
  ),
  'approvals.deny': drives(personPosts('/v1/approvals/{id}/deny', 'Deny a call')),
  'graphs.schema': get('/v1/graph-schema', 'Get the JSON Schema of graph files'),
  'graphs.gallery': get('/v1/graph-gallery', 'List the example graphs that come with Oka'),
  'graphs.list': get('/v1/graphs', 'List the graphs of the workspace'),
  'graphs.validate': get('/v1/graphs/{graph}/validate', 'Validate a graph file'),
  'graphs.show': get('/v1/graphs/{graph}', 'Show a graph'),
  'graphs.check': post('/v1/graphs/check', 'Validate a graph that is not in a file'),
  'graphs.save': personPuts('/v1/graphs/{graph}', 'Write a graph file'),
  'graphs.versions': get('/v1/graphs/{graph}/versions', 'List the versions of a graph, the newest first'),
  'graphs.version': get('/v1/graphs/{graph}/versions/{revision}', 'Show a version of a graph'),
  'graphs.render': get(
    '/v1/graph-picture',
    'Draw a graph, or the graph of a run with the status of each node',
    {
      format: 'svg',
    },
  ),
  'graphs.patch': personPosts('/v1/graphs/{graph}/patch', 'Change one field of a graph file'),
  'graphs.build': personPosts('/v1/graphs/build', 'Build a graph from a description', { dryRun: false }),
  'graphs.fromRun': personPosts('/v1/runs/{run}/graph', 'Build a graph from the steps of a run', {
    dryRun: false,
  }),
  'graphs.run': drives(post('/v1/graphs/{graph}/run', 'Run a graph', { input: {} })),
  'graphs.replay': drives(
    post('/v1/runs/{run}/rerun', 'Run the graph of a run again with the recorded input'),
  ),
  'graphs.runs': without('Use GET /v1/runs?graph=…, which is paged.'),
  'graphs.repinDifferences': get(
    '/v1/runs/{run}/repin-differences',
    'Compare the graph of a run with the current one',
  ),
  'graphs.state.list': get('/v1/graphs/{graph}/state', 'List the state of a graph'),
  'graphs.state.get': get('/v1/graphs/{graph}/state/{key}', 'Get a value of the state of a graph'),
  'graphs.state.history': get('/v1/graphs/{graph}/state/{key}/history', 'List the earlier values of a key'),
  'graphs.state.checkpoints': get(
    '/v1/runs/{run}/checkpoints',
    'List the steps that a run can be forked from',
  ),
  'graphs.schedules.add': personPosts('/v1/schedules', 'Add a schedule'),
  'graphs.schedules.list': get('/v1/schedules', 'List schedules with their next firings'),
  'graphs.schedules.preview': get('/v1/schedule-preview', 'List the times at which a cron expression fires'),
  'graphs.schedules.firings': get('/v1/schedules/{id}/firings', 'List the firings and misses of a schedule'),
  'graphs.schedules.enable': personPosts('/v1/schedules/{id}/enable', 'Enable a schedule'),
  'graphs.schedules.disable': personPosts('/v1/schedules/{id}/disable', 'Disable a schedule'),
  'graphs.schedules.delete': personRemoves('/v1/schedules/{id}', 'Delete a schedule'),
  'graphs.schedules.trigger': drives(post('/v1/schedules/{id}/trigger', 'Fire a schedule now')),
  'graphs.schedules.tick': without(DAEMON_DOES),
  'graphs.schedules.process': without('The daemon that serves HTTP is the process that runs schedules.'),
  'graphs.schedules.loop': without(DAEMON_DOES),
  'tools.list': get('/v1/tools', 'List tools'),
  'tools.show': get('/v1/tools/{name}', 'Show a tool with its schemas'),
  'tools.call': drives(post('/v1/tools/{tool}/call', 'Call one tool as a run')),
  'models.configured': without('GET /v1/models lists the same names with more.'),
  'models.use': without('POST /v1/models does the same and tests the model.'),
  'models.setPrice': personPuts('/v1/model-prices', 'Set the price of a model'),
  'models.providers': get('/v1/model-providers', 'List model providers and where their keys are'),
  'models.offered': personPosts('/v1/model-providers/{provider}/models', 'List the models of a provider'),
  'models.add': personPosts('/v1/models', 'Add a model', { test: true, makeDefault: false }),
  'models.list': get('/v1/models', 'List configured models'),
  'models.test': personPosts('/v1/model-test', 'Call a model and record what it cannot do'),
  'models.setDefault': personPuts('/v1/models/default', 'Make a model the default'),
  'models.remove': personRemoves('/v1/models/{name}', 'Remove a model'),
  'models.offerOnce': without('It remembers that a terminal has offered to add a model.'),
  'memory.stats': get('/v1/memory', 'Count facts and episodes'),
  'memory.addFact': post('/v1/memory/facts', 'Add a fact'),
  'memory.getFact': get('/v1/memory/facts/{id}', 'Show a fact'),
  'memory.listFacts': without('The list is not paged. Use GET /v1/memory/facts, which is memory.pageFacts.'),
  'memory.pageFacts': get('/v1/memory/facts', 'List facts, the newest first'),
  'memory.searchFacts': get('/v1/memory/search/facts', 'Search facts', { limit: 20 }),
  'memory.review': get('/v1/memory/review', 'List facts that wait for a review'),
  'memory.history': get('/v1/memory/facts/{id}/history', 'List the versions of a fact'),
  'memory.undoFact': personPosts('/v1/memory/facts/{id}/undo', 'Restore what a fact superseded'),
  'memory.confirmFact': personPosts('/v1/memory/review/{id}/confirm', 'Confirm a fact under review'),
  'memory.rejectFact': personPosts('/v1/memory/review/{id}/reject', 'Reject a fact under review'),
  'memory.deleteFact': remove('/v1/memory/facts/{id}', 'Erase a fact, and nothing else that states it'),
  'memory.factPlaces': get('/v1/memory/facts/{id}/places', 'List what states a fact'),
  'memory.eraseFact': personPosts('/v1/memory/facts/{id}/erase', 'Erase a fact and what states it'),
  'memory.pruneFacts': post('/v1/memory/prune', 'Erase expired facts', { superseded: false, dryRun: false }),
  'memory.recordEpisodes': post('/v1/memory/episodes', 'Record episodes'),
  'memory.days': get('/v1/memory/days', 'Count episodes and runs by day'),
  'memory.searchDaily': get('/v1/memory/search/daily', 'Search the episodes of a day', { limit: 20 }),
  'memory.retrieve': get('/v1/memory/search', 'Search memory with the parts of each score', { limit: 20 }),
  'memory.reindex': without('It rebuilds an index, which the command line does: oka memory reindex.'),
  'memory.importLines': without('It reads a file, which the command line does: oka memory import.'),
  'memory.exportLines': without('It writes a file, which the command line does: oka memory export.'),
  'chat.list': get('/v1/chats', 'List conversations'),
  'chat.create': post('/v1/chats', 'Start a conversation'),
  'chat.send': post('/v1/chats/{conversation}/messages', 'Send a message'),
  'chat.carry': post('/v1/chats/{to}/carry', 'Copy messages into a conversation'),
  'chat.view': get('/v1/chats/{conversation}/messages', 'Show the messages of a conversation'),
  'chat.follow': without(PROGRAMS_STREAM),
  'chat.pause': post('/v1/chats/{conversation}/pause', 'Pause a conversation'),
  'chat.stop': post('/v1/chats/{conversation}/stop', 'Cancel the turns of a conversation'),
  'chat.retry': post('/v1/chats/{conversation}/retry', 'Retry turns that ended without an answer'),
  'chat.resume': post('/v1/chats/{conversation}/resume', 'Resume a conversation'),
  'chat.delete': remove('/v1/chats/{conversation}', 'Delete a conversation'),
  'chat.cleanup': post('/v1/maintenance/chats', 'Erase expired messages and empty conversations'),
  'chat.trace': get('/v1/chats/{conversation}/trace', 'Show which message notified which agent'),
  'chat.usage': get('/v1/chats/{conversation}/usage', 'Show what the turns of a conversation used'),
  'chat.notify': without('Processes of this machine wake the daemon over its socket.'),
  'chat.host': without(DAEMON_DOES),
  'memoryPack.preview': get('/v1/memory/pack', 'Preview the context pack for a goal'),
  'maintenance.maintain': post('/v1/maintenance', 'Run maintenance', { dryRun: false }),
  'maintenance.loop': without(DAEMON_DOES),
  'metrics.figures': get('/v1/metrics', 'Compute metrics'),
  'procedures.list': get('/v1/procedures', 'List procedures'),
  'procedures.show': get('/v1/procedures/{procedure}', 'Show a procedure'),
  'procedures.explain': get('/v1/procedures/{procedure}/explain', 'Explain the evidence of a procedure'),
  'procedures.find': get('/v1/procedure-search', 'Find procedures for a goal', { limit: 20 }),
  'procedures.score': post('/v1/procedures/score', 'Learn procedures from recorded runs'),
  'procedures.forget': remove('/v1/procedures/{procedure}', 'Erase a learned procedure'),
  'replication.status': without('Replication is set up and checked by the command line: oka replicate.'),
  'replication.once': without(DAEMON_DOES),
  'replication.verify': without('Replication is set up and checked by the command line: oka replicate.'),
  'replication.follow': without(DAEMON_DOES),
  'backup.create': personPosts('/v1/backups', 'Write a backup to a file', { force: false }),
  'backup.verify': personPosts('/v1/backups/verify', 'Verify a backup file'),
  'backup.restore': without(WORKSPACE_SETUP),
  'evals.add': without('Eval cases are files that the command line writes: oka eval add.'),
  'evals.list': get('/v1/evals', 'List eval cases'),
  'evals.show': get('/v1/evals/{name}', 'Show an eval case'),
  'evals.run': without('It takes minutes and reports progress to a terminal: oka eval run.'),
  'evals.update': without('Eval cases are files that the command line writes: oka eval update.'),
  'context.scan': post('/v1/context/scan', 'Scan the workspace', { force: false }),
  'context.treeStatus': without('GET /v1/context has the same figures and more.'),
  'context.roots': get('/v1/context/roots', 'List the roots of earlier scans'),
  'context.diff': get('/v1/context/diff', 'Compare two roots'),
  'context.watch': without(PROGRAMS_STREAM),
  'context.status': get('/v1/context', 'Show the state of the context tree'),
  'context.getNode': get('/v1/context/node', 'Show a path with its frames', { agent: 'user' }),
  'context.children': get('/v1/context/children', 'List the children of a path with their heads'),
  'context.listFrames': get('/v1/context/frames', 'List the frames of a path'),
  'context.getHead': get('/v1/context/head', 'Show the newest frame of a path'),
  'context.compose': get('/v1/context/compose', 'Compose the frames around a path', { agent: 'user' }),
  'context.putFrame': post('/v1/context/frames', 'Write a frame', { type: 'note', agent: 'user' }),
  'context.synthesize': post('/v1/context/synthesize', 'Write a frame from those of the children', {
    ...{ type: 'note', agent: 'user', recursive: false },
  }),
  'context.regenerate': post('/v1/context/regenerate', 'Regenerate stale frames', {
    ...{ agent: 'user', recursive: false, dryRun: false, models: false },
  }),
  'context.invalidate': post('/v1/context/invalidate', 'Mark frames as invalid', {
    ...{ agent: 'user', recursive: false },
  }),
  'context.generate': post('/v1/context/generate', 'Ask a model for a frame', {
    type: 'note',
    agent: 'user',
  }),
  'context.validate': get('/v1/context/validate', 'Verify the context tree and its frames'),
  'context.report': get('/v1/context/report', 'Count frames by state, type and agent'),
  'vault.add': without(TERMINAL_ONLY),
  'vault.list': get('/v1/vault', 'List the names of credentials'),
  'vault.show': without('GET /v1/vault lists the same.'),
  'vault.reveal': without(TERMINAL_ONLY),
  'vault.uses': without('The command line shows it: oka vault log.'),
  'vault.revoke': without(TERMINAL_ONLY),
  'vault.rotate': without(TERMINAL_ONLY),
  'vault.rotateKey': without(TERMINAL_ONLY),
  'vault.unlock': without(TERMINAL_ONLY),
  'trust.show': get('/v1/trust', 'Show what acts in the workspace'),
  'trust.approve': personPosts('/v1/trust', 'Trust the workspace with what was shown'),
  'trust.list': get('/v1/trusted-workspaces', 'List trusted workspaces'),
  'trust.revoke': personPosts('/v1/trust/revoke', 'Revoke the trust in a workspace'),
  'mcp.list': get('/v1/mcp-servers', 'List MCP servers'),
  'mcp.add': personPosts('/v1/mcp-servers', 'Add an MCP server', { user: false }),
  'mcp.remove': personRemoves('/v1/mcp-servers/{name}', 'Remove an MCP server'),
  'mcp.test': personPosts(
    '/v1/mcp-servers/{name}/test',
    'Connect to an MCP server, and approve it if asked to',
  ),
  'policy.check': post('/v1/policy/check', 'Check the policy files, or a draft'),
  'policy.show': get('/v1/policy', 'Show the policy in force'),
  'policy.explain': post('/v1/policy/explain', 'Show what the policy decides about a call'),
  'grants.list': get('/v1/grants', 'List remembered approvals'),
  'grants.revoke': personRemoves('/v1/grants/{id}', 'Revoke a remembered approval'),
  'serving.overStreams': without('It serves the Model Context Protocol, not HTTP routes.'),
  'serving.overHttp': without('It serves the Model Context Protocol, not HTTP routes.'),
  'skills.list': get('/v1/skills', 'List skills'),
  'skills.show': get('/v1/skills/{name}', 'Show a skill'),
  'skills.check': without('It checks folders anywhere on disk: oka skills check.'),
  'agents.list': get('/v1/agents', 'List agents'),
  'agents.show': get('/v1/agents/{name}', 'Show an agent'),
  'agents.create': personPosts('/v1/agents', 'Create an agent'),
  'agents.check': get('/v1/agent-checks', 'Check one agent, or all'),
  'ledger.tail': without(PROGRAMS_STREAM),
  'ledger.verify': get('/v1/ledger/verify', 'Verify the ledger', { full: false }),
  'ledger.repair': without('It repairs a damaged workspace: oka ledger repair.'),
  'ledger.rebuild': without('It repairs a damaged workspace: oka ledger rebuild.'),
  'ledger.export': without('It writes every event as a file: oka ledger export.'),
  'ledger.copy': without('It moves the ledger of a workspace: oka ledger copy.'),
  'ledger.stats': get('/v1/ledger/stats', 'Count events and bytes of the ledger'),
  'ledger.gc': personPosts('/v1/ledger/gc', 'Erase and archive old content', { dryRun: true }),
  doctor: get('/v1/doctor', 'Check installation, workspace and sandbox', { models: false }),
  release: without('It ends the process of a command.'),
  close: without('It ends the process of a command.'),
};

const ENTRIES = (Object.keys(OPERATIONS) as OperationName[]).map((operation) => ({
  operation,
  entry: TABLE[operation],
}));

export const HTTP_ROUTES: readonly HttpRoute[] = ENTRIES.flatMap(({ operation, entry }) =>
  'without' in entry ? [] : [{ operation, ...entry }],
);

/** The operations without a route, and why. */
export const WITHOUT_ROUTE: ReadonlyMap<OperationName, string> = new Map(
  ENTRIES.flatMap(({ operation, entry }) => ('without' in entry ? [[operation, entry.without]] : [])),
);
