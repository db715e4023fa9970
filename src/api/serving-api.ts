import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { list, nothing, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

const serveRequest = z.object({
  /** Names of tools to offer beside those that only read; `*` stands for any letters, as in `files.*`. */
  tools: list(text),
  /** Who is told to have cancelled a run when a client gives up on its call. */
  by: text,
});
export interface ServeRequest extends TypeOf<typeof serveRequest> {
  /** Learns of what cannot be told to a client. */
  readonly onTrouble: (what: string) => void;
}

/** A server that listens for clients. */
const servingAnswer = z.object({
  url: text,
  /** What each request must bring as `Authorization: Bearer <token>`. */
  token: text,
  /** Where the token stands for programs of the same person, until the server is closed. */
  tokenFile: text,
});
export interface ServingAnswer extends TypeOf<typeof servingAnswer> {
  close(): Promise<void>;
}

/** Offering tools, graphs and runs to clients of the Model Context Protocol. */
export interface ServingApi {
  /** Speaks with one client, a message on each line, until the input ends or the signal aborts. */
  overStreams(
    request: ServeRequest & {
      readonly input: Readable;
      readonly output: Writable;
      readonly signal: AbortSignal;
    },
  ): Promise<void>;
  /** Listens on this machine only; port 0 takes one that is free. */
  overHttp(request: ServeRequest & { readonly port: number }): Promise<ServingAnswer>;
}

export const servingSchemas: SchemasOf<ServingApi> = {
  overStreams: [[serveRequest], nothing],
  overHttp: [[serveRequest.extend({ port: number })], servingAnswer],
};
