// Every tool and every kind of run. A new one is one line here or in the list that it belongs to.
import { agentKind, callKind, judgeRun, type TextListener } from '../../agent/index.ts';
import { assistantKind, maintenanceKind } from '../../assistant/index.ts';
import type { JudgeRun, RunKind, Tool } from '../../engine/index.ts';
import { builderKind, compileGraph, graphKind } from '../../graph/index.ts';
import type { Digest } from '../../kernel/index.ts';
import type { ReadPackText } from '../../memory/index.ts';
import type { ModelDirectory } from '../../models/index.ts';
import { toolDirectory } from '../graphs/graph-library.ts';
import { allTools } from './all-tools.ts';

export interface BehaviourOptions {
  /** Tools besides the built-in ones, such as those of MCP servers. */
  readonly moreTools?: readonly Tool[];
  /** Where agents find their models; without it they plan by rules. */
  readonly models?: ModelDirectory;
  readonly onText?: TextListener;
  /** Reads what a run's context pack names by id. */
  readonly readPack?: ReadPackText;
}

/** Made by the build; see scripts/tool-digests.mjs. */
declare const __OKA_TOOL_DIGESTS__: string | undefined;

/** The tools and kinds of runs of an engine. */
export function behaviour(options: BehaviourOptions = {}): {
  readonly tools: readonly Tool[];
  readonly toolDigests: Readonly<Record<string, Digest>>;
  readonly kinds: readonly RunKind[];
  readonly judge: JudgeRun;
} {
  const { moreTools, models, onText, readPack } = options;
  const tools = allTools(moreTools);
  const builder = builderKind({
    tools,
    compile: (source) => compileGraph(source, { tools: toolDirectory(tools) }),
  });
  const asking = {
    ...(models ? { models } : {}),
    ...(onText ? { onText } : {}),
    ...(readPack ? { readPack } : {}),
  };
  const toolDigests = typeof __OKA_TOOL_DIGESTS__ === 'undefined' ? {} : JSON.parse(__OKA_TOOL_DIGESTS__);
  return {
    tools,
    toolDigests,
    judge: judgeRun,
    kinds: [agentKind(asking), assistantKind(asking), callKind, graphKind, builder, maintenanceKind],
  };
}
