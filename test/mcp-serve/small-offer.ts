import type {
  CallContext,
  CallOutcome,
  McpOffer,
  OfferChange,
  OfferedTool,
} from '../../src/adapters/mcp-server/index.ts';
import { type JsonObject, OkaError } from '../../src/kernel/index.ts';

type Handler = (input: JsonObject, context: CallContext) => CallOutcome | Promise<CallOutcome>;

/** An offer whose tools do what a test says, and which remembers what it was asked for. */
export class SmallOffer implements McpOffer {
  readonly calls: { readonly name: string; readonly input: JsonObject }[] = [];
  readonly #handlers: Readonly<Record<string, Handler>>;
  readonly #listeners = new Set<(change: OfferChange) => void>();

  constructor(handlers: Readonly<Record<string, Handler>> = {}) {
    this.#handlers = {
      'files.read': (input) => ({ ok: true, output: { read: input['path'] ?? null } }),
      ...handlers,
    };
  }

  async tools(): Promise<readonly OfferedTool[]> {
    return Object.keys(this.#handlers).map((name) => ({
      name,
      description: `does ${name}`,
      input: { type: 'object', properties: { path: { type: 'string' } } },
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    }));
  }

  async call(name: string, input: JsonObject, context: CallContext): Promise<CallOutcome> {
    this.calls.push({ name, input });
    const handler = this.#handlers[name];
    if (handler === undefined) throw new OkaError('engine.unknown_tool', `no ${name}`);
    return handler(input, context);
  }

  async resources() {
    return [{ uri: 'oka://run/1', name: '1', mediaType: 'text/plain' }];
  }

  async templates() {
    return [{ template: 'oka://run/{id}', name: 'run', mediaType: 'text/plain' }];
  }

  async read(uri: string) {
    return uri === 'oka://run/1' ? { mediaType: 'text/plain', text: 'it ran' } : undefined;
  }

  async prompts() {
    return [{ name: 'greet', description: 'greets', arguments: [{ name: 'whom', required: true }] }];
  }

  async prompt(_: string, { whom }: Readonly<Record<string, string>>) {
    return [{ role: 'user' as const, content: { type: 'text' as const, text: `Greet ${whom}.` } }];
  }

  async complete({ begun }: { begun: string }) {
    return ['alice', 'albert', 'bob'].filter((name) => name.startsWith(begun));
  }

  onChange(listener: (change: OfferChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get heardBy(): number {
    return this.#listeners.size;
  }

  change(change: OfferChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

export const IDENTITY = { name: 'oka', title: 'Oka', version: '1.2.3', instructions: 'Ask nicely.' };

/** A promise and the way to settle it. */
export function gate<T = void>(): { readonly reached: Promise<T>; readonly reach: (value: T) => void } {
  let reach: (value: T) => void = () => undefined;
  const reached = new Promise<T>((resolve) => {
    reach = resolve;
  });
  return { reached, reach };
}
