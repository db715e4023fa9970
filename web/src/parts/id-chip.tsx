import { type ReactNode, useState } from 'react';
import { shortId } from './format.ts';

const SHOWN_MS = 1_500;

/** A short id. A click copies the whole one. */
export function IdChip({ id }: { readonly id: string }): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" className="id-chip" title={`${id} – click to copy`} onClick={() => void copy()}>
      {copied ? 'copied' : shortId(id)}
    </button>
  );
}
