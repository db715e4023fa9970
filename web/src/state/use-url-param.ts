import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** State in the address, so that a link shows the same. An empty value is left out. */
export function useUrlParam(name: string): readonly [value: string, set: (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (value === '') next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [name, setParams],
  );
  return [params.get(name) ?? '', set];
}
