import { type Command, InvalidArgumentError } from 'commander';
import type { OkaApi, TrustView } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';
import { contents, kindName } from './trust.ts';

export function initCommand(program: Command, run: Run): void {
  program
    .command('init')
    .description('Create a workspace in this folder')
    .option(
      '--model <provider/model>',
      'Set the default model for all workspaces, such as ollama/llama3.2',
      parseModel,
    )
    .option('--trust', 'Trust this folder without a prompt, so its configuration, hooks and tools may act')
    .addHelpText(
      'after',
      '\nExamples:\n  oka init            asks whether you trust the folder\n  oka init --trust    for scripts\n  oka init --trust --model ollama/llama3.2',
    )
    .action((options: { trust?: boolean; model?: string }) =>
      run(async (context) => {
        const api = await context.open();
        let answer = await api.init({ trust: options.trust ?? false });
        if (!answer.trusted && context.canPrompt) {
          const view = await api.trust.show();
          context.printer.output.write(`${describe(view)}\n`);
          const question = `Trust the files in ${visible(context.workspace)}? Its configuration may then act.`;
          if (await context.confirm(question)) {
            await api.trust.approve({ digest: view.digest });
            answer = { ...answer, trusted: true };
          }
        }
        if (options.trust) context.printer.message(contents(await api.trust.show()));
        const model = await chooseModel(context, api, options.model);
        context.printer.answer({ ...answer, ...model }, ({ workspace, created, trusted }) =>
          [
            ...(model.model === undefined
              ? []
              : [`Default model for all workspaces: ${visible(model.model)}`]),
            `${created ? 'Created workspace' : 'Workspace already exists'}: ${visible(workspace)}`,
            trusted
              ? 'Trusted. Try: oka do "write a brief of this folder to BRIEF.md"'
              : 'Not trusted yet. To trust it: oka init --trust',
          ].join('\n'),
        );
      }),
    );
}

/** What would act once the folder is trusted. */
function describe(view: TrustView): string {
  const items = view.items.map(({ kind, name }) => `  ${kindName(kind)} ${visible(name)}`);
  return [contents(view), ...items].join('\n');
}

function parseModel(text: string): string {
  if (/^[^/]+\/./.test(text)) return text;
  throw new InvalidArgumentError('Expected provider/model, such as ollama/llama3.2');
}

interface ChosenModel {
  readonly model?: string;
  readonly modelFile?: string;
}

/** Uses the named model. Without one, prompts with the models found if none is configured. */
async function chooseModel(context: Context, api: OkaApi, named: string | undefined): Promise<ChosenModel> {
  if (named !== undefined) return useNamed(api, named);
  if (!context.canPrompt || (await api.models.configured()).length > 0) return {};
  const found = (await api.models.suggest()).filter(({ choices, model }) => model ?? choices[0]);
  if (found.length === 0) return {};
  const { isCancel, select } = await import('@clack/prompts');
  const options = found.map(({ name, provider, model, choices, why }) => {
    const chosen = model ?? choices[0] ?? '';
    return { value: `${provider}/${chosen}`, label: visible(`${name}: ${chosen}`), hint: visible(why) };
  });
  const choice = await select({
    message: 'Which model should agents use?',
    options: [...options, { value: 'none', label: 'None: plan by rules' }],
    output: context.printer.output,
  });
  return isCancel(choice) || choice === 'none' ? {} : useNamed(api, choice);
}

/** Model names may contain slashes. */
async function useNamed(api: OkaApi, named: string): Promise<ChosenModel> {
  const [provider = '', ...rest] = named.split('/');
  const { file } = await api.models.use({ name: provider, provider, model: rest.join('/') });
  return { model: named, modelFile: file };
}
