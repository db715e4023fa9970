// Opens Oka as a workspace runs it: SQLite, mirror, artifacts and cache in `.oka`, all middleware on. Bundled with src
// by bundle-oka.mjs.

import { mkdirSync } from 'node:fs';
import { z } from 'zod';
import { FileArtifactStore } from '../../src/adapters/files/index.ts';
import { processOwners } from '../../src/adapters/processes/index.ts';
import { SqlCache } from '../../src/adapters/sql/index.ts';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { Engine, ToolRegistry } from '../../src/engine/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import { SqliteLedger } from '../../src/runtime/ledger/sqlite-ledger.ts';

const input = z.object({ i: z.number().int() });
const output = z.object({
  step: z.number(),
  found: z.boolean(),
  note: z.string(),
  ref: z.string(),
  cost: z.number(),
});

/** What a tool takes or gives, as a tool of the product says it: its JSON Schema is made once. */
function asTool(schema) {
  let json;
  return {
    check: schema,
    json() {
      json ??= z.toJSONSchema(schema);
      return json;
    },
  };
}

/** A tool whose input is a number and whose output is the object of a step. */
export function makeTool(name, sideEffect, handler) {
  const readOnly = sideEffect === 'read';
  return {
    name,
    version: '1',
    description: 'gives an object of about 200 bytes and does nothing',
    input: asTool(input),
    output: asTool(output),
    sideEffect,
    annotations: { readOnly, destructive: false, idempotent: true, cacheable: false, risk: 'none' },
    handler,
  };
}

/** What runs are pinned to of the tools that subjects use; of the built-in ones, the product has it from its build. */
const toolDigests = new ToolRegistry([
  makeTool('look', 'read'),
  makeTool('act', 'write_local'),
  makeTool('advance', 'read'),
]).digests();

/** Opens the workspace the way the runtime does, with the given tools and kinds of runs. */
export async function openOka(workspace, { kinds, tools }) {
  mkdirSync(workspace, { recursive: true });
  const folder = new WorkspaceFolder(workspace);
  folder.create();
  const ports = { clock: systemClock, random: systemRandom, owners: processOwners() };
  const ledger = new SqliteLedger(folder, ports);
  await ledger.startWriting();
  const engine = new Engine({
    tools,
    toolDigests,
    kinds,
    events: ledger.events,
    runs: ledger.runs,
    cache: new SqlCache(ledger.tables, systemClock),
    artifacts: new FileArtifactStore(folder.objects, systemClock),
    owners: ports.owners,
    clock: systemClock,
    random: systemRandom,
    limits: { steps: 1e6, tool_calls: 1e6 },
  });
  const complete = async (request) => {
    const { ended, output } = await engine.run({ goal: 'look at all of them', ...request });
    if (ended?.status !== 'completed') throw new Error(`the run ended as ${ended?.status}`);
    return output;
  };
  /** As many runs as told, at once; done when the mirror is written. Answers with their outputs. */
  const together = async (request, runs) => {
    const outputs = await Promise.all(Array.from({ length: runs }, () => complete(request)));
    ledger.mirror.flush();
    return outputs;
  };
  return { engine, ledger, folder, together };
}
