import * as z from 'zod';
import { requireCapability, type Tool, type ToolAnnotations } from '../engine/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import { defineTool } from './define-tool.ts';
import { canonicalPackage, isReviewed, orderInstall } from './installs/catalogue.ts';
import type { InstalledPackage, Installer } from './installs/types.ts';

/** For packages in the reviewed catalogue; others are unknown code. */
const REVIEWED: ToolAnnotations = {
  readOnly: false,
  destructive: false,
  idempotent: true,
  cacheable: false,
  risk: 'medium',
};
const UNREVIEWED: ToolAnnotations = { ...REVIEWED, risk: 'high' };
const TIMEOUT_MS = 1_200_000;

const preimageSchema = z.object({ version: z.string().nullable() });

export const installDependency: Tool = defineTool({
  name: 'environment.install',
  description:
    'Installs a Node or Python package into the workspace, without install scripts; can be undone.',
  input: z.strictObject({
    ecosystem: z.enum(['node', 'python']),
    package: z.string().min(1).max(128).describe('the name in its registry'),
    version: z.string().max(100).optional().describe('an exact version; default: the newest allowed one'),
  }),
  output: z.object({
    package: z.string(),
    version: z.string(),
    integrity: z.string().describe('the verified hash from its registry'),
    bins: z.array(z.string()).describe('the programs that process.run can now call'),
    withheld: z
      .array(z.string())
      .describe('programs that are not linked, because the machine has programs of that name'),
    fresh: z.boolean().describe('false if it was already installed'),
  }),
  annotations: UNREVIEWED,
  sideEffect: 'write_local',
  forInput: (input) => ({
    sideEffect: 'write_local',
    annotations: isReviewed(input as Parameters<typeof isReviewed>[0]) ? REVIEWED : UNREVIEWED,
  }),
  effect: ({ ecosystem, package: name, version }) => ({
    kind: 'install',
    what: `install the ${ecosystem} package ${name}${version === undefined ? '' : ` ${version}`}`,
  }),
  timeoutMs: TIMEOUT_MS,
  check: (request) => void orderInstall(request),
  preimage: async (request, context) => {
    const installed = await requireCapability<Installer>(context, 'installer').list();
    const name = canonicalPackage(request.ecosystem, request.package);
    const before = installed.find((one) => one.ecosystem === request.ecosystem && one.name === name);
    return { version: before?.version ?? null };
  },
  undo: async ({ input, preimage }, context) => {
    const installer = requireCapability<Installer>(context, 'installer');
    const order = orderInstall(input);
    const { version } = preimageSchema.parse(preimage);
    if (version !== null) {
      const { fresh } = await installer.install({ ...order, version }, context.signal);
      return `${fresh ? 'restored' : 'already installed:'} ${order.package} ${version}`;
    }
    const removed = await installer.remove(order, context.signal);
    return removed ? `removed ${order.package}` : `${order.package} was already removed`;
  },
  async handler(request, context) {
    const installer = requireCapability<Installer>(context, 'installer');
    const { installed, fresh } = await installer.install(orderInstall(request), context.signal);
    const { name, version, integrity, bins, withheld } = installed;
    const event = dependencyInstalled(installed, { run: context.runId, step: context.step });
    if (fresh) context.record({ stream: ENVIRONMENT_STREAM, event });
    return { package: name, version, integrity, bins: [...bins], withheld: [...withheld], fresh };
  },
});

/** The stream of installs into the workspace. */
export const ENVIRONMENT_STREAM = 'environment';

/** The event of an install, with the hashes of all its packages. */
export function dependencyInstalled(
  installed: InstalledPackage,
  by: { readonly run: string; readonly step: number },
): EventDraft {
  const { ecosystem, name, version, integrity, bins, dependencies } = installed;
  return {
    type: 'dependency.installed',
    data: {
      ecosystem,
      package: name,
      version,
      integrity,
      bins: [...bins],
      dependencies: dependencies.map((one) => ({ ...one })),
      run: by.run,
      step: by.step,
    },
  };
}
