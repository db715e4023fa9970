import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/client';
import { isOkaError, OkaError, textOf } from '../../kernel/index.ts';
import { cleanText, type McpErrorCode } from '../../tools/index.ts';
import { STREAM_LOST } from './http-transport.ts';
import { TimeIsUp } from './within-limit.ts';

const LONGEST_WORDS = 2_000;

/** What was being done, to whom, and what is known of the other side. */
export interface FailureScene {
  readonly server: string;
  readonly phase: 'connect' | 'list' | 'call';
  readonly tool?: string;
  /** Why our side broke off, if it did. */
  readonly brokenOff: Error | undefined;
  /** How the process ended and what it said last, where there is one. */
  readonly lastWords: string;
}

/** Whatever went wrong with a server, as one of our errors. */
export function explainFailure(error: unknown, scene: FailureScene): OkaError {
  if (isOkaError(error)) return error;
  const make = (code: McpErrorCode, what: string, data = {}): OkaError<McpErrorCode> =>
    new OkaError(code, `the MCP server "${scene.server}" ${what}`, {
      data: { server: scene.server, ...(scene.tool === undefined ? {} : { tool: scene.tool }), ...data },
      cause: error,
    });
  if (
    error instanceof TimeIsUp ||
    (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
  ) {
    const doing = { connect: 'get ready', list: 'list its tools', call: `answer ${scene.tool}` }[scene.phase];
    return make(
      'mcp.timeout',
      `did not ${doing} in time${scene.lastWords}. Try again, or look at it with: oka mcp test ${scene.server}.`,
    );
  }
  if (scene.brokenOff !== undefined)
    return make('mcp.too_large', `was broken off: ${scene.brokenOff.message}. Ask it for less.`);
  const unsupported = unsupportedVersion(error);
  if (unsupported !== undefined)
    return make(
      'mcp.unsupported_protocol',
      `speaks the protocol ${unsupported}; Oka speaks 2026-07-28 and 2025-11-25. Update the server.`,
      { protocol: unsupported },
    );
  if (scene.phase === 'connect')
    return make('mcp.unreachable', `${whyUnreachable(error)}${scene.lastWords}.`);
  if (isLost(error))
    return make(
      'mcp.connection_lost',
      scene.phase === 'call'
        ? `was lost while ${scene.tool} ran, so whether it has acted is not known${scene.lastWords}. It is started again by the next call.`
        : `was lost while it listed its tools${scene.lastWords}. It is started again by the next call.`,
    );
  const words = cleanText(textOf((error as Error).message), LONGEST_WORDS);
  if (error instanceof ProtocolError && scene.phase === 'call')
    return make('mcp.tool_failed', `refused ${scene.tool}: ${words}`, { text: words });
  return make(
    'mcp.protocol_error',
    `answered with what the protocol does not allow: ${words}. Update or remove it.`,
  );
}

/** Whether the server cannot have seen the request: its address is closed, or it does not know the session. */
export function neverArrived(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.data.status === 404 || error.data.status === 400;
  return systemCode(error) === 'ECONNREFUSED';
}

function isLost(error: unknown): boolean {
  if (error instanceof SdkHttpError || error instanceof TypeError) return true;
  if (error instanceof ProtocolError) return error.code === STREAM_LOST;
  if (error instanceof SdkError)
    return [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(
      error.code,
    );
  return /^(Not connected|the server has ended)$/.test((error as Error).message);
}

function unsupportedVersion(error: unknown): string | undefined {
  if (error instanceof UnsupportedProtocolVersionError) return error.supported.join(', ');
  return /protocol version is not supported: (.*)$/.exec((error as Error).message)?.[1];
}

function whyUnreachable(error: unknown): string {
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path !== undefined)
    return `could not be started: there is no program "${path}"; install it or mend the command`;
  if (code === 'EACCES' && path !== undefined) return `could not be started: "${path}" may not be run`;
  if (error instanceof SdkHttpError && (error.data.status === 401 || error.data.status === 403))
    return `refuses us (HTTP ${error.data.status}); give it credentials in a header`;
  const words = cleanText(textOf(message), LONGEST_WORDS);
  const refusal = systemCode(error);
  return `could not be reached: ${words}${refusal === undefined ? '' : ` (${refusal})`}`;
}

/** What the system said, as in ECONNREFUSED, however deep it lies. */
function systemCode(error: unknown): string | undefined {
  for (let found = error, depth = 0; found instanceof Error && depth < 5; found = found.cause, depth++) {
    const { code } = found as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) return code;
  }
  return undefined;
}
