import { join } from 'node:path';

/** What a watch tells. Both may be called at any time until the watch is closed, and must not throw. */
export interface FolderWatchOptions {
  /** Paths of folders below the watched one of which nothing is told. */
  readonly except: readonly string[];
  /** Something may have changed at these paths, relative to the watched folder. */
  readonly onPaths: (paths: readonly string[]) => void;
  /** Something was lost: anything may have changed. */
  readonly onLost: (error: unknown) => void;
}

/** A watch that goes on until it is closed. */
export interface FolderWatch {
  close(): Promise<void>;
}

/** Lets the system tell of changes below a folder. Rejects where the system cannot. */
export async function watchFolder(folder: string, options: FolderWatchOptions): Promise<FolderWatch> {
  const { default: watcher } = await import('@parcel/watcher');
  const subscription = await watcher.subscribe(
    folder,
    (error, events) => {
      if (error !== null) options.onLost(error);
      else options.onPaths(events.map(({ path }) => path.slice(folder.length + 1)));
    },
    { ignore: options.except.map((path) => join(folder, path)) },
  );
  return { close: () => subscription.unsubscribe() };
}
