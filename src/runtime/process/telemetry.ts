import { basename } from 'node:path';
import { SqliteRunFigures } from '../../adapters/sqlite/index.ts';
import type { TelemetryExport } from '../../adapters/telemetry-export/index.ts';
import { type ActiveTelemetry, parseHeaders } from '../../config/index.ts';
import { OkaError, toFailure } from '../../kernel/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

declare const __OKA_VERSION__: string;

const TOOL = 'telemetry';
const MAX_REASON = 200;

/** Short enough that the exporter does not retry, so that a command ends without waiting. */
const COMMAND_TIMEOUT_MS = 700;

export type WorkspaceTelemetry = TelemetryExport;

type Services = Pick<WorkspaceServices, 'folder' | 'redactor' | 'secret' | 'warn'>;

/** Opens the exporters. What is wrong with them is a warning: work never depends on telemetry. */
export async function openWorkspaceTelemetry(
  services: Services,
  active: ActiveTelemetry,
  { timeoutMs = COMMAND_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<WorkspaceTelemetry | undefined> {
  const { folder, redactor, warn } = services;
  const { otlp, headersSecret, prometheus, secrets, ...settings } = active;
  const place = otlp ?? 'the address in OTEL_EXPORTER_OTLP_ENDPOINT';
  for (const secret of secrets) redactor.addSecret('OTEL_EXPORTER_OTLP_HEADERS', secret);
  try {
    const headers = headersSecret === undefined ? {} : await readHeaders(headersSecret, active, services);
    const { openTelemetryExport } = await import('../../adapters/telemetry-export/index.ts');
    return openTelemetryExport({
      ...settings,
      ...(otlp === undefined ? {} : { otlp }),
      ...{ headers, timeoutMs },
      prometheus: prometheus !== undefined,
      version: __OKA_VERSION__,
      workspace: basename(folder.workspace),
      onFailure: (why) =>
        warn(
          `Telemetry could not be sent to ${place}: ${redactor.text(why).slice(0, MAX_REASON)}. Runs are not affected. Check the collector, or the setting telemetry.otlp.`,
        ),
    });
  } catch (error) {
    warn(`Telemetry is off: ${redactor.text(toFailure(error, 'kernel.bug').message)}`);
    return undefined;
  }
}

async function readHeaders(
  name: string,
  { otlp }: ActiveTelemetry,
  { secret, redactor }: Services,
): Promise<Readonly<Record<string, string>>> {
  const host = otlp === undefined ? {} : { host: new URL(otlp).host };
  const value = await secret(name, { tool: TOOL, from: 'user', ...host });
  const headers = parseHeaders(value ?? '');
  if (Object.keys(headers).length === 0)
    throw new OkaError(
      'config.invalid',
      `there is no credential ${name} with headers as name=value. Add it with: oka vault add ${name} --scope tool:${TOOL}`,
    );
  for (const header of Object.values(headers)) redactor.addSecret(name, header);
  return headers;
}

/** Reports runs by status, open approvals and the head of the ledger whenever metrics are collected. */
export function observeWorkspace(
  telemetry: WorkspaceTelemetry,
  { ledger, folder, clock }: Pick<WorkspaceServices, 'ledger' | 'folder' | 'clock'>,
): void {
  telemetry.observeWorkspace(async () => {
    const figures = new SqliteRunFigures(ledger().database, folder.database);
    const { seq } = await ledger().store.head();
    return { runs: figures.runsByStatus(), approvals: figures.openApprovals(clock.now()), head: seq };
  });
}
