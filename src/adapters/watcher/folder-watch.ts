import { join } from 'node:path';

/** Callbacks of a watch, called at any time until it is closed. They must not throw. */
export interface FolderWatchOptions {
  /** Excluded subfolders. */
  readonly except: readonly string[];
  /** These paths, relative to the watched folder, may have changed. */
  readonly onPaths: (paths: readonly string[]) => void;
  /** Events were lost: anything may have changed. */
  readonly onLost: (error: unknown) => void;
}

export interface FolderWatch {
  close(): Promise<void>;
}

/** Watches a folder with the operating system's events. Rejects if they are not available. */
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
