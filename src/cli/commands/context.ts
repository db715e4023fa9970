import type { Command } from 'commander';
import type {
  ComposeRequest,
  ContextReportAnswer,
  ContextStatusAnswer,
  Fault,
  FrameView,
  NodeContextAnswer,
  ReadFrameView,
} from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { EXIT, exitOfVerification } from '../exit-codes.ts';
import { nodeArgument } from '../find-workspace.ts';
import { clip, showBytes, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';
import { addContextBatch } from './context-batch.ts';
import { parseList, parseMoment, parseView, showPath } from './context-options.ts';
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
    .description('Show the last scanned root and the number of frames')
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
        ({ head, stale }) =>
          head === null ? 'No head' : `${showFrames([head])}\n${stale ? 'stale' : 'fresh'}`,
      ),
    );
}

function composeCommand(group: Command, run: Run): void {
  group
    .command('compose')
    .description('Collect frames around a node; writes nothing')
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
    .option('--agent <name>', 'Read as this agent', USER)
    .addHelpText(
      'after',
      '\nExamples:\n  oka context compose src/main.ts --sources node,parent --max 10\n  oka context compose src/main.ts --order relevance --query "how is it started"',
    )
    .action((node: string, { max, ...options }: ComposeOptions) =>
      run(async (context) => {
        const answer = await (await context.open()).context.compose({
          node,
          ...options,
          ...(max === undefined ? {} : { maxFrames: max }),
        });
        for (const { what, why } of answer.skipped)
          context.printer.message(`skipped ${visible(what)}: ${visible(why)}`);
        context.printer.answer(answer, ({ frames }) => showContents(frames));
      }),
    );
}

type ComposeOptions = Omit<ComposeRequest, 'node' | 'maxFrames'> & { readonly max?: number };

function showStatus(status: ContextStatusAnswer): string {
  const { root, files, directories, links, bytes, frames, staleHeads } = status;
  if (root === null) return 'Not scanned yet. Run: oka context scan';
  return [
    `root        ${root}`,
    `files       ${files}, ${showBytes(bytes)}`,
    `directories ${directories}`,
    `links       ${links}`,
    `frames      ${frames}`,
    `stale heads ${staleHeads}`,
  ].join('\n');
}

function showFaults({ ok, faults }: { readonly ok: boolean; readonly faults: readonly Fault[] }): string {
  return ok ? 'No faults' : faults.map(({ where, what }) => `${visible(where)}: ${visible(what)}`).join('\n');
}

function showReport({ frames, bytes, heads, byType, byAgent, stale, since }: ContextReportAnswer): string {
  const types = byType.map((one) =>
    [one.type, one.frames, one.fresh, one.stale, one.invalid, one.gone].map(String),
  );
  const agents = byAgent.map((one) => [one.agent, String(one.frames)]);
  return [
    `${frames} frames, ${showBytes(bytes)}`,
    `heads: ${heads.fresh} fresh, ${heads.stale} stale, ${heads.invalid} invalid, ${heads.gone} gone`,
    ...(types.length === 0
      ? []
      : ['', table(['type', 'frames', 'fresh', 'stale', 'invalid', 'gone'], types)]),
    ...(agents.length === 0 ? [] : ['', table(['agent', 'frames'], agents)]),
    ...(stale.length === 0
      ? []
      : ['', ...stale.map(({ path, type, state }) => `${state}  ${showPath(path)}  ${type}`)]),
    ...(since === undefined ? [] : ['', since.length === 0 ? 'No frames since then' : showFrames(since)]),
  ].join('\n');
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
    .map(({ id, path, type, agent, createdAt, stale, content, unreadable }) => {
      const notes = stale ? ', about an older version' : '';
      const head = `${id.slice(0, SHORT_ID_LENGTH)}  ${showPath(path)}  ${type}  ${agent}  ${showTime(createdAt)}${notes}`;
      return `${head}\n${visible(content ?? `unreadable: ${unreadable ?? ''}`)}`;
    })
    .join('\n\n');
}

function showFrames(frames: readonly FrameView[]): string {
  if (frames.length === 0) return 'No frames';
  return table(
    ['frame', 'path', 'type', 'agent', 'made (UTC)', 'size'],
    frames.map((frame) => [
      frame.id.slice(0, SHORT_ID_LENGTH),
      clip(showPath(frame.path), 60),
      frame.type,
      frame.agent,
      showTime(frame.createdAt),
      frame.erased ? 'erased' : showBytes(frame.bytes),
    ]),
  );
}
