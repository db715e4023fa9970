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
import { TimeLimitError } from './limits.ts';

const MAX_WORDS_LENGTH = 2_000;

/** What failed, with which server, and what is known about the server. */
export interface FailureScene {
  readonly server: string;
  readonly phase: 'connect' | 'list' | 'call';
  readonly tool?: string;
  /** Why this side closed the connection. */
  readonly closedBy: Error | undefined;
  /** The exit status and last output of the server process. */
  readonly lastOutput: string;
}

/** Maps any failure of a server to an OkaError. */
export function explainFailure(error: unknown, scene: FailureScene): OkaError {
  if (isOkaError(error)) return error;
  const make = (code: McpErrorCode, what: string, data = {}): OkaError<McpErrorCode> =>
    new OkaError(code, `The MCP server "${scene.server}" ${what}`, {
      data: { server: scene.server, ...(scene.tool === undefined ? {} : { tool: scene.tool }), ...data },
      cause: error,
    });
  if (
    error instanceof TimeLimitError ||
    (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
  ) {
    const doing = { connect: 'get ready', list: 'list its tools', call: `answer ${scene.tool}` }[scene.phase];
    return make(
      'mcp.timeout',
      `did not ${doing} in time${scene.lastOutput}. Try again, or check it with: oka mcp test ${scene.server}.`,
    );
  }
  if (scene.closedBy !== undefined)
    return make('mcp.too_large', `was disconnected: ${scene.closedBy.message}. Request less data.`);
  const unsupported = unsupportedVersion(error);
  if (unsupported !== undefined)
    return make(
      'mcp.unsupported_protocol',
      `uses the protocol ${unsupported}; Oka supports 2026-07-28 and 2025-11-25. Update the server.`,
      { protocol: unsupported },
    );
  if (scene.phase === 'connect')
    return make('mcp.unreachable', `${whyUnreachable(error)}${scene.lastOutput}.`);
  if (isLost(error))
    return make(
      'mcp.connection_lost',
      scene.phase === 'call'
        ? `disconnected while ${scene.tool} ran, so it is unknown whether the call had an effect${scene.lastOutput}. The next call restarts it.`
        : `disconnected while it listed its tools${scene.lastOutput}. The next call restarts it.`,
    );
  const words = cleanText(textOf((error as Error).message), MAX_WORDS_LENGTH);
  if (error instanceof ProtocolError && scene.phase === 'call')
    return make('mcp.tool_failed', `refused ${scene.tool}: ${words}`, { text: words });
  return make('mcp.protocol_error', `violated the protocol: ${words}. Update or remove it.`);
}

/** Whether the server cannot have received the request: the connection was refused, or the session is unknown. */
export function wasNotReceived(error: unknown): boolean {
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
    return `could not be started: program "${path}" not found; install it or fix the command`;
  if (code === 'EACCES' && path !== undefined) return `could not be started: "${path}" is not executable`;
  if (error instanceof SdkHttpError && (error.data.status === 401 || error.data.status === 403))
    return `rejected the request (HTTP ${error.data.status}); add credentials as a header`;
  const words = cleanText(textOf(message), MAX_WORDS_LENGTH);
  const refusal = systemCode(error);
  return `could not be reached: ${words}${refusal === undefined ? '' : ` (${refusal})`}`;
}

/** The system's error code, such as ECONNREFUSED, from the chain of causes. */
function systemCode(error: unknown): string | undefined {
  for (let found = error, depth = 0; found instanceof Error && depth < 5; found = found.cause, depth++) {
    const { code } = found as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) return code;
  }
  return undefined;
}
