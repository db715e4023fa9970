import type { Digest } from '../kernel/index.ts';

export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** Something in the workspace. Paths are relative to it, with `/` between the parts. */
export interface FileEntry {
  readonly path: string;
  readonly kind: EntryKind;
  readonly bytes: number;
}

/** A file's beginning, with the size and digest of the whole. */
export interface FileContent {
  readonly path: string;
  readonly content: Uint8Array;
  readonly bytes: number;
  readonly digest: Digest;
  readonly truncated: boolean;
  /** Its permission bits, where they are known. */
  readonly mode?: number;
}

/** What stands at a path after a write. */
export interface FileVersion {
  readonly path: string;
  readonly bytes: number;
  readonly digest: Digest;
}

export interface ListOptions {
  /** How many levels to go down; 1 lists the folder itself. */
  readonly depth: number;
  readonly max: number;
  /** Also what ignore files leave out. */
  readonly ignored?: boolean;
}

export interface FileListing {
  readonly path: string;
  readonly entries: readonly FileEntry[];
  readonly truncated: boolean;
  /** Folders below that may not be entered. */
  readonly unreadable: readonly string[];
}

/**
 * The files of one workspace. Nothing outside it can be reached, by whatever path; what guards it (`.git`, `.oka`,
 * policy) cannot be changed. Refusals are OkaErrors with a ToolsErrorCode.
 */
export interface Files {
  /** The real path, relative to the workspace, that an operation on `path` would act on; throws where it would be refused. */
  locate(path: string, purpose: 'read' | 'write'): Promise<string>;
  /** What stands at `path`; undefined when nothing does. A link is told as a link. */
  stat(path: string): Promise<FileEntry | undefined>;
  read(path: string, options?: { readonly maxBytes?: number }): Promise<FileContent>;
  /** The digest of a file's content; undefined when there is no such file. */
  digest(path: string): Promise<Digest | undefined>;
  /** Breadth first, so that a cut listing loses the deepest; sorted by path. Ignore files are obeyed, links not followed. */
  list(path: string, options: ListOptions): Promise<FileListing>;
  /** Every file below `path`, and each folder that may not be entered, in a stable order. Obeys what `list` obeys. */
  walk(path: string): AsyncIterable<FileEntry>;
  /**
   * Replaces the whole file or leaves it as it was; missing folders are made. Synced before it answers. A file that is
   * replaced keeps its permissions; a new one gets `mode`, if it is given.
   */
  writeAtomic(
    path: string,
    content: string | Uint8Array,
    options?: { readonly mode?: number },
  ): Promise<FileVersion>;
  /** Gives a file another name, and answers with it. Refuses a name that is taken; missing folders are made. */
  move(from: string, to: string): Promise<string>;
  /** Makes a folder and those above it that are missing; one that is there is left as it is. */
  makeFolder(path: string): Promise<void>;
  /** Removes a file or an empty folder. */
  remove(path: string): Promise<void>;
}
