import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Json, OkaError } from '../../api/index.ts';
import {
  type ConfigOwner,
  changeSetting,
  getSetting,
  knownNames,
  listSettings,
  okaHome,
  type Setting,
  settingsWithoutEffect,
} from '../../config/index.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { table } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

interface FileOptions {
  readonly project?: boolean;
}

interface OwnedSetting extends Setting {
  readonly from: ConfigOwner;
  /** False if it does not hold, because a project can only tighten. */
  readonly inForce?: false;
}

const NAME = 'Setting, such as limits.steps';
const PROJECT = "Use the workspace's configuration instead of your own";

export function configCommand(program: Command, run: Run): void {
  const config = program
    .command('config')
    .description('Show and change settings')
    .addHelpText(
      'after',
      '\nExamples:\n  oka config list\n  oka config set limits.steps 200\n  oka config set sandbox required --project\n  oka config get default_model\n  oka config unset limits.steps\n  oka config path',
    );
  addReadCommands(config, run);
  addWriteCommands(config, run);
}

function addReadCommands(config: Command, run: Run): void {
  config
    .command('list')
    .description('List settings and the file that sets them')
    .option('--all', 'List the names of all settings')
    .option('--project', PROJECT)
    .action((options: FileOptions & { all?: boolean }) =>
      run(async (context) => {
        if (options.all) {
          const names = await knownNames(options.project ? 'project' : 'user');
          context.printer.answer({ names }, () => names.join('\n'));
        } else context.printer.answer({ settings: await settingsOf(context, options) }, showSettings);
      }),
    );
  config
    .command('get')
    .description('Print the value of a setting; exits with 1 if it is not set')
    .argument('<name>', NAME)
    .option('--project', PROJECT)
    .action((name: string, options: FileOptions) =>
      run(async (context) => {
        const value = await getSetting(fileOf(context, options), name);
        if (value === undefined) {
          context.printer.message(`${visible(name)} is not set.`);
          if (context.printer.json) context.printer.answer({ name, value: null }, () => '');
          return EXIT.failed;
        }
        context.printer.answer({ name, value }, (data) => showValue(data.value));
        return EXIT.ok;
      }),
    );
  config
    .command('path')
    .description('Print the path of the configuration file')
    .option('--project', PROJECT)
    .action((options: FileOptions) =>
      run(async (context) => {
        const { file } = fileOf(context, options);
        context.printer.answer({ file, exists: existsSync(file) }, (data) => data.file);
      }),
    );
}

function addWriteCommands(config: Command, run: Run): void {
  config
    .command('set')
    .description('Set a setting; it takes effect at once')
    .argument('<name>', NAME)
    .argument('<value>', 'Text, number, or JSON')
    .option('--project', PROJECT)
    .addHelpText(
      'after',
      '\nExamples:\n  oka config set limits.cost_usd 2\n  oka config set default_model ollama/llama3.2\n  oka config set retention.runs 90d\n  oka config set allow_private \'["127.0.0.1:8080"]\'\n  oka config set \'prices."openai/gpt-4.1"\' \'{"input":2,"output":8}\'',
    )
    .action((name: string, value: string, options: FileOptions) =>
      run((context) => change(context, options, name, value)),
    );
  config
    .command('unset')
    .description('Remove a setting from the file')
    .argument('<name>', NAME)
    .option('--project', PROJECT)
    .action((name: string, options: FileOptions) =>
      run((context) => change(context, options, name, undefined)),
    );
}

async function change(
  context: Context,
  options: FileOptions,
  name: string,
  value: string | undefined,
): Promise<void> {
  const target = { ...fileOf(context, options), userFile: userFile() };
  const answer = await changeSetting(target, name, value);
  context.printer.answer({ name, file: target.file, ...answer }, (data) => {
    if (data.value === undefined)
      return data.changed
        ? `Removed ${visible(name)} from ${visible(data.file)}`
        : `${visible(name)} is not set.`;
    return `${visible(name)} = ${showValue(data.value)} ${data.changed ? 'in' : 'already in'} ${visible(data.file)}`;
  });
  if (answer.changed && options.project && /^(hooks|models)\b/.test(name))
    context.printer.message('It acts only after you approve it: oka trust');
}

function userFile(): string {
  return join(okaHome(), 'config.json');
}

function fileOf(
  { workspace }: Context,
  { project }: FileOptions,
): { readonly file: string; readonly owner: ConfigOwner } {
  if (!project) return { file: userFile(), owner: 'user' };
  const folder = join(workspace, '.oka');
  if (existsSync(folder)) return { file: join(folder, 'config.json'), owner: 'project' };
  throw new OkaError(
    'config.no_workspace',
    `No workspace in ${workspace} or a folder above it. Create one with: oka init`,
    { data: { folder: workspace } },
  );
}

async function settingsOf(context: Context, options: FileOptions): Promise<readonly OwnedSetting[]> {
  const user = options.project ? [] : await listSettings({ file: userFile(), owner: 'user' });
  const hasProject = existsSync(join(context.workspace, '.oka'));
  const project = hasProject || options.project ? await listSettings(fileOf(context, { project: true })) : [];
  const without =
    project.length === 0
      ? new Set<string>()
      : await settingsWithoutEffect(fileOf(context, { project: true }), userFile());
  return [
    ...user.map((setting) => ({ ...setting, from: 'user' as const })),
    ...project.map((setting) => ({
      ...setting,
      from: 'project' as const,
      ...(without.has(setting.name) ? { inForce: false as const } : {}),
    })),
  ];
}

function showSettings({ settings }: { readonly settings: readonly OwnedSetting[] }): string {
  if (settings.length === 0)
    return 'No settings yet: defaults apply. List the names with: oka config list --all';
  const rows = settings.map(({ name, value, from, inForce }) => [
    visible(name),
    showValue(value),
    inForce === false ? `${from}, not in force: a project can only tighten` : from,
  ]);
  return table(['setting', 'value', 'from'], rows);
}

function showValue(value: Json): string {
  return visible(typeof value === 'string' ? value : JSON.stringify(value));
}
