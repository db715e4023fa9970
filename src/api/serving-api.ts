import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { list, nothing, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

const serveRequest = z.object({
  /** Tools to serve in addition to read-only ones; `*` matches any letters, as in `files.*`. */
  tools: list(text),
  /** The recorded user when a client cancels a call. */
  by: text,
});
export interface ServeRequest extends TypeOf<typeof serveRequest> {
  /** Called with problems that cannot be reported to a client. */
  readonly onWarning: (what: string) => void;
}

const servingAnswer = z.object({
  url: text,
  /** Each request needs `Authorization: Bearer <token>`. */
  token: text,
  /** A file with the token for programs of the same user; removed on close. */
  tokenFile: text,
});
export interface ServingAnswer extends TypeOf<typeof servingAnswer> {
  close(): Promise<void>;
}

/** Serves tools, graphs and runs to clients of the Model Context Protocol. */
export interface ServingApi {
  /** Serves one client, one message per line, until the input ends or the signal aborts. */
  overStreams(
    request: ServeRequest & {
      readonly input: Readable;
      readonly output: Writable;
      readonly signal: AbortSignal;
    },
  ): Promise<void>;
  /** Listens on 127.0.0.1; port 0 selects a free port. */
  overHttp(request: ServeRequest & { readonly port: number }): Promise<ServingAnswer>;
}

export const servingSchemas: SchemasOf<ServingApi> = {
  overStreams: [[serveRequest], nothing],
  overHttp: [[serveRequest.extend({ port: number })], servingAnswer],
};
