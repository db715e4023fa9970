// Embeds an engine with durable stores. A run that a crash interrupted continues at the next start.
// Usage: node embed.js <folder> [crash]
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool, Engine, openStores, type Planner, StateGraph } from 'oka/engine';
import * as z from 'zod';

const [folder = 'state', mode] = process.argv.slice(2);
const stores = openStores({ folder });
const file = join(folder, 'parcels.txt');
const packed = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

const pack = defineTool({
  name: 'parcel.pack',
  description: 'Packs a parcel',
  input: z.object({ parcel: z.string() }),
  output: z.object({ packed: z.string() }),
  sideEffect: 'write_local',
  // Idempotent: after a crash the engine repeats a call whose outcome it does not know.
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  handler: ({ parcel }) => {
    if (!packed().includes(parcel)) appendFileSync(file, `${parcel}\n`);
    if (mode === 'crash' && parcel === 'p2') process.kill(process.pid, 'SIGKILL');
    return { packed: parcel };
  },
});

const planner: Planner = {
  name: 'packer',
  version: '1',
  deterministic: true,
  plan: ({ goal, evidence }) => {
    const done = evidence.filter(({ tool }) => tool === 'parcel.pack').length;
    const parcel = goal.split(' ')[done];
    return parcel === undefined
      ? { kind: 'finish', output: done, rationale: 'every parcel is packed' }
      : { kind: 'call_tool', tool: 'parcel.pack', input: { parcel }, rationale: 'the next parcel' };
  },
};

const graph = new StateGraph({
  name: 'packing',
  start: 'pack',
  states: {
    pack: { to: ['done'], tools: { names: ['parcel.pack'] } },
    done: { terminal: 'completed' },
    failed: { terminal: 'failed' },
  },
});

const engine = new Engine({ ...stores, tools: [pack], kinds: [{ name: 'packing', planner, graph }] });

const interrupted = await stores.runs.list({ status: 'running' });
for (const { id } of interrupted) await engine.resume(id);
if (interrupted.length === 0) await engine.run({ kind: 'packing', goal: 'p1 p2 p3' });

const runs = await stores.runs.list({});
process.stdout.write(
  JSON.stringify({
    resumed: interrupted.length,
    runs: runs.map(({ status }) => status),
    parcels: packed(),
  }),
);
await engine.close();
await stores.close();
