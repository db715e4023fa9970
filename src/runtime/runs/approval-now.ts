// Owns: what a person needs to know to decide on a pending call, as of now. Does not own: what was recorded when the run asked.
import { WorkspaceFiles } from '../../adapters/files/index.ts';
import type { ApprovalView } from '../../api/index.ts';
import { type ApprovalSummary, narrowTool, UNTRUSTED_RULE, untrustedSources } from '../../engine/index.ts';
import { builtInTools, decodeText, unifiedDiff } from '../../tools/index.ts';
import { openProcesses } from '../process/open-processes.ts';
import { NO_SANDBOX_RULE } from '../process/require-sandbox.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

/** Larger files are shown without a diff. */
const MAX_DIFF_BYTES = 256 * 1_024;
const MAX_SOURCES = 3;
/** Those of the policy that applies where no row of POLICY.md does. */
const DEFAULT_RULES = ['risk', 'destructive', 'external_mutation'];

type Services = Pick<
  WorkspaceServices,
  'trust' | 'folder' | 'home' | 'clock' | 'config' | 'ledger' | 'redactor'
>;

export async function viewNow(
  approval: ApprovalSummary,
  services: Services,
): Promise<NonNullable<ApprovalView['now']>> {
  const { tool = '', run } = approval;
  const diff = await diffOf(approval, services).catch(() => undefined);
  const processes = openProcesses(services, await services.config());
  const known = builtInTools().find(({ name }) => name === tool);
  // A program that reaches the network may do more than what Oka can take back.
  const canUndo =
    known?.undo !== undefined &&
    narrowTool(known, approval.arguments, { processes }).sideEffect !== 'external_mutation';
  return {
    because: await becauseOf(approval, services, run),
    canUndo,
    ...(tool === 'process.run' ? { sandbox: processes.sandbox.kind } : {}),
    ...(diff === undefined ? {} : { diff }),
  };
}

async function becauseOf(
  { rule = '', why = '' }: ApprovalSummary,
  { ledger }: Services,
  run: string,
): Promise<string> {
  const row = /^(.*):(\d+)$/.exec(rule);
  if (row) {
    const place = `${row[1]} line ${row[2]}`;
    return why === '' || why === `${rule} says ask` ? place : `${place} "${why}"`;
  }
  if (rule === UNTRUSTED_RULE) {
    const sources = untrustedSources(await ledger().events.read(`run/${run}`)).map(({ what }) => what);
    const more = sources.length > MAX_SOURCES ? ` and ${sources.length - MAX_SOURCES} more` : '';
    const read =
      sources.length === 0 ? '' : `. It has read: ${sources.slice(-MAX_SOURCES).join('; ')}${more}`;
    return `${why}${read}`;
  }
  // The first line of such a request says that there is no sandbox, which the card does too.
  if (DEFAULT_RULES.includes(rule)) return `${why} (default rule ${rule})`;
  return rule === NO_SANDBOX_RULE ? (why.split('\n')[1] ?? why) : why;
}

/** How a call of a file tool would change the file that is there now. */
async function diffOf(
  { tool, arguments: given }: ApprovalSummary,
  { folder, redactor }: Services,
): Promise<string | undefined> {
  if (tool !== 'files.write' && tool !== 'files.edit' && tool !== 'files.delete') return undefined;
  const { path, content, old, new: replacement } = given as Readonly<Record<string, string>>;
  if (path === undefined) return undefined;
  const files = new WorkspaceFiles(folder.workspace);
  const entry = await files.stat(path);
  if ((entry?.bytes ?? 0) > MAX_DIFF_BYTES || (content?.length ?? 0) > MAX_DIFF_BYTES) return undefined;
  const file = entry === undefined ? undefined : await files.read(path);
  const text = file && decodeText(file.content, file.truncated);
  if (file !== undefined && text === undefined) return undefined;
  // The call has marks for the secrets of the file, so both are compared with marks.
  const before = text && redactor.tagged(text);
  if (tool === 'files.delete') return unifiedDiff(path, before, undefined);
  if (tool === 'files.write') return unifiedDiff(path, before, redactor.tagged(content ?? ''));
  if (before === undefined || old === undefined || !before.includes(old)) return undefined;
  const { all } = given as { readonly all?: boolean };
  const parts = before.split(old);
  const after = all === true || parts.length === 2 ? parts.join(replacement) : undefined;
  return after === undefined ? undefined : unifiedDiff(path, before, after);
}
