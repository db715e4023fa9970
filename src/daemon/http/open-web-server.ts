import { basename } from 'node:path';
import { type DaemonStatus, HTTP_ROUTES, httpInput, isOkaError, openApiDocument } from '../../api/index.ts';
import { webListen } from '../../config/index.ts';
import { type Clock, systemRandom, type Warn } from '../../kernel/index.ts';
import type { Oka } from '../../runtime/index.ts';
import type { Calls } from '../calls.ts';
import type { WebAppParts } from './web-app.ts';
import { WebServer } from './web-server.ts';

declare const __OKA_VERSION__: string;

export interface DaemonParts {
  readonly oka: Oka;
  readonly calls: Calls;
  readonly status: () => DaemonStatus;
  readonly clock: Clock;
  readonly workspace: string;
  readonly socket: string;
  readonly warn: Warn;
  readonly metrics?: WebAppParts['metrics'];
}

/** Opens the web server of a daemon. A port that cannot be used is a warning: everything else works without the web app. */
export async function openWebServer(parts: DaemonParts): Promise<WebServer | undefined> {
  const { oka, workspace, warn } = parts;
  try {
    // A configuration that cannot be read is reported by what needs it.
    const configured = await oka.webPort().catch(() => undefined);
    const { address, port: fixedPort = configured } = webListen() ?? {};
    return await WebServer.open({
      calls: parts.calls,
      status: parts.status,
      clock: parts.clock,
      random: systemRandom,
      feed: await oka.feed(),
      routes: HTTP_ROUTES,
      inputOf: httpInput,
      openApi: openApiDocument,
      session: { workspace: basename(workspace), folder: workspace, version: __OKA_VERSION__ },
      stateFile: `${parts.socket}.web.json`,
      ...(address === undefined ? {} : { address }),
      ...(fixedPort === undefined ? {} : { fixedPort }),
      ...(parts.metrics === undefined ? {} : { metrics: parts.metrics }),
      onWarning: warn,
    });
  } catch (error) {
    if (!isOkaError(error, 'http.cannot_listen')) throw error;
    warn(error.message);
    return undefined;
  }
}
