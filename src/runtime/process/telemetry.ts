import { basename } from 'node:path';
import { SqlRunFigures } from '../../adapters/sql/index.ts';
import type { TelemetryExport } from '../../adapters/telemetry-export/index.ts';
import { type ActiveTelemetry, parseHeaders } from '../../config/index.ts';
import { runStream } from '../../engine/index.ts';
import { OkaError, toFailure } from '../../kernel/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

declare const __OKA_VERSION__: string;

const TOOL = 'telemetry';
const MAX_REASON = 200;

/** Short enough that the exporter does not retry, so that a command ends without waiting. */
const COMMAND_TIMEOUT_MS = 700;

type Services = Pick<WorkspaceServices, 'folder' | 'redactor' | 'secret' | 'warn'>;

/** Opens the exporters. What is wrong with them is a warning: work never depends on telemetry. */
export async function openWorkspaceTelemetry(
  services: Services,
  active: ActiveTelemetry,
  { timeoutMs = COMMAND_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<TelemetryExport | undefined> {
  const { folder, redactor, warn } = services;
  const { otlp, headersSecret, prometheus, secrets, ...settings } = active;
  const place = otlp === undefined ? 'the address in OTEL_EXPORTER_OTLP_ENDPOINT' : withoutPassword(otlp);
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

function withoutPassword(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname === '/' ? '' : pathname}`;
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

/** How long a daemon waits for a collector; it has time to try again. */
const DAEMON_TIMEOUT_MS = 10_000;
const RUN_STREAM = runStream('');
const RUN_ENDS = ['run.completed', 'run.failed', 'run.cancelled'];

/** A run that has ended, for a log. */
interface EndedRun {
  readonly [field: string]: string;
  readonly run: string;
  readonly root: string;
  readonly kind: string;
  readonly status: string;
}

export interface ServedTelemetry {
  /** Whether the log is written for log collectors. */
  readonly jsonLogs: boolean;
  /** The metrics as Prometheus text, and whether reading them needs the token. */
  readonly metrics?: { readonly access: 'token' | 'open'; readonly read: () => Promise<string> };
  /** Calls the listener with each run whose end this process records. */
  readonly onRunEnded: (listener: (run: EndedRun) => void) => void;
}

/** What a daemon or the host of an agent tells observers. It begins with the daemon and does not follow changes of the configuration. */
export async function serveTelemetry(
  services: Pick<WorkspaceServices, 'config' | 'telemetry' | 'ledger' | 'clock'>,
  { isDaemon }: { readonly isDaemon: boolean },
): Promise<ServedTelemetry> {
  const { config, ledger, clock } = services;
  const { jsonLogs = false, prometheus: access } = (await config()).telemetry ?? {};
  const telemetry = await services.telemetry({ timeoutMs: DAEMON_TIMEOUT_MS });
  if (isDaemon)
    telemetry?.observeWorkspace(async () => {
      const figures = new SqlRunFigures(ledger().tables);
      const { seq: head } = await ledger().store.head();
      const [runs, approvals] = [await figures.runsByStatus(), await figures.openApprovals(clock.now())];
      return { runs, approvals, head };
    });
  return {
    jsonLogs,
    ...(telemetry === undefined || access === undefined
      ? {}
      : { metrics: { access, read: () => telemetry.prometheusText() } }),
    onRunEnded: (listener) => followEnds(ledger(), listener),
  };
}

function followEnds({ store, runs }: OpenLedger, listener: (run: EndedRun) => void): void {
  store.subscribe((events) => {
    for (const { type, stream } of events) {
      if (!RUN_ENDS.includes(type) || !stream.startsWith(RUN_STREAM)) continue;
      void runs.get(stream.slice(RUN_STREAM.length)).then(
        (run) => {
          if (run === undefined) return;
          const { id, root, kind, status, failureCode } = run;
          listener({
            run: id,
            ...{ root, kind, status },
            ...(failureCode === undefined ? {} : { code: failureCode }),
          });
        },
        // A ledger that cannot be read is reported by what needs it.
        () => undefined,
      );
    }
  });
}
