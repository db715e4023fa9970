import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { agentKind } from '../../src/agent/index.ts';
import {
  Engine,
  type EngineOptions,
  MemoryArtifactStore,
  type RunState,
  type Tool,
} from '../../src/engine/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { tempFolder } from './temp-folder.ts';

/** A folder with files, and an engine in memory that works in it with the deterministic planner. */
export class AgentWorkspace {
  readonly root = tempFolder();
  readonly files: WorkspaceFiles = new WorkspaceFiles(this.root);
  readonly engine: Engine;

  constructor(
    files: Readonly<Record<string, string>> = {},
    extra: { tools?: readonly Tool[] } & Partial<EngineOptions> = {},
  ) {
    for (const [path, content] of Object.entries(files)) this.put(path, content);
    const artifacts = new MemoryArtifactStore(systemClock);
    this.engine = new Engine({
      kinds: [agentKind()],
      artifacts,
      capabilities: { files: this.files, artifacts },
      ...extra,
      tools: [...builtInTools(), ...(extra.tools ?? [])],
    });
  }

  put(path: string, content: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  /** Runs a goal; a question is answered with the next of `answers`. */
  async pursue(goal: string, ...answers: readonly string[]): Promise<RunState> {
    let run = await this.engine.run({ kind: 'agent', goal });
    for (const answer of answers) {
      const { waiting } = run;
      if (waiting?.for !== 'answer' && waiting?.for !== 'approval')
        throw new Error(`the run asks nothing: ${waiting?.for ?? run.state}`);
      const decided = { kind: answer === 'yes' ? 'approve' : 'deny' } as const;
      await this.engine.decide(
        waiting.id,
        waiting.for === 'answer' ? { kind: 'answer', answer } : decided,
        'tester',
      );
      run = await this.engine.resume(run.id);
    }
    return run;
  }

  /** The states of a run, and the decisions that differ on replay. */
  async retell(
    run: RunState,
  ): Promise<{ states: string[]; tools: string[]; differences: readonly unknown[] }> {
    const { timeline, actions } = await this.engine.explain(run.id);
    return {
      states: timeline.map(({ state }) => state),
      tools: actions.flatMap(({ tool }) => tool ?? []),
      differences: (await this.engine.replayDecisions(run.id)).differences,
    };
  }
}
