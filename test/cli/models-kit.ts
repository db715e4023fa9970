import type { AddModelAnswer } from '../../src/api/index.ts';
import type { FakeProvider } from '../models/fake-provider.ts';
import { type Finished, toAnswer, Watched, type Workspace } from './oka-process.ts';

/** Runs `oka` with this text on standard input. */
export function okaWithInput(
  workspace: Workspace,
  input: string,
  ...args: readonly string[]
): Promise<Finished> {
  const started = new Watched([...workspace.command, ...args], {
    cwd: workspace.root,
    env: workspace.environment,
  });
  started.child.stdin?.end(input);
  return started.ended;
}

/** Adds a model of a fake provider as a user would in a script, with its key on standard input. */
export async function addModel(
  workspace: Workspace,
  { url }: Pick<FakeProvider, 'url'>,
  { key = 'key-of-the-provider', model = 'model-1', provider = 'openai' } = {},
  ...more: readonly string[]
): Promise<AddModelAnswer> {
  const args = ['model', 'add', provider, '--url', url, '--model', model, '--key-stdin', '--json', ...more];
  return toAnswer<AddModelAnswer>(await okaWithInput(workspace, `${key}\n`, ...args)).data;
}
