import { type ReactNode, useEffect, useState } from 'react';
import { useConnection } from '../api/live.ts';

const PATIENCE_MS = 1_500;

/** Says that the page may be out of date. A short interruption is not worth a line. */
export function ConnectionLine(): ReactNode {
  const isCut = useConnection() === 'reconnecting';
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(isCut), isCut ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [isCut]);
  return (
    <div role="status">
      {isCut && isLong && (
        <div className="connection">
          Reconnecting… What you see may be out of date. If it lasts, run: oka web
        </div>
      )}
    </div>
  );
}
