// Owns: the commands for the example graphs that come with the package.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { didYouMean, type GalleryGraph, nearestName, OkaError } from '../../api/index.ts';
import { type Context, usageProblem } from '../context.ts';
import { clip, table } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;

type Example = Pick<GalleryGraph, 'name' | 'description' | 'file' | 'model'>;

export function addGalleryCommands(graph: Command, run: Run): void {
  graph
    .command('gallery')
    .description('List the example graphs that come with Oka')
    .addHelpText('after', '\nExamples:\n  oka graph gallery\n  oka graph new brief --from nightly-brief')
    .action(() =>
      run(async (context) => {
        const examples = (await (await context.open()).graphs.gallery())
          .filter(({ isPart }) => !isPart)
          .map(({ name, description, file, model }) => ({ name, description, file, model }));
        const [first] = examples;
        context.printer.answer({ folder: first && dirname(first.file), examples }, showExamples);
        context.printer.message('Copy one into this workspace: oka graph new <name> --from <example>');
      }),
    );
  graph
    .command('new')
    .description('Create a graph from an example of the gallery')
    .argument('<name>', 'Id of the new graph: letters, digits, - and _')
    .requiredOption('--from <example>', 'Copy this example; see: oka graph gallery')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph new brief --from nightly-brief\n  oka graph run brief --watch',
    )
    .action((name: string, { from }: { from: string }) =>
      run(async (context) => {
        const answer = await create(context, name, from);
        context.printer.answer(answer, ({ path, also }) =>
          [`Created ${visible(path)}`, ...also.map((each) => `Created ${visible(each)}`)].join('\n'),
        );
        context.printer.message(`Run it with: oka graph run ${name}`);
      }),
    );
}

function showExamples({ examples }: { readonly examples: readonly Example[] }): string {
  return table(
    ['example', 'model', 'description'],
    examples.map(({ name, model, description }) => [name, model ? 'yes' : '', firstSentence(description)]),
  );
}

function firstSentence(text: string): string {
  return clip(/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text, 120);
}

interface Created {
  readonly id: string;
  readonly from: string;
  readonly path: string;
  /** Graphs that the example calls, and that were not there yet. */
  readonly also: readonly string[];
}

async function create(context: Context, id: string, from: string): Promise<Created> {
  const { graphs } = await context.open();
  const gallery = await graphs.gallery();
  const example = gallery.find(({ name }) => name === from);
  if (example === undefined) {
    const near = nearestName(
      from,
      gallery.map(({ name }) => name),
    );
    throw usageProblem(`No example "${from}". ${didYouMean(near, 'List them with: oka graph gallery')}`);
  }
  if (!ID.test(id)) throw usageProblem(`Invalid name "${id}": use letters, digits, - and _.`);
  requireWorkspace(context.workspace);
  const known = new Set((await graphs.list()).map((graph) => graph.id));
  if (known.has(id))
    throw new OkaError('graph.exists', `The graph "${id}" exists already. Choose another name.`, {
      data: { id },
    });
  const also: string[] = [];
  for (const { name, definition } of gallery) {
    if (!example.calls.includes(name) || known.has(name)) continue;
    also.push((await graphs.save({ graph: name, definition })).path);
  }
  const definition = { ...(example.definition as object), id };
  const { path } = await graphs.save({ graph: id, definition });
  return { id, from, path, also };
}

/** Without it, saving would say that the folder is not trusted, which is not what is missing. */
function requireWorkspace(workspace: string): void {
  if (existsSync(join(workspace, '.oka'))) return;
  throw new OkaError(
    'config.no_workspace',
    `No workspace in ${workspace} or a folder above it. Create one with: oka init`,
    { data: { folder: workspace } },
  );
}
