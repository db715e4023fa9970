import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FileArtifactStore, WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { type AgentDefinition, callKind } from '../../src/agent/index.ts';
import { Engine, type RunRequest } from '../../src/engine/index.ts';
import { type Clock, createRedactor, OkaError } from '../../src/kernel/index.ts';
import type { EventStore } from '../../src/ledger/index.ts';
import type { ModelProvider } from '../../src/models/index.ts';
import { openContext } from '../../src/runtime/context/context.ts';
import { contextDesk } from '../../src/runtime/context/context-desk.ts';
import { closeTree } from '../../src/runtime/context/open-trees.ts';
import { answerRun } from '../../src/runtime/services/views.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A model that answers as the test says, under a name of its own. */
export function madeUpModel(name: string, say: (asked: string) => string): ModelProvider {
  const complete: ModelProvider['complete'] = async ({ model, messages }) => ({
    text: say(messages.at(-1)?.content ?? ''),
    toolCalls: [],
    usage: { inputTokens: 3, outputTokens: 2 },
    finish: 'stop',
    model,
    provider: name,
    requestDigest: 'd'.repeat(64) as never,
  });
  return {
    name,
    complete,
    async *stream(request, signal) {
      yield { kind: 'answer', answer: await complete(request, signal) };
    },
  };
}

/** The context of a real folder, with an engine whose runs have the context tools and the models of the test. */
export async function contextBench(files: Readonly<Record<string, string>>, time?: Clock) {
  const root = tempFolder();
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const clock = new ManualClock();
  const now = time ?? clock;
  const ledger = openTestLedger(root, { clock: now as ManualClock });
  await ledger.startWriting();
  const roles = { reader: 'reader', writer: 'writer', other: 'writer' } as const;
  const load = async (name: string): Promise<AgentDefinition> => {
    if (!Object.hasOwn(roles, name)) throw new OkaError('agent.unknown', `there is no agent "${name}".`);
    return { name, contextRole: roles[name as 'reader'], persona: '' };
  };
  const models = new Map<string | undefined, ModelProvider>();
  const folder = new WorkspaceFolder(root);
  const owners = { self: 'test', isAlive: () => true };
  const redactor = createRedactor();
  const services = {
    folder,
    clock: now,
    redactor,
    ledger: () => ledger,
    requireTrust: () => undefined,
    writable: async () => ledger,
    writableRedacted: async () => ledger,
    agents: async () => ({ load }),
    warn: () => undefined,
    start: async (request: RunRequest, _options: object) => answerRun(await engine.run(request), owners),
  };
  onTestFinished(async () => {
    closeTree(folder);
    await ledger.close();
  });
  /** An engine as a process of its own would have it; of the others it knows that they are dead. */
  const engineOf = (self: string, events: EventStore = ledger.events, isAlive = () => false) =>
    new Engine({
      tools: builtInTools(),
      kinds: [callKind],
      events,
      runs: ledger.runs,
      artifacts: new FileArtifactStore(folder.objects, now),
      capabilities: {
        files: new WorkspaceFiles(root),
        context: contextDesk(services),
        models: {
          find: async (name: string | undefined) => {
            const provider = models.get(name);
            if (provider) return { provider, model: `${provider.name}-1` };
            throw new OkaError('models.not_configured', `no model is configured for ${String(name)}.`);
          },
        },
      },
      clock: now,
      random: seededRandom(self.length),
      owners: { self, isAlive },
    });
  const engine = engineOf(owners.self, ledger.events, owners.isAlive);
  const api = openContext(services);
  const scan = () => api.scan({ force: false, by: 'tester' });
  await scan();
  /** Calls a tool in a run of an agent, or of the person. */
  const call = (tool: string, input: object, agent?: string) => {
    clock.advance(1);
    const vars = { tool, input, ...(agent === undefined ? {} : { agent }) };
    return services.start({ kind: 'call', goal: 'test', vars } as RunRequest, { patienceMs: 0 });
  };
  return { root, write, clock, ledger, engine, engineOf, models, services, api, scan, call };
}
