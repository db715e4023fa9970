import type { Command } from 'commander';
import type {
  RegenerateOnChangeRequest,
  RootView,
  ScanAnswer,
  TreeChangeView,
  TreeDiffAnswer,
} from '../../api/index.ts';
import { parseCount, usageProblem } from '../context.ts';
import { nodeArgument } from '../find-workspace.ts';
import { showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { withProgress } from '../progress-bar.ts';
import { answerWith, type Run } from '../run.ts';
import { showPath } from './context-options.ts';
import { showRegenerated } from './context-writers.ts';

const SHORT_ID_LENGTH = 12;
const LIMIT = 20;
const USER = 'user';

export function addTreeCommands(group: Command, run: Run): void {
  group
    .command('scan')
    .description('Scan the workspace; reads only files that may have changed')
    .option('--force', 'Read every file')
    .addHelpText('after', '\nExamples:\n  oka context scan\n  oka context scan --force --json')
    .action((options: { force?: boolean }) =>
      answerWith(
        run,
        (api, { by, printer }) =>
          withProgress(printer, 'scanning', (show) =>
            api.context.scan({
              force: options.force ?? false,
              by,
              onProgress: (done, total) => show({ done, total: done > total ? 0 : total }),
            }),
          ),
        showScan,
      ),
    );
  group
    .command('roots')
    .description('List the roots of past scans, newest first')
    .option('--limit <n>', 'Show at most this many', parseCount, LIMIT)
    .action((options: { limit: number }) =>
      answerWith(run, async (api) => ({ roots: await api.context.roots(options.limit) }), showRoots),
    );
  group
    .command('diff')
    .description('Compare two scans: files, heads and frames')
    .argument('<from>', 'Older root, or a unique prefix')
    .argument('<to>', 'Newer root, or a unique prefix')
    .addHelpText('after', '\nExamples:\n  oka context roots\n  oka context diff 3f2a90 b71c04')
    .action((from: string, to: string) => answerWith(run, (api) => api.context.diff(from, to), showDiff));
  watchCommand(group, run);
}

function watchCommand(group: Command, run: Run): void {
  group
    .command('watch')
    .description('Watch the workspace for changes until interrupted')
    .option('--regenerate [node]', 'Regenerate stale frames within the node after each change', nodeArgument)
    .option('--models', 'Include frames that a model wrote')
    .option('--max-model-calls <n>', 'Call models at most this often per change (default: 20)', parseCount)
    .option('--agent <name>', 'Regenerate as this agent', USER)
    .addHelpText(
      'after',
      '\nExamples:\n  oka context watch\n  oka context watch --json    a line for each change\n  oka context watch --regenerate src',
    )
    .action((options: WatchOptions) =>
      run(async (context) => {
        const { printer } = context;
        const regenerate = regenerateOnChange(options);
        await (await context.open()).context.watch({
          by: context.by,
          signal: context.interrupted,
          onReady: (root) => printer.message(`Watching, root ${root}`),
          onChange: (change) => void printer.line(printer.json ? JSON.stringify(change) : showChange(change)),
          onWarning: (what) => printer.message(`${printer.colors.yellow('warning')} ${visible(what)}`),
          ...(regenerate === undefined ? {} : { regenerate }),
          onRegenerated: (answer) =>
            void printer.line(printer.json ? JSON.stringify(answer) : showRegenerated(answer)),
        });
      }),
    );
}

interface WatchOptions extends Pick<RegenerateOnChangeRequest, 'maxModelCalls' | 'agent'> {
  readonly regenerate?: string | true;
  readonly models?: boolean;
}

function regenerateOnChange(options: WatchOptions): RegenerateOnChangeRequest | undefined {
  const { regenerate, models = false, ...rest } = options;
  if (regenerate !== undefined) return { node: regenerate === true ? '.' : regenerate, models, ...rest };
  if (models || rest.maxModelCalls !== undefined)
    throw usageProblem('--models and --max-model-calls need --regenerate.');
  return undefined;
}

function showScan(answer: ScanAnswer): string {
  const { root, added, changed, removed, unchanged, skipped } = answer;
  return [
    `root ${root}`,
    `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`,
    ...skipped.map(({ path, why }) => `skipped ${showPath(path)}: ${why}`),
  ].join('\n');
}

function showRoots({ roots }: { readonly roots: readonly RootView[] }): string {
  if (roots.length === 0) return 'Not scanned yet. Run: oka context scan';
  return table(
    ['root', 'found', 'after'],
    roots.map(({ root, at, previous }) => [root, showTime(at), previous?.slice(0, SHORT_ID_LENGTH) ?? '']),
  );
}

function showDiff({ added, changed, removed, heads, frames }: TreeDiffAnswer): string {
  const short = (frame: string | undefined): string => frame?.slice(0, SHORT_ID_LENGTH) ?? 'none';
  const lines = [
    ...added.map((change) => `+ ${showNode(change)}`),
    ...changed.filter(({ kind }) => kind !== 'directory').map((change) => `~ ${showNode(change)}`),
    ...removed.map((change) => `- ${showNode(change)}`),
    ...heads.map(({ path, type, before, after, stale, invalid }) => {
      const moved = before === after ? short(after) : `${short(before)} → ${short(after)}`;
      return `head ${showPath(path)}  ${type}  ${moved}${stale ? ', stale' : ''}${invalid ? ', invalid' : ''}`;
    }),
    ...frames.map(({ id, path, type, agent }) => `frame ${short(id)}  ${showPath(path)}  ${type}  ${agent}`),
  ];
  return lines.length === 0 ? 'No differences' : lines.join('\n');
}

function showChange({ root, changes }: TreeChangeView): string {
  const leaves = changes.filter(({ kind }) => kind !== 'directory');
  const signs = leaves.map(
    ({ before, after, ...node }) =>
      `${before === undefined ? '+' : after === undefined ? '-' : '~'} ${showNode(node)}`,
  );
  return [`root ${root}`, ...signs.map((line) => `  ${line}`)].join('\n');
}

function showNode({ path, kind }: { readonly path: string; readonly kind: string }): string {
  return kind === 'directory' ? `${showPath(path)}/` : showPath(path);
}
