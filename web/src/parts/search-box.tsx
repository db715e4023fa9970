import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  /** Called when the person stops typing. */
  readonly onChange: (value: string) => void;
}

const PAUSE_MS = 200;

export function SearchBox({ label, value, onChange }: SearchBoxProps): ReactNode {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <div className="search-box">
      <Icon name="search" />
      <input
        className="input"
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}
