import type { Command } from 'commander';
import {
  type ContextApi,
  didYouMean,
  isOkaError,
  nearestName,
  OkaError,
  parseJson,
} from '../../api/index.ts';
import { EXIT } from '../exit-codes.ts';
import { readText } from '../read-input.ts';
import type { Run } from '../run.ts';

type Line = Readonly<Record<string, unknown>>;
type Operation = (api: ContextApi, line: Line, by: string) => Promise<unknown>;

/** Operations of a batch line. Missing fields get the defaults of the command line. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  'put-frame': (api, line, by) => api.putFrame({ type: 'note', agent: 'user', ...line, by } as never),
  synthesize: (api, line, by) =>
    api.synthesize({ type: 'note', agent: 'user', recursive: false, ...line, by } as never),
  regenerate: (api, line, by) =>
    api.regenerate({ agent: 'user', recursive: false, dryRun: false, models: true, ...line, by } as never),
  invalidate: async (api, line, by) => ({
    invalidated: await api.invalidate({ agent: 'user', recursive: false, ...line, by } as never),
  }),
  generate: async (api, line) => {
    const answer = await api.generate({ type: 'note', agent: 'user', ...line } as never);
    const { id, failure } = answer.run;
    if (answer.frame) return answer;
    const { code, message } = failure ?? { code: 'context.not_generated', message: 'The run is waiting.' };
    throw new OkaError(code, message, { data: { run: id } });
  },
  'get-node': (api, line) => api.getNode({ agent: 'user', ...line } as never),
  'get-head': (api, line) => api.getHead(line as never),
  'list-frames': async (api, line) => ({ frames: await api.listFrames(line as never) }),
  compose: (api, line) => api.compose({ agent: 'user', ...line } as never),
};

export function addContextBatch(group: Command, run: Run): void {
  group
    .command('batch')
    .description('Run operations from a file with one JSON object per line')
    .argument('[file]', 'File, or - for standard input', '-')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        `  echo '{"op":"put-frame","node":"src/a.ts","content":"the parser"}' | oka context batch`,
        `  echo '{"op":"synthesize","node":"src","policy":"summarization"}' | oka context batch`,
        '',
        `Operations: ${Object.keys(OPERATIONS).join(', ')}. A failing line does not stop the others; the exit code is then 1.`,
      ].join('\n'),
    )
    .action((file: string) =>
      run(async (context) => {
        const lines = (await readText(file)).split('\n');
        const { context: api } = await context.open();
        let failed = false;
        for (const [place, text] of lines.entries()) {
          if (text.trim() === '') continue;
          const answer = await runLine(api, text, context.by);
          failed ||= 'error' in answer;
          if (!context.printer.record(JSON.stringify({ line: place + 1, ...answer }))) break;
        }
        return failed ? EXIT.failed : EXIT.ok;
      }),
    );
}

async function runLine(api: ContextApi, text: string, by: string): Promise<object> {
  try {
    const { op, ...line } = parseLine(text);
    return { ok: true, data: await operationOf(op)(api, line, by) };
  } catch (error) {
    if (isOkaError(error)) return { ok: false, error: error.toJSON() };
    // An unexpected error in one line must not stop the lines after it.
    return { ok: false, error: { code: 'cli.unexpected', message: String(error), data: {} } };
  }
}

function parseLine(text: string): Line {
  try {
    const line: unknown = parseJson(text);
    if (line !== null && typeof line === 'object' && typeof (line as Line)['node'] === 'string')
      return line as Line;
  } catch (cause) {
    throw new OkaError('cli.invalid_json', `The line is not JSON: ${(cause as Error).message}.`, { cause });
  }
  throw new OkaError(
    'cli.invalid_json',
    'The line is not an object with "op" and "node". Example: {"op":"get-head","node":"src"}.',
  );
}

function operationOf(op: unknown): Operation {
  const found = typeof op === 'string' && Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
  if (found) return found;
  const known = Object.keys(OPERATIONS);
  const hint = didYouMean(nearestName(String(op), known), `Operations: ${known.join(', ')}.`);
  throw new OkaError('cli.usage', `Unknown operation "${String(op)}". ${hint}`, {
    data: { op: String(op) },
  });
}
