// Owns: choosing a model on a terminal: provider, key, model, test. Does not own: what is stored, and where.
import {
  type AddModelAnswer,
  isOkaError,
  type ModelProviderRequest,
  type ModelProviderView,
  type OfferedModel,
  type OkaApi,
} from '../api/index.ts';
import type { Context } from './context.ts';
import { visible } from './printer.ts';
import { withProgress } from './progress-bar.ts';
import { showAdded, showOffer, showPrice } from './show-model.ts';

/** What is known before the prompts. */
export interface PickerStart {
  readonly provider?: string;
  readonly url?: string;
  readonly model?: string;
  readonly name?: string;
  readonly key?: ModelProviderRequest['key'];
  readonly test?: boolean;
  /** Offers to continue without a model, as the first choice. */
  readonly canSkip?: boolean;
}

type Key = NonNullable<ModelProviderRequest['key']>;

const VARIABLE = /^\$?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)$/;
const MAX_ROWS = 10;

/** A person has left a prompt. Nothing was stored. */
class Cancelled extends Error {}

export class ModelPicker {
  readonly #context: Context;
  readonly #api: OkaApi;

  constructor(context: Context, api: OkaApi) {
    this.#context = context;
    this.#api = api;
  }

  /** Lets the user choose among the configured models, or add one. */
  async choose(): Promise<string | undefined> {
    const { models } = await this.#api.models.list();
    if (models.length === 0) return (await this.add({}))?.name;
    return this.#unlessCancelled(async () => {
      const configured = models.map(({ name, model, isDefault, price }) => ({
        value: name,
        label: visible(name),
        hint: [
          isDefault ? 'the default' : '',
          name === model ? '' : visible(model),
          price ? showPrice(price) : '',
        ]
          .filter(Boolean)
          .join(' · '),
      }));
      const chosen = await this.#select<string | undefined>('Model', [
        ...configured,
        { value: undefined, label: 'Add another model…' },
      ]);
      if (chosen === undefined) return (await this.#add({})).name;
      const answer = await this.#api.models.setDefault(chosen);
      this.#say(`Default model for all workspaces: ${visible(answer.default)}`);
      return answer.name;
    });
  }

  /** Adds a model and makes it the default; undefined if the user leaves. */
  add(start: PickerStart): Promise<AddModelAnswer | undefined> {
    return this.#unlessCancelled(() => this.#add(start));
  }

  async #add(start: PickerStart): Promise<AddModelAnswer> {
    const provider = await this.#pickProvider(start);
    const url = start.url ?? (provider.url === undefined ? await this.#askUrl() : undefined);
    const at = { provider: provider.id, ...(url === undefined ? {} : { url }) };
    let key = start.key ?? (await this.#askKey(provider));
    for (;;) {
      const asked = { ...at, ...(key === undefined ? {} : { key }) };
      const model = start.model ?? (await this.#pickModel(asked, provider));
      if (model === undefined) {
        key = await this.#newKey(provider);
        continue;
      }
      const added = await this.#test({ ...asked, model }, start);
      if (added !== undefined) return added;
      if (start.model !== undefined) throw new Cancelled();
    }
  }

  async #pickProvider({ provider, canSkip = false }: PickerStart): Promise<ModelProviderView> {
    const providers = await this.#waiting('Looking for local models', () => this.#api.models.providers());
    const named = providers.find(({ id }) => id === provider);
    if (named !== undefined) return named;
    const skip = canSkip ? [{ value: undefined, label: 'Skip', hint: 'add one later: oka model add' }] : [];
    const chosen = await this.#select<ModelProviderView | undefined>(
      canSkip ? 'Which model should agents use?' : 'Provider',
      [...skip, ...providers.map((one) => ({ value: one, label: one.title, hint: describeProvider(one) }))],
    );
    if (chosen === undefined) throw new Cancelled();
    return chosen;
  }

  async #askUrl(): Promise<string> {
    const { text } = await import('@clack/prompts');
    return this.#answered(
      await text({
        message: 'Address of the API',
        placeholder: 'http://127.0.0.1:8080/v1',
        output: this.#context.printer.output.stream,
        validate: (value) =>
          /^https?:\/\/\S+$/.test(value ?? '')
            ? undefined
            : 'Enter an address such as http://127.0.0.1:8080/v1',
      }),
    );
  }

  async #askKey(provider: ModelProviderView): Promise<Key | undefined> {
    const { key, keyVariable, needsKey, id } = provider;
    if (key === 'environment' && keyVariable !== undefined) {
      this.#say(`API key: ${keyVariable} of the environment`);
      return { env: keyVariable };
    }
    if (key === 'vault') {
      this.#say('API key: the stored one');
      return undefined;
    }
    return needsKey || id === 'openai-compatible' ? this.#newKey(provider) : undefined;
  }

  /** A key, the name of a variable that holds one, or nothing where none is needed. */
  async #newKey({ title, needsKey }: ModelProviderView): Promise<Key | undefined> {
    const { password } = await import('@clack/prompts');
    const given = this.#answered(
      await password({
        message: needsKey
          ? `API key of ${title}, or the name of a variable that holds it`
          : 'API key, or the name of a variable that holds it (empty: none)',
        output: this.#context.printer.output.stream,
        validate: (value) =>
          needsKey && !value?.trim() ? 'Enter the key, or press Ctrl-C to leave' : undefined,
      }),
    );
    const value = (given ?? '').trim();
    const [, variable] = VARIABLE.exec(value) ?? [];
    if (variable !== undefined) return { env: variable };
    return value === '' ? undefined : { value };
  }

  /** The chosen model; undefined if the key was rejected. */
  async #pickModel(asked: ModelProviderRequest, provider: ModelProviderView): Promise<string | undefined> {
    let offered: readonly OfferedModel[];
    try {
      offered = await this.#waiting(`Asking ${provider.title} for its models`, () =>
        this.#api.models.offered(asked),
      );
    } catch (error) {
      if (!isOkaError(error)) throw error;
      this.#complain(error.message);
      if (isOkaError(error, 'models.key_rejected')) return undefined;
      if (isOkaError(error, ['models.unreachable', 'models.silent', 'models.not_configured']))
        throw new Cancelled();
      offered = [];
    }
    const [only] = offered;
    if (offered.length === 1 && only !== undefined) {
      this.#say(`Model: ${visible(only.id)}`);
      return only.id;
    }
    const { autocomplete, text } = await import('@clack/prompts');
    const { stream: output } = this.#context.printer.output;
    if (offered.length === 0)
      return this.#answered(
        await text({
          message: `Name of the model (${provider.title} lists none)`,
          output,
          validate: (value) => (value?.trim() ? undefined : 'Enter the name of a model'),
        }),
      ).trim();
    return this.#answered(
      await autocomplete({
        message: `Model (type to filter ${offered.length})`,
        options: offered.map((one) => ({ value: one.id, label: visible(one.id), hint: showOffer(one) })),
        maxItems: MAX_ROWS,
        output,
      }),
    );
  }

  /** Tests and stores a model; undefined if the user wants another one. */
  async #test(
    asked: ModelProviderRequest & { readonly model: string },
    { name, test = true }: PickerStart,
  ): Promise<AddModelAnswer | undefined> {
    const request = {
      ...asked,
      ...(name === undefined ? {} : { name }),
      makeDefault: true,
      by: this.#context.by,
    };
    const saved = async (tests: boolean): Promise<AddModelAnswer> => {
      const answer = await this.#waiting(`Testing ${visible(asked.model)}`, () =>
        this.#api.models.add({ ...request, test: tests }),
      );
      this.#say(showAdded(answer, asked.provider));
      return answer;
    };
    try {
      return await saved(test);
    } catch (error) {
      if (!isOkaError(error)) throw error;
      this.#complain(error.message);
      const next = await this.#select('The test failed', [
        { value: 'another' as const, label: 'Choose another model' },
        { value: 'anyway' as const, label: 'Add it anyway' },
        { value: 'leave' as const, label: 'Leave', hint: 'nothing is stored' },
      ]);
      if (next === 'leave') throw new Cancelled();
      return next === 'anyway' ? saved(false) : undefined;
    }
  }

  async #select<Value>(
    message: string,
    options: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[],
  ): Promise<Value> {
    const { select } = await import('@clack/prompts');
    const choices = options.map(({ label, hint }, i) => ({ value: i, label, ...(hint ? { hint } : {}) }));
    const { stream: output } = this.#context.printer.output;
    const at = this.#answered(await select({ message, options: choices, maxItems: MAX_ROWS + 4, output }));
    return options[at]?.value as Value;
  }

  #answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
    if (typeof answer === 'symbol') throw new Cancelled();
    return answer as Exclude<Answer, symbol>;
  }

  async #unlessCancelled<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Cancelled) return undefined;
      throw error;
    }
  }

  /** Shows a spinner line while waiting, and erases it at the end. */
  #waiting<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
    return withProgress(this.#context.printer, what, work);
  }

  #say(text: string): void {
    for (const line of text.split('\n')) this.#context.printer.message(`  ${line}`);
  }

  #complain(message: string): void {
    const { colors } = this.#context.printer;
    this.#context.printer.message(`${colors.red('✗')} ${visible(message)}`);
  }
}

function describeProvider({ runningModels, key, keyVariable, isLocal, url }: ModelProviderView): string {
  if (runningModels !== undefined)
    return `running, ${runningModels} ${runningModels === 1 ? 'model' : 'models'}`;
  if (isLocal) return `not running at ${new URL(url ?? 'http://127.0.0.1').host}`;
  if (key === 'environment') return `key in ${keyVariable}`;
  return key === 'vault' ? 'key stored' : '';
}
