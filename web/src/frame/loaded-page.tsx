import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * A page whose file is loaded when it is first shown. React's `lazy` would do, but Suspense keeps its fallback for at least 300 ms,
 * and a file of this machine is there after a few.
 */
export function loadedPage<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  let Shown: ComponentType<Props> | undefined;
  return function LoadedPage(props: Props): ReactNode {
    const [failure, setFailure] = useState<{ readonly error: unknown }>();
    const [, setReady] = useState(Shown !== undefined);
    useEffect(() => {
      load().then(
        (file) => {
          Shown = file.default;
          setReady(true);
        },
        (error: unknown) => setFailure({ error }),
      );
    }, []);
    if (failure !== undefined) throw failure.error;
    return Shown === undefined ? <div /> : <Shown {...props} />;
  };
}
