import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { GraphFiles, McpFile } from '../../src/adapters/workspace/index.ts';
import { contentOfFiles } from '../../src/runtime/trust/graph-content.ts';
import { graph, TrustedPlace } from './trust-kit.ts';

/** What a generated workspace contains. Each number stands for another content; 0 for none. */
interface Content {
  readonly hooks: readonly number[];
  readonly script: number;
  readonly model: number;
  readonly server: number;
  readonly graph: number;
}

type Edit = Partial<Content>;
type Step = { readonly edit: Edit } | { readonly do: 'approve' | 'copy' };

const version = fc.nat({ max: 3 });
const content = fc.record({
  hooks: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
  script: version,
  model: version,
  server: version,
  graph: version,
});
const edit: fc.Arbitrary<Step> = fc.record({ edit: fc.record(arbitrariesOf(), { requiredKeys: [] }) });
const action: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('approve' as const, 'copy' as const) });
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: edit }, { weight: 2, arbitrary: action }), {
  minLength: 1,
  maxLength: 6,
});

function arbitrariesOf() {
  return {
    hooks: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    script: version,
    model: version,
    server: version,
    graph: version,
  };
}

function write(place: TrustedPlace, { hooks, script, model, server, graph: graphVersion }: Content): void {
  const scripted = { on: 'on_error', command: ['sh', 'hook.sh'] };
  const commands = hooks.map((number) => ({ on: 'after_run', command: ['touch', `hook-${number}`] }));
  place.put('hook.sh', `touch script-${script}`);
  const house = { provider: 'openai-compatible', model: 'm', base_url: `http://127.0.0.1:${model}/` };
  place.put('.oka/config.json', {
    hooks: script === 0 ? commands : [...commands, scripted],
    models: model === 0 ? {} : { house },
  });
  place.put('.mcp.json', {
    mcpServers: server === 0 ? {} : { notes: { command: 'run', args: [`${server}`] } },
  });
  place.put('.oka/graphs/water.json', graph('water', `version ${graphVersion}`));
}

/** Everything that the content would do, one key each. */
function actsOf({ hooks, script, model, server, graph: graphVersion }: Content): Set<string> {
  return new Set([
    ...hooks.map((number) => `hook ${number}`),
    ...(script === 0 ? [] : [`script ${script}`]),
    ...(model === 0 ? [] : [`model ${model}`]),
    ...(server === 0 ? [] : [`server ${server}`]),
    `graph ${graphVersion}`,
  ]);
}

/** What a new process would do, according to the code that loads it. */
async function actual(place: TrustedPlace, found: Content): Promise<Set<string>> {
  const services = place.services();
  const acts = new Set<string>();
  if (!services.isTrusted()) return acts;
  const { hooks, models } = await services.config();
  for (const { command } of hooks)
    acts.add(command[0] === 'sh' ? `script ${found.script}` : `hook ${command[1]?.replace('hook-', '')}`);
  if (models['house'] !== undefined) acts.add(`model ${found.model}`);
  const declared = new McpFile(join(place.root, '.mcp.json')).servers();
  const listed = await (await services.mcp()).list();
  if (declared.length > 0 && listed.every(({ problem }) => problem === undefined))
    acts.add(`server ${found.server}`);
  const [schedule] = await services.ledger().schedules.list();
  const content = contentOfFiles('water', new GraphFiles(place.root, place.at('.oka')));
  try {
    if (schedule !== undefined) services.trust.requireSchedule(schedule, content);
    if (schedule !== undefined) acts.add(`graph ${found.graph}`);
  } catch (error) {
    expect(error).toMatchObject({ code: 'config.trust_changed' });
  }
  await services.close();
  return acts;
}

/** Nothing acts before the person approves that exact content, and everything approved acts. */
export async function checkTrust(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(content, steps, async (first, taken) => {
      const place = new TrustedPlace();
      let found: Content = first;
      write(place, found);
      await place.trust();
      await place.oka.graphs.schedules.add({ graph: 'water', cron: '0 0 1 1 *', by: 'test' });
      let approved = actsOf(found);
      for (const step of taken) {
        if ('edit' in step) {
          found = { ...found, ...step.edit };
          write(place, found);
        } else if (step.do === 'approve') {
          await place.approve();
          approved = actsOf(found);
        } else {
          await place.replaceByCopy();
          approved = new Set();
        }
        const expected = new Set([...actsOf(found)].filter((act) => approved.has(act)));
        expect(await actual(place, found)).toEqual(expected);
      }
      await place.close();
    }),
    { numRuns },
  );
}
