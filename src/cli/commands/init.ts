import { type Command, InvalidArgumentError } from 'commander';
import type { OkaApi, TrustView } from '../../api/index.ts';
import { type Context, usageProblem } from '../context.ts';
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
    .option('--here', 'Create it even if a folder above is a workspace')
    .option('--trust', 'Trust this folder without a prompt, so its configuration, hooks and tools may act')
    .addHelpText(
      'after',
      '\nExamples:\n  oka init            asks whether you trust the folder\n  oka init --trust    for scripts\n  oka init --trust --model ollama/llama3.2',
    )
    .action((options: { trust?: boolean; model?: string; here?: boolean }) =>
      run(async (context) => {
        await stayHere(context, options.here ?? false);
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
        const model = await chooseModel(context, api, { named: options.model, isTrusted: answer.trusted });
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

/** Creates no workspace inside another one unless asked to. */
async function stayHere(context: Context, here: boolean): Promise<void> {
  const { folder, workspace } = context;
  context.stayInFolder();
  if (folder === workspace || here) return;
  const inside = `This folder is in the workspace ${visible(workspace)}.`;
  if (context.canPrompt && (await context.confirm(`${inside} Create another one here?`))) return;
  throw usageProblem(
    `${inside} Commands already use it here. To create another one in this folder: oka init --here`,
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

/** Uses the named model. Without one, offers the picker once if none is configured and agents may work here. */
async function chooseModel(
  context: Context,
  api: OkaApi,
  { named, isTrusted }: { readonly named: string | undefined; readonly isTrusted: boolean },
): Promise<ChosenModel> {
  if (named !== undefined) return useNamed(api, named);
  if (!isTrusted || !context.canPrompt || !(await api.models.offerOnce())) return {};
  const { ModelPicker } = await import('../model-picker.ts');
  const added = await new ModelPicker(context, api).add({ canSkip: true });
  return added === undefined ? {} : { model: added.model, modelFile: added.file };
}

/** Model names may contain slashes. */
async function useNamed(api: OkaApi, named: string): Promise<ChosenModel> {
  const [provider = '', ...rest] = named.split('/');
  const { file } = await api.models.use({ name: provider, provider, model: rest.join('/') });
  return { model: named, modelFile: file };
}
