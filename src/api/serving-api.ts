import type { Readable, Writable } from 'node:stream';

export interface ServeRequest {
  /** Names of tools to offer beside those that only read; `*` stands for any letters, as in `files.*`. */
  readonly tools: readonly string[];
  /** Who is told to have cancelled a run when a client gives up on its call. */
  readonly by: string;
  /** Learns of what cannot be told to a client. */
  readonly onTrouble: (what: string) => void;
}

/** A server that listens for clients. */
export interface ServingAnswer {
  readonly url: string;
  /** What each request must bring as `Authorization: Bearer <token>`. */
  readonly token: string;
  /** Where the token stands for programs of the same person, until the server is closed. */
  readonly tokenFile: string;
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
