import * as z from 'zod';
import { requireCapability, type Tool, type ToolAnnotations } from '../engine/index.ts';
import { defineTool } from './define-tool.ts';
import { isReviewed, orderInstall } from './installs/catalogue.ts';
import { dependencyInstalled, ENVIRONMENT_STREAM } from './installs/install-events.ts';
import { canonicalPackage } from './installs/package-name.ts';
import type { Installer } from './installs/ports.ts';

/** The least that a call may be: what the catalogue lists is known, anything else is a stranger's program. */
const REVIEWED: ToolAnnotations = {
  readOnly: false,
  destructive: false,
  idempotent: true,
  cacheable: false,
  risk: 'medium',
};
const UNREVIEWED: ToolAnnotations = { ...REVIEWED, risk: 'high' };
const INSTALL_TIME_MS = 1_200_000;

const preimageSchema = z.object({ version: z.string().nullable() });

export const installDependency: Tool = defineTool({
  name: 'environment.install',
  description:
    'Installs a Node or Python package into the tools of the workspace, without install scripts; can be undone.',
  input: z.strictObject({
    ecosystem: z.enum(['node', 'python']),
    package: z.string().min(1).max(128).describe('the name under which its registry lists it'),
    version: z.string().max(100).optional().describe('an exact version; the newest allowed one if left out'),
  }),
  output: z.object({
    package: z.string(),
    version: z.string(),
    integrity: z.string().describe('the hash that its registry told and that was checked'),
    bins: z.array(z.string()).describe('the programs that process.run now finds'),
    withheld: z.array(z.string()).describe('programs left out, because the machine has some of that name'),
    fresh: z.boolean().describe('false when it stood there already'),
  }),
  annotations: UNREVIEWED,
  sideEffect: 'write_local',
  forInput: (input) => ({
    sideEffect: 'write_local',
    annotations: isReviewed(input as Parameters<typeof isReviewed>[0]) ? REVIEWED : UNREVIEWED,
  }),
  timeoutMs: INSTALL_TIME_MS,
  preimage: async (request, context) => {
    const standing = await requireCapability<Installer>(context, 'installer').list();
    const name = canonicalPackage(request.ecosystem, request.package);
    const before = standing.find((one) => one.ecosystem === request.ecosystem && one.name === name);
    return { version: before?.version ?? null };
  },
  undo: async ({ input, preimage }, context) => {
    const installer = requireCapability<Installer>(context, 'installer');
    const order = orderInstall(input);
    const { version } = preimageSchema.parse(preimage);
    if (version !== null) {
      const { fresh } = await installer.install({ ...order, version }, context.signal);
      return fresh
        ? `went back to ${order.package} ${version}`
        : `${order.package} ${version} already stands`;
    }
    const removed = await installer.remove(order, context.signal);
    return removed ? `removed ${order.package}` : `${order.package} is already gone`;
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
