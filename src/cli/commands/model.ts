import { type Command, InvalidArgumentError } from 'commander';
import type { ModelProviderRequest, OkaApi } from '../../api/index.ts';
import { type Context, usageProblem } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { ModelPicker } from '../model-picker.ts';
import { visible } from '../printer.ts';
import { readSecret } from '../read-secret.ts';
import { answerWith, type Run } from '../run.ts';
import { showAdded, showModels, showTest } from '../show-model.ts';

export function modelCommand(program: Command, run: Run): void {
  const model = program
    .command('model')
    .description('Add, test and choose models. Without a command: choose one on a terminal, else list')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka model                                     choose or add a model on a terminal',
        '  oka model add openai                          prompts for the key and the model',
        '  oka model add ollama --model llama3.2',
        '  oka model add groq --model llama-3.3-70b-versatile --key-env GROQ_API_KEY',
        '  oka model add openai-compatible --url http://127.0.0.1:8080/v1 --model mine',
        '  oka model test',
        '  oka model use openai/gpt-5-mini',
        '',
        'Providers: openai, anthropic, ollama, lmstudio, llamacpp, vllm, openrouter, groq, mistral, deepseek, gemini,',
        'and openai-compatible for any other URL.',
      ].join('\n'),
    )
    .action(() =>
      run(async (context) => {
        const api = await context.open();
        if (!context.canPrompt) return context.printer.answer(await api.models.list(), showModels);
        await new ModelPicker(context, api).choose();
      }),
    );
  addAddCommand(model, run);
  model
    .command('list')
    .description('List configured models with price, context and abilities')
    .addHelpText('after', '\nExamples:\n  oka model list\n  oka model list --json')
    .action(() => answerWith(run, (api) => api.models.list(), showModels));
  model
    .command('test')
    .description('Call a model: streaming, a tool call, JSON. Records what it cannot do')
    .argument('[name]', 'Name of the model; default: the default model')
    .addHelpText('after', '\nExamples:\n  oka model test\n  oka model test openai/gpt-5-mini')
    .action((name: string | undefined) =>
      answerWith(
        run,
        (api) => api.models.test(name),
        (test) => `${visible(test.name)}\n${showTest(test)}`,
      ),
    );
  model
    .command('use')
    .description('Make a model the default for all workspaces')
    .argument('<name>', 'Name of the model; see: oka model list')
    .addHelpText('after', '\nExamples:\n  oka model use openai/gpt-5-mini')
    .action((name: string) =>
      answerWith(
        run,
        (api) => api.models.setDefault(name),
        (answer) =>
          answer.default === answer.name
            ? `Default model for all workspaces: ${visible(answer.name)}`
            : `Default model for other workspaces: ${visible(answer.name)}. This workspace sets its own: ${visible(answer.default)}`,
      ),
    );
  model
    .command('remove')
    .description('Remove a model, and its stored key if no other model uses it')
    .argument('<name>', 'Name of the model; see: oka model list')
    .addHelpText('after', '\nExamples:\n  oka model remove openai/gpt-5-mini')
    .action((name: string) =>
      answerWith(
        run,
        (api, context) => api.models.remove(name, context.by),
        (answer) =>
          [
            `Removed ${visible(answer.name)}${answer.keyErased ? ' and its stored key' : ''}.`,
            answer.default === undefined
              ? 'No model is left. Add one: oka model add'
              : `Default model for all workspaces: ${visible(answer.default)}`,
          ].join('\n'),
      ),
    );
  addPriceCommand(model, run);
}

interface AddOptions {
  readonly url?: string;
  readonly model?: string;
  readonly keyEnv?: string;
  readonly keyStdin?: boolean;
  readonly name?: string;
  readonly use?: boolean;
  readonly test: boolean;
}

function addAddCommand(model: Command, run: Run): void {
  model
    .command('add')
    .description('Add a model: test it, store its key in the vault, save it for all workspaces')
    .argument('[provider]', 'Provider; see: oka model --help')
    .option('--url <url>', 'Address of the API, instead of the usual one')
    .option('--model <model>', 'Model, as the provider names it')
    .option('--key-env <variable>', 'Read the key from this environment variable at each use', parseVariable)
    .option('--key-stdin', 'Read the key from standard input and store it in the vault')
    .option('--name <name>', 'Name for graphs and agents; default: provider/model')
    .option('--use', 'Make it the default model')
    .option('--no-test', 'Save it without calling it')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka model add                     prompts for everything',
        '  oka model add openai',
        '  oka model add ollama --model llama3.2 --use',
        '  oka model add openai --model gpt-5-mini --key-stdin < key.txt',
      ].join('\n'),
    )
    .action((provider: string | undefined, options: AddOptions) =>
      run((context) => addModel(context, provider, options)),
    );
}

async function addModel(
  context: Context,
  provider: string | undefined,
  options: AddOptions,
): Promise<ExitCode> {
  const { url, model, name, keyEnv, keyStdin = false, test } = options;
  if (keyEnv !== undefined && keyStdin) throw usageProblem('Use either --key-env or --key-stdin.');
  const api = await context.open();
  const key: ModelProviderRequest['key'] | undefined =
    keyEnv === undefined ? (keyStdin ? { value: await readKey(context) } : undefined) : { env: keyEnv };
  const given = {
    ...(url === undefined ? {} : { url }),
    ...(name === undefined ? {} : { name }),
    ...(key === undefined ? {} : { key }),
    test,
  };
  if (context.canPrompt && (provider === undefined || model === undefined)) {
    const start = { ...given, ...(provider && { provider }), ...(model && { model }) };
    if ((await new ModelPicker(context, api).add(start)) !== undefined) return EXIT.ok;
    context.printer.message('No model was added.');
    return EXIT.failed;
  }
  if (provider === undefined)
    throw usageProblem('Missing provider. Example: oka model add ollama --model llama3.2');
  const chosen = model ?? (await onlyModel(api, { provider, ...given }));
  const request = { ...given, provider, model: chosen, makeDefault: options.use ?? false, by: context.by };
  const answer = await api.models.add(request);
  context.printer.answer(answer, (added) => showAdded(added, provider));
  return EXIT.ok;
}

async function readKey(context: Context): Promise<string> {
  const value = (await readSecret(context, 'API key')).trim();
  if (value === '')
    throw usageProblem('The key is empty. Pass it on standard input: oka model add … < key.txt');
  return value;
}

const MAX_NAMED = 8;

/** The only model of a provider. With several, the error names some. */
async function onlyModel(api: OkaApi, request: ModelProviderRequest): Promise<string> {
  const { provider, url, key } = request;
  const asked = { provider, ...(url === undefined ? {} : { url }), ...(key === undefined ? {} : { key }) };
  const offered = await api.models.offered(asked);
  const [only] = offered;
  if (offered.length === 1 && only !== undefined) return only.id;
  const names = offered.slice(0, MAX_NAMED).map(({ id }) => visible(id));
  const more = offered.length > MAX_NAMED ? ` and ${offered.length - MAX_NAMED} more` : '';
  const list = names.length === 0 ? '' : ` ${provider} has ${names.join(', ')}${more}.`;
  throw usageProblem(`Missing --model.${list}`);
}

function parseVariable(text: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return text;
  throw new InvalidArgumentError('Expected the name of an environment variable, such as OPENAI_API_KEY');
}

function addPriceCommand(model: Command, run: Run): void {
  model
    .command('price')
    .description('Set the price of a model, in US dollars per million tokens')
    .argument('<model>', 'Provider and model, such as openai/gpt-4.1')
    .requiredOption('--input <usd>', 'Price of input tokens', parsePrice)
    .requiredOption('--output <usd>', 'Price of output tokens', parsePrice)
    .option('--cached-input <usd>', 'Price of input tokens from the cache of the provider', parsePrice)
    .addHelpText(
      'after',
      '\nExamples:\n  oka model price openai/gpt-4.1 --input 2 --output 8\n  oka model price anthropic/claude-sonnet-4-5 --input 3 --output 15 --cached-input 0.3',
    )
    .action((name: string, options: { input: number; output: number; cachedInput?: number }) =>
      answerWith(
        run,
        (api) => api.models.setPrice({ model: name, ...options }),
        ({ file }) => `Saved the price of ${name} in ${file}.`,
      ),
    );
}

function parsePrice(value: string): number {
  const price = Number(value);
  if (value.trim() !== '' && Number.isFinite(price) && price >= 0) return price;
  throw new InvalidArgumentError('Expected US dollars per million tokens, such as 2.5');
}
