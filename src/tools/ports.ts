import type { Binding, BindingPart, ContentWritten, ToolContext } from '../engine/index.ts';
import type { Digest, EpochMs, Json, OkaError } from '../kernel/index.ts';
import type { NetworkAccess, SandboxDetails, SandboxKind } from './sandbox-access.ts';

export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** Paths are relative to the workspace, with `/` as the separator. */
export interface FileEntry {
  readonly path: string;
  readonly kind: EntryKind;
  readonly bytes: number;
  /** When its content changed last; missing for entries that exist only in a simulation. */
  readonly modifiedAt?: EpochMs;
  /** Why a walk did not look into it: ignore files exclude it, or the system did not let it. */
  readonly closed?: 'ignored' | 'unreadable';
}

/** The beginning of a file, with the size and digest of the whole file. */
export interface FileContent {
  readonly path: string;
  readonly content: Uint8Array;
  readonly bytes: number;
  readonly digest: Digest;
  readonly truncated: boolean;
  /** The permission bits, if known. */
  readonly mode?: number;
}

/** What is at a path. Permissions are the lower nine bits; no other bit of a mode is ever set by Oka. */
export type PathState =
  | {
      readonly kind: 'file';
      readonly digest: Digest;
      readonly bytes: number;
      readonly mode: number;
      readonly modifiedAt: EpochMs;
    }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly mode: number }
  | { readonly kind: 'special' };

/** What a path becomes. The content of a file is in memory, or in a file elsewhere that is moved here if possible. */
export type NewState =
  | {
      readonly kind: 'file';
      readonly content: Uint8Array | { readonly file: string };
      readonly mode: number;
      readonly modifiedAt?: EpochMs;
    }
  | { readonly kind: 'link'; readonly target: string }
  /** `from`: a folder elsewhere that is moved here with everything in it, if there is no folder yet. */
  | { readonly kind: 'folder'; readonly mode: number; readonly from?: string };

/** A file after a write. */
export type FileVersion = Pick<FileContent, 'path' | 'bytes' | 'digest'>;

export interface ListOptions {
  /** The number of levels; 1 lists only the folder itself. */
  readonly depth: number;
  readonly max: number;
  /** `true` includes what ignore files exclude; `files` does so except for whole folders that they exclude. */
  readonly ignored?: boolean | 'files';
}

export interface WalkOptions extends Pick<ListOptions, 'ignored'> {
  readonly depth?: number;
  /** Also yields folders, links and, marked as closed, what ignore files exclude. */
  readonly all?: boolean;
}

export interface FileListing {
  readonly path: string;
  readonly entries: readonly FileEntry[];
  readonly truncated: boolean;
  /** Folders below that are not readable. */
  readonly unreadable: readonly string[];
  /** Folders that ignore files exclude, so that they were not listed. */
  readonly skipped?: readonly string[];
}

/**
 * The files of one workspace. No path leads outside; protected files (`.git`, `.oka`, policy) cannot be changed. Fails with a
 * ToolsErrorCode.
 */
export interface Files {
  /** The real path that an operation on `path` acts on; fails if the operation is not allowed. */
  locate(path: string, purpose: 'read' | 'write'): Promise<string>;
  /** Undefined if nothing exists at `path`. Does not follow links. */
  stat(path: string): Promise<FileEntry | undefined>;
  read(
    path: string,
    options?: { readonly maxBytes?: number; readonly repository?: boolean },
  ): Promise<FileContent>;
  /** The digest of a file's content, of any size; undefined if there is no file. */
  digest(path: string): Promise<Digest | undefined>;
  /** Breadth first, so that a truncated listing loses the deepest; sorted by path. Respects ignore files; follows no links. */
  list(path: string, options: ListOptions): Promise<FileListing>;
  /** Every file below `path` and, marked as closed, whatever is unreadable, sorted by path. Has no limits; follows no links. */
  walk(path: string, options?: WalkOptions): AsyncIterable<FileEntry>;
  /** The content of a file of any size, in pieces. Fails if the file changes meanwhile. */
  pieces(path: string): AsyncIterable<Uint8Array>;
  /**
   * Writes atomically and durably, and creates missing folders. An existing file keeps its permissions; `mode` is for new ones.
   * `modifiedAt` is for restored files.
   */
  writeAtomic(
    path: string,
    content: string | Uint8Array,
    options?: { readonly mode?: number; readonly modifiedAt?: EpochMs },
  ): Promise<FileVersion>;
  /** Moves a file and returns its new path. Fails if the target exists; creates missing folders. */
  move(from: string, to: string): Promise<string>;
  /** Copies a file of any size with its permissions and modification time. Fails if the target exists; creates missing folders. */
  copy(from: string, to: string): Promise<FileVersion>;
  /** Creates a folder and its missing parents. */
  makeFolder(path: string): Promise<void>;
  /** Removes a file or an empty folder. */
  remove(path: string): Promise<void>;
  /** What is at a path; undefined if nothing. Does not follow a link at its end. */
  state(path: string, options?: { readonly repository?: boolean }): Promise<PathState | undefined>;
  /**
   * Replaces what is at a path; undefined removes it. Folders above it must exist; a folder is removed or replaced only if it is
   * empty. `repository`: metadata of git may be changed too.
   */
  place(
    path: string,
    state: NewState | undefined,
    options?: { readonly repository?: boolean },
  ): Promise<void>;
}

/** Finds the files of the workspace that a program changes. Provided as the capability `fileChanges`. */
export interface FileChanges {
  start(): Promise<{ finish(): Promise<readonly ContentWritten[]> }>;
}

type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

const CREDENTIAL_HEADERS = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-auth-token)$/i;

/** True for a header that carries credentials. */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.test(name);
}

export interface HttpRequest {
  readonly url: string;
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of headers with a secret. They are sent only over TLS and only to the original origin. */
  readonly secretHeaders?: readonly string[];
  readonly body?: string;
  /** The maximum size of the decoded body. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Asked before each redirect, and before its name is resolved; rejects if the redirect may not be followed. */
  readonly mayFollow: (to: RedirectTarget, from: URL) => Promise<void>;
}

/** The request that an answer leads to. */
export interface RedirectTarget {
  readonly url: URL;
  readonly method: HttpMethod;
  readonly body?: string;
}

export interface HttpAnswer {
  /** The final URL, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded by Content-Encoding. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
  /** The earlier URLs, in order. */
  readonly redirects: readonly string[];
}

/**
 * HTTP to public servers. Provided as the capability `http`. Refuses private addresses, also behind a name or a redirect, and
 * follows a redirect only where the request says that it may. An aborted signal rejects with its reason.
 */
export interface Http {
  fetch(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
}

/** A program to run, without a shell. */
export interface ProcessRequest {
  readonly argv: readonly string[];
  /** A folder of the workspace. Default: the workspace. */
  readonly cwd?: string;
  readonly timeoutMs: number;
  readonly stdin?: string;
  /** Variables added to the clean environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the sandbox lets the program reach. Default: nothing. */
  readonly network?: NetworkAccess;
  /** What the call was allowed with; checked again right before the program starts. */
  readonly binding?: Pick<Binding, 'part' | 'files'>;
  /** Runs on this draft; without one on the workspace itself. */
  readonly draft?: Draft;
  /** The maximum size of stdout and of stderr. */
  readonly maxOutputBytes?: number;
  /** Called with all output as it arrives. */
  readonly onOutput?: (chunk: Uint8Array) => void;
}

/** Shows people the output of running programs. Provided as the optional capability `programOutput`. */
export interface ProgramOutput {
  line(run: string, text: string): void;
}

/** Shows people the text of models that tools ask, while it arrives. Provided as the optional capability `modelText`. */
export interface ModelText {
  /** `model` is set once, before the text; `last` at its end. */
  piece(piece: {
    readonly run: string;
    readonly text: string;
    readonly model?: string;
    readonly last?: true;
  }): void;
}

/** How a program ended. A non-zero exit code is a result, not an error. */
export interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True if the middle of stdout or stderr was removed. */
  readonly truncated: boolean;
  readonly sandbox: SandboxKind;
  /** What confined it, as evidence. */
  readonly confinement?: SandboxDetails;
  /** A note for people about how it ran. */
  readonly note?: string;
}

/** How programs get a draft of the workspace on this machine, or why they get none. */
interface DraftSupport {
  readonly kind: 'overlay' | 'copy' | 'none';
  readonly why?: string;
  /** The repository lies outside the workspace, so a draft does not contain it. */
  readonly withoutGit?: boolean;
}

/** One path that differs between a draft and the workspace. */
export interface DraftChange {
  readonly path: string;
  /** What the workspace has; undefined if nothing. */
  readonly before: PathState | undefined;
  /** What the program left; undefined if nothing. `file`: where the file or the folder is. */
  readonly after: (PathState & { readonly file?: string }) | undefined;
  /** The program set a set-user-ID, set-group-ID or sticky bit. */
  readonly special?: true;
  /** The workspace changed there after the program had started. */
  readonly conflict?: true;
  /** It belongs to a repository of git, as its data or as what decides which programs git runs. */
  readonly repository?: 'data' | 'decides';
}

/** A copy-on-write view of the workspace. What a program does in it changes nothing until it is applied. */
export interface Draft {
  readonly key: string;
  /** An earlier attempt has opened it. */
  readonly existed: boolean;
  /** What an earlier attempt of the same call kept. */
  kept(): Promise<Json | undefined>;
  /** Keeps a record with the draft, synced to disk. */
  keep(record: Json): Promise<void>;
  /** Everything that the program changed, sorted by path: a folder comes before what is in it. */
  changes(): Promise<readonly DraftChange[]>;
  /** Removes all but the record. */
  trim(): Promise<void>;
  /** Removes the draft. */
  discard(): Promise<void>;
}

/**
 * Runs programs in the workspace. Provided as the capability `processes`. Fails with an OkaError if the program is missing, not
 * allowed or too slow. When it returns, all child processes have ended.
 */
export interface Processes {
  /** The sandbox, or why there is none. */
  readonly sandbox: { readonly kind: SandboxKind; readonly why?: string; readonly version?: string };
  /** Whether programs can run on drafts here. */
  readonly drafts: DraftSupport;
  /** Opens the draft of a call; the same key opens the same draft. Drops what an attempt left that kept no record. */
  openDraft(key: string): Promise<Draft>;
  /** The program that a request would start and, unless `part` is `program`, the files of the workspace that it names. */
  identify(request: Pick<ProcessRequest, 'argv' | 'cwd'>, part: BindingPart): Promise<Binding['files']>;
  /** Fails as `run` does if the program is missing or cannot be executed. */
  find(request: Pick<ProcessRequest, 'argv' | 'cwd'>): Promise<unknown>;
  /** Fails with `engine.binding_changed` before it starts anything if the program or a bound file changed. */
  run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult>;
}

/** Installs missing dependencies. Provided as the optional capability `dependencies`. */
export interface Dependencies {
  /** Whether `provide` can do something about a missing program. */
  knows(missing: OkaError): boolean;
  /** `installed`: a retry may succeed. `unknown`: no missing dependency was recognized. */
  provide(
    result: ProcessResult | OkaError,
    request: ProcessRequest,
    context: ToolContext,
  ): Promise<'installed' | 'unknown' | 'needs_person'>;
}

/** Reads durable values and earlier runs. Provided as the capability `state`. */
export interface StateReader {
  get(
    graph: string,
    key: string,
  ): Promise<{ readonly value: Json; readonly run: string; readonly untrusted?: true } | undefined>;
  /** Runs of a graph, newest first. */
  priorRuns(request: {
    readonly graph: string;
    readonly except: string;
    readonly limit: number;
    readonly status?: string;
  }): Promise<readonly PriorRun[]>;
}

interface PriorRun {
  readonly id: string;
  readonly status: string;
  readonly startedAt: EpochMs;
  readonly endedAt?: EpochMs;
  readonly failureCode?: string;
}
