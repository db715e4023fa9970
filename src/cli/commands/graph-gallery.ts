// Owns: the example graphs that come with the package, and copying one into a workspace.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { didYouMean, nearestName, type OkaApi, OkaError, parseJson } from '../../api/index.ts';
import { type Context, usageProblem } from '../context.ts';
import { clip, table } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

/** Beside dist, in the checkout and in the package. */
const GALLERY = fileURLToPath(new URL('../gallery/', import.meta.url));
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;

interface Example {
  readonly name: string;
  readonly description: string;
  readonly file: string;
  readonly model: boolean;
  readonly text: string;
  /** Other graphs of the gallery that it calls. */
  readonly calls: readonly string[];
}

export function addGalleryCommands(graph: Command, run: Run): void {
  graph
    .command('gallery')
    .description('List the example graphs that come with Oka')
    .addHelpText('after', '\nExamples:\n  oka graph gallery\n  oka graph new brief --from nightly-brief')
    .action(() =>
      run(async (context) => {
        const examples = offered(readGallery());
        const shown = examples.map(({ name, description, file, model }) => ({
          name,
          description,
          file,
          model,
        }));
        context.printer.answer({ folder: GALLERY, examples: shown }, showExamples);
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

function readGallery(): readonly Example[] {
  return readdirSync(GALLERY)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(GALLERY, file), 'utf8');
      const { description = '', nodes } = parseJson(text) as {
        description?: string;
        nodes: Readonly<Record<string, { readonly type?: string; readonly graph?: unknown }>>;
      };
      const all = Object.values(nodes);
      return {
        name: file.slice(0, -'.json'.length),
        description,
        file: join(GALLERY, file),
        model: all.some(({ type = '' }) => /^(llm|ai)_/.test(type)),
        text,
        calls: all.flatMap(({ graph }) => (typeof graph === 'string' ? [graph] : [])),
      };
    });
}

/** The examples without those that only serve others. */
function offered(examples: readonly Example[]): readonly Example[] {
  const called = new Set(examples.flatMap(({ calls }) => calls));
  return examples.filter(({ name }) => !called.has(name));
}

function showExamples({
  examples,
}: {
  readonly examples: readonly Omit<Example, 'text' | 'calls'>[];
}): string {
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
  const gallery = readGallery();
  const example = gallery.find(({ name }) => name === from);
  if (example === undefined) {
    const near = nearestName(
      from,
      gallery.map(({ name }) => name),
    );
    throw usageProblem(`No example "${from}". ${didYouMean(near, 'List them with: oka graph gallery')}`);
  }
  if (!ID.test(id)) throw usageProblem(`Invalid name "${id}": use letters, digits, - and _.`);
  const api = await context.open();
  // Opens the workspace, so that a missing one is reported before anything is written.
  const known = new Set((await api.graphs.list()).map((graph) => graph.id));
  if (known.has(id))
    throw new OkaError('graph.exists', `The graph "${id}" exists already. Choose another name.`, {
      data: { id },
    });
  const called = gallery.filter(({ name }) => example.calls.includes(name) && !known.has(name));
  const folder = graphsFolder(context.workspace);
  const files = [
    ...called.map(({ name, text }) => ({ path: join(folder, `${name}.json`), text })),
    { path: join(folder, `${id}.json`), text: withId(example.text, id) },
  ];
  await writeValidated(api, files, id);
  const shown = files.map(({ path }) => path.slice(context.workspace.length + 1));
  return { id, from, path: shown.at(-1) as string, also: shown.slice(0, -1) };
}

/** The graphs of a workspace may not be somewhere else, which a cloned folder could make them. */
function graphsFolder(workspace: string): string {
  const directory = join(workspace, '.oka');
  const folder = join(directory, 'graphs');
  const isMissing = lstatSync(directory, { throwIfNoEntry: false }) === undefined;
  if (isMissing) {
    throw new OkaError(
      'config.no_workspace',
      `No workspace in ${workspace} or a folder above it. Create one with: oka init`,
      {
        data: { folder: workspace },
      },
    );
  }
  for (const path of [directory, folder]) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new OkaError(
        'config.link_refused',
        `${path} is a link, which Oka does not follow here. Remove it.`,
        {
          data: { path },
        },
      );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Keeps the text of the example but for its id, so that a person can compare the two. */
function withId(text: string, id: string): string {
  return text.replace(/"id": "[^"]+"/, () => `"id": ${JSON.stringify(id)}`);
}

async function writeValidated(
  api: OkaApi,
  files: readonly { readonly path: string; readonly text: string }[],
  id: string,
): Promise<void> {
  const written: string[] = [];
  try {
    for (const { path, text } of files) {
      writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
      written.push(path);
    }
    const { valid, diagnostics } = await api.graphs.validate(id);
    if (!valid)
      throw new OkaError('graph.invalid', `The example is not valid here: ${diagnostics[0]?.message ?? ''}`);
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    throw error;
  }
}
