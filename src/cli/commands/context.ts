import type { Command } from 'commander';
import type {
  ComposeRequest,
  ContextReportAnswer,
  ContextStatusAnswer,
  Fault,
  FrameView,
  ListedFrameView,
  NodeContextAnswer,
  ReadFrameView,
  RestsOnStale,
} from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { EXIT, exitOfVerification } from '../exit-codes.ts';
import { nodeArgument } from '../find-workspace.ts';
import { clip, showBytes, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';
import { addContextBatch } from './context-batch.ts';
import { parseList, parseMoment, parseQuotas, parseView, showPath } from './context-options.ts';
import { addTreeCommands } from './context-tree.ts';
import { addContextWriters } from './context-writers.ts';

const SHORT_ID_LENGTH = 12;
const USER = 'user';

export function contextCommand(program: Command, run: Run): void {
  const group = program
    .command('context')
    .description('Scan the workspace and manage frames: notes on its files')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka context scan',
        '  oka context put-frame src/main.ts note.md --type note',
        '  echo "reads the config" | oka context put-frame src/config.ts -',
        '  oka context synthesize src --policy summarization --recursive',
        '  oka context regenerate . --recursive --dry-run',
        '  oka context get-node src --view max=5,order=recency,type=note',
        '  oka context compose src/main.ts --sources node,parent,siblings --max 10',
        '  oka context generate src/main.ts --prompt "What does this file do?"',
        '',
        'A node is a path, or a unique prefix of a node id.',
      ].join('\n'),
    );
  addTreeCommands(group, run);
  addOverviewCommands(group, run);
  addNodeCommands(group, run);
  composeCommand(group, run);
  addContextWriters(group, run);
  addContextBatch(group, run);
}

function addOverviewCommands(group: Command, run: Run): void {
  group
    .command('status')
    .description('Count files, frames, and heads by state')
    .action(() => answerWith(run, (api) => api.context.status(), showStatus));
  group
    .command('validate')
    .description('Check all context data; exits with 7 on faults')
    .action(() => answerWith(run, (api) => api.context.validate(), showFaults, exitOfVerification));
  group
    .command('report')
    .description('Report fresh and stale heads by type and agent')
    .option('--since <moment>', 'List frames since a day, an ISO 8601 time, or epoch ms', parseMoment)
    .addHelpText('after', '\nExamples:\n  oka context report --json\n  oka context report --since 2026-01-31')
    .action((options: { since?: number }) =>
      answerWith(run, (api) => api.context.report(options), showReport),
    );
}

function addNodeCommands(group: Command, run: Run): void {
  group
    .command('get-node')
    .description('Show the frames of a node that a view selects')
    .argument('<node>', 'Path or node id', nodeArgument)
    .option(
      '--view <view>',
      'Select frames, such as max=10,order=recency,type=note,agent=ada,since=2026-01-31',
      parseView,
    )
    .option('--agent <name>', 'Read as this agent', USER)
    .action((node: string, options: { view?: object; agent: string }) =>
      run(async (context) => {
        const answer = await (await context.open()).context.getNode({ node, ...options });
        context.printer.answer(answer, showNode);
        const damaged = answer.frames.some(({ unreadable, erased }) => unreadable !== undefined && !erased);
        return damaged ? EXIT.integrity : EXIT.ok;
      }),
    );
  group
    .command('list-frames')
    .description('List the frames of a path without contents, newest first')
    .argument('<node>', 'Path or node id', nodeArgument)
    .option('--type <type>', 'Limit to frames of this type')
    .action((node: string, options: { type?: string }) =>
      answerWith(
        run,
        async (api) => ({ frames: await api.context.listFrames({ node, ...options }) }),
        (data) => showFrames(data.frames),
      ),
    );
  group
    .command('get-head')
    .description('Show the head of a node and whether it is stale')
    .argument('<node>', 'Path or node id', nodeArgument)
    .option('--type <type>', 'Show the head of this type (default: the newest head)')
    .action((node: string, options: { type?: string }) =>
      answerWith(
        run,
        (api) => api.context.getHead({ node, ...options }),
        ({ head, stale, state = stale ? 'stale' : 'fresh', uncheckedSince, restsOnStale }) =>
          head === null
            ? 'No head'
            : [showFrames([head]), showState(state, uncheckedSince), ...showCauses(restsOnStale)].join('\n'),
      ),
    );
}

function composeCommand(group: Command, run: Run): void {
  group
    .command('compose')
    .description('Collect the heads around a node; writes nothing')
    .argument('<node>', 'Path or node id', nodeArgument)
    .option('--sources <list>', 'Read from these sources: node, parent, siblings, related', parseList)
    .option('--related <nodes>', 'Set the nodes of the source related', (list) =>
      parseList(list).map(nodeArgument),
    )
    .option('--order <order>', 'Sort by recency, type, agent, relevance, or a registered order')
    .option('--query <text>', 'Set the query for the order relevance')
    .option('--type-priority <list>', 'Put these types first, for the order type', parseList)
    .option('--agent-priority <list>', 'Put these agents first, for the order agent', parseList)
    .option('--types <list>', 'Limit to frames of these types', parseList)
    .option('--agents <list>', 'Limit to frames of these agents', parseList)
    .option('--since <moment>', 'Limit to frames since then', parseMoment)
    .option('--until <moment>', 'Limit to frames up to then', parseMoment)
    .option('--max <n>', 'Show at most this many (default: 100)', parseCount)
    .option(
      '--quota <list>',
      'Limit sources, such as siblings=5,parent=2 (default: an equal share of --max for each)',
      parseQuotas,
    )
    .option('--history', 'Include earlier frames (default: heads only)')
    .option('--agent <name>', 'Read as this agent', USER)
    .addHelpText(
      'after',
      '\nExamples:\n  oka context compose src/main.ts --sources node,parent --max 10\n  oka context compose src/main.ts --order relevance --query "how is it started"',
    )
    .action((node: string, { max, quota, ...options }: ComposeOptions) =>
      run(async (context) => {
        const answer = await (await context.open()).context.compose({
          node,
          ...options,
          ...quota,
          ...(max === undefined ? {} : { maxFrames: max }),
        });
        for (const { what, why } of answer.skipped)
          context.printer.message(`skipped ${visible(what)}: ${visible(why)}`);
        context.printer.answer(answer, ({ frames }) => showContents(frames));
      }),
    );
}

type ComposeOptions = Omit<ComposeRequest, 'node' | 'maxFrames'> & {
  readonly max?: number;
  readonly quota?: ReturnType<typeof parseQuotas>;
};

function showStatus(status: ContextStatusAnswer): string {
  const { root, files, directories, links, bytes } = status;
  if (root === null) return 'Not scanned yet. Run: oka context scan';
  return [
    `root        ${root}`,
    `files       ${files}, ${showBytes(bytes)}`,
    `directories ${directories}`,
    `links       ${links}`,
    ...showCounts(status),
  ].join('\n');
}

/** The lines that `status` and `report` share. */
function showCounts({ frames, frameBytes, heads }: ContextStatusAnswer): readonly string[] {
  const states = Object.entries(heads).map(([state, count]) => `${count} ${state}`);
  return [`frames      ${frames}, ${showBytes(frameBytes)}`, `heads       ${states.join(', ')}`];
}

function showFaults({ ok, faults }: { readonly ok: boolean; readonly faults: readonly Fault[] }): string {
  return ok ? 'No faults' : faults.map(({ where, what }) => `${visible(where)}: ${visible(what)}`).join('\n');
}

function showReport(report: ContextReportAnswer): string {
  const { heads, byType, byAgent, notFresh, since } = report;
  const states = Object.keys(heads) as (keyof typeof heads)[];
  const types = byType.map((one) => [
    one.type,
    String(one.frames),
    ...states.map((name) => String(one[name])),
  ]);
  const agents = byAgent.map((one) => [one.agent, String(one.frames)]);
  return [
    ...showCounts(report),
    ...(types.length === 0 ? [] : ['', table(['type', 'frames', ...states], types)]),
    ...(agents.length === 0 ? [] : ['', table(['agent', 'frames'], agents)]),
    ...(notFresh.length === 0 ? [] : ['', ...notFresh.flatMap(showNotFresh)]),
    ...(since === undefined ? [] : ['', since.length === 0 ? 'No frames since then' : showFrames(since)]),
  ].join('\n');
}

function showNotFresh({
  path,
  type,
  state,
  uncheckedSince,
  restsOnStale,
}: ContextReportAnswer['notFresh'][number]) {
  return [
    `${showState(state, uncheckedSince)}  ${showPath(path)}  ${type}`,
    ...showCauses(restsOnStale).map((line) => `  ${line}`),
  ];
}

/** The state of a head; of one that is not checked, since when. */
function showState(state: string, uncheckedSince: number | undefined): string {
  if (state !== 'not_checked') return state;
  const since = uncheckedSince === undefined ? '' : ` since ${showTime(uncheckedSince)}`;
  return `not checked${since}; check it with: oka context scan`;
}

/** The outdated heads that a head was built from, one per line. */
function showCauses(rests: RestsOnStale | undefined): readonly string[] {
  if (rests === undefined) return [];
  const { count, heads } = rests;
  const lines = heads.map(
    ({ path, type, state, since }) =>
      `rests on ${showPath(path)}  ${type}  ${state}${since === undefined ? '' : ` since ${showTime(since)}`}`,
  );
  return count > heads.length ? [...lines, `and on ${count - heads.length} more`] : lines;
}

function showNode({ node, frames, frameCount }: NodeContextAnswer): string {
  return [
    `node   ${node.id}`,
    `path   ${showPath(node.path)} (${node.kind})`,
    `frames ${frames.length} of ${frameCount}`,
    ...(frames.length === 0 ? [] : ['', showContents(frames)]),
  ].join('\n');
}

function showContents(frames: readonly ReadFrameView[]): string {
  if (frames.length === 0) return 'No frames';
  return frames
    .map((frame) => {
      const {
        id,
        path,
        type,
        agent,
        createdAt,
        stale,
        state,
        uncheckedSince,
        restsOnStale,
        content,
        unreadable,
      } = frame;
      const note =
        state === undefined || state === 'stale'
          ? stale
            ? ', about an older version'
            : ''
          : `, ${showState(state, uncheckedSince)}`;
      const title = `${id.slice(0, SHORT_ID_LENGTH)}  ${showPath(path)}  ${type}  ${agent}  ${showTime(createdAt)}`;
      return [
        `${title}${note === ', fresh' ? '' : note}`,
        ...showCauses(restsOnStale).map((line) => `(${line})`),
        visible(content ?? `unreadable: ${unreadable ?? ''}`),
      ].join('\n');
    })
    .join('\n\n');
}

function showFrames(frames: readonly (FrameView & Partial<ListedFrameView>)[]): string {
  if (frames.length === 0) return 'No frames';
  const marks = frames.some(({ head }) => head !== undefined);
  return table(
    ['frame', 'path', 'type', 'agent', 'made (UTC)', 'size', ...(marks ? ['head'] : [])],
    frames.map((frame) => [
      frame.id.slice(0, SHORT_ID_LENGTH),
      clip(showPath(frame.path), 60),
      frame.type,
      frame.agent,
      showTime(frame.createdAt),
      frame.erased ? 'erased' : showBytes(frame.bytes),
      ...(marks ? [frame.head ? `head, ${showState(frame.state ?? '', frame.uncheckedSince)}` : ''] : []),
    ]),
  );
}
