import type { GenerateFrameAnswer, GenerateFrameRequest, RunListener } from '../../api/index.ts';
import type { FrameGenerator } from '../../context/index.ts';
import type { RunRequest } from '../../engine/index.ts';
import { OkaError } from '../../kernel/index.ts';

/** The run that asks a model about a node. */
export function generationRun({
  again = false,
  ...order
}: Omit<GenerateFrameRequest, keyof RunListener>): RunRequest {
  const input = { ...order, again };
  return {
    kind: 'call',
    goal: `write a frame about ${order.node}`,
    vars: { tool: 'context.generate_frame', input },
  };
}

/** Makes frames again in runs of their own; a run that comes to no frame stops the regeneration. */
export function frameGenerator(
  generate: (request: GenerateFrameRequest) => Promise<GenerateFrameAnswer>,
): FrameGenerator {
  return {
    generate: async ({ path, type, prompt, agent }) => {
      const node = path === '' ? '.' : path;
      const { run, frame, asked = true } = await generate({ node, type, prompt, agent });
      if (frame) return { frame: frame.id, asked };
      const { code, message } = run.failure ?? { code: 'context.not_generated', message: 'it waits' };
      throw new OkaError(
        code,
        `the run ${run.id} wrote no frame about ${path}: ${message} See: oka runs explain ${run.id}.`,
        {
          data: { run: run.id, path },
        },
      );
    },
  };
}
