import type { AddModelAnswer } from '../../src/api/index.ts';
import type { FakeProvider } from '../models/fake-provider.ts';
import { toAnswer, type Workspace } from './oka-process.ts';

/** Adds a model of a fake provider as a user would in a script, with its key on standard input. */
export async function addModel(
  workspace: Workspace,
  { url }: Pick<FakeProvider, 'url'>,
  { key = 'key-of-the-provider', model = 'model-1', provider = 'openai' } = {},
  ...more: readonly string[]
): Promise<AddModelAnswer> {
  const args = ['model', 'add', provider, '--url', url, '--model', model, '--key-stdin', '--json', ...more];
  return toAnswer<AddModelAnswer>(await workspace.okaWith({ input: `${key}\n` }, ...args)).data;
}
