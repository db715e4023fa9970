import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../../engine/index.ts';
import { MAINTENANCE_STREAM, maintenanceCompleted, retentionApplied } from './maintenance-events.ts';
import type { MaintenanceWork } from './ports.ts';

const count = z.int().min(0);
const places = z.array(z.string());
const nothing = z.strictObject({});

/**
 * The tools of maintenance, which need the capability `maintenance`. They record numbers, ids and paths, never content, so that
 * erasing content leaves nothing behind.
 */
export function maintenanceTools(): readonly Tool[] {
  return [
    step({
      name: 'maintenance.distil',
      description: 'Stores lasting statements of people as facts, from a position of the ledger on.',
      input: z.strictObject({ after: count }),
      output: z.strictObject({ through: count, more: z.boolean(), added: count, forgotten: count }),
      handler: async ({ after }, context) => {
        const { added, ...found } = await workOf(context).distil(after);
        return { ...found, added: added.length };
      },
    }),
    step({
      name: 'maintenance.score',
      description: 'Scores procedures by the results of their runs.',
      input: nothing,
      output: z.strictObject({ scored: count, changed: places }),
      handler: (_, context) => workOf(context).score(),
    }),
    step({
      name: 'maintenance.tidy',
      description: 'Merges duplicate facts, sets an expiry on stale ones and erases expired ones.',
      input: nothing,
      output: z.strictObject({ joined: count, archived: count, pruned: count }),
      handler: (_, context) => workOf(context).tidy(),
    }),
    step({
      name: 'maintenance.retain',
      description: 'Archives finished runs and erases episodes that are past the configured retention.',
      input: nothing,
      output: z.strictObject({
        archivedRuns: count,
        erasedEpisodes: count,
        deletedArtifacts: count,
        freedBytes: count,
      }),
      handler: async (_, context) => {
        const report = await workOf(context).retain();
        if (report.archivedRuns + report.erasedEpisodes > 0)
          context.record({ stream: MAINTENANCE_STREAM, event: retentionApplied(report) });
        return report;
      },
    }),
    step({
      name: 'maintenance.derive',
      description: 'Regenerates the derived files that have changed.',
      input: z.strictObject({ through: count.nullable() }),
      output: z.strictObject({
        written: places,
        removed: places,
        unchanged: count,
        setAside: places,
        leftAlone: places,
      }),
      handler: async ({ through }, context) => {
        const report = await workOf(context).derive();
        if (through !== null)
          context.record({ stream: MAINTENANCE_STREAM, event: maintenanceCompleted(through) });
        return report;
      },
    }),
  ];
}

/** Every step writes only to the ledger and can be repeated cheaply. */
function step<Input extends z.ZodType>(definition: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodType;
  readonly handler: (input: z.output<Input>, context: ToolContext) => Promise<unknown>;
}): Tool {
  const schema = (check: z.ZodType) => ({ check, json: () => z.toJSONSchema(check) });
  const tool = {
    ...definition,
    version: '1',
    input: schema(definition.input),
    output: schema(definition.output),
    annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
    sideEffect: 'write_local',
    ledgerOnly: true,
    timeoutMs: 1_800_000,
  };
  return tool as unknown as Tool;
}

function workOf(context: ToolContext): MaintenanceWork {
  return requireCapability<MaintenanceWork>(context, 'maintenance');
}
