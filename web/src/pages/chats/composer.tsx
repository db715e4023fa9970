import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { findMention, insertMention } from './complete-mention.ts';

interface ComposerProps {
  readonly label: string;
  readonly placeholder: string;
  readonly agents: readonly string[];
  readonly isBusy: boolean;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSend: (text: string) => void;
}

/** A message. Enter sends it, Shift-Enter is a new line, @ offers agents. */
export function Composer(props: ComposerProps): ReactNode {
  const { label, agents, isBusy, text, onChange, onSend } = props;
  const input = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const id = useId();
  const found = findMention(text, caret, agents);
  const mention = found?.at === closedAt ? undefined : found;
  const isEmpty = text.trim() === '';
  const send = (): void => {
    if (!isEmpty && !isBusy) onSend(text.trim());
  };
  const insert = (name: string): void => {
    if (mention === undefined) return;
    const next = insertMention(text, mention, caret, name);
    onChange(next.text);
    setCaret(next.caret);
    // The caret is set when the new text is there.
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(next.caret, next.caret);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (mention !== undefined && moves(event, mention.found.length)) return;
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const moves = (event: KeyboardEvent, count: number): boolean => {
    const index = Math.min(chosen, count - 1);
    if (event.key === 'ArrowDown') setChosen((index + 1) % count);
    else if (event.key === 'ArrowUp') setChosen((index + count - 1) % count);
    else if (event.key === 'Enter' || event.key === 'Tab') insert(mention?.found[index] ?? '');
    else if (event.key === 'Escape') setClosedAt(mention?.at);
    else return false;
    event.preventDefault();
    return true;
  };
  return (
    <form
      className="composer card"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {mention !== undefined && (
        <Names
          id={id}
          names={mention.found}
          chosen={Math.min(chosen, mention.found.length - 1)}
          onChoose={insert}
        />
      )}
      <textarea
        ref={input}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={mention === undefined ? undefined : id}
        aria-activedescendant={
          mention === undefined ? undefined : `${id}-${Math.min(chosen, mention.found.length - 1)}`
        }
        placeholder={props.placeholder}
        rows={Math.min(10, Math.max(2, text.split('\n').length))}
        value={text}
        onChange={(event) => {
          onChange(event.target.value);
          setCaret(event.target.selectionStart);
          setChosen(0);
          setClosedAt(undefined);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" look="primary" busy={isBusy} disabled={isEmpty}>
        Send
      </Button>
    </form>
  );
}

interface NamesProps {
  readonly id: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onChoose: (name: string) => void;
}

function Names({ id, names, chosen, onChoose }: NamesProps): ReactNode {
  return (
    <div className="composer-names menu" id={id} role="listbox" aria-label="Agents">
      {names.map((name, index) => (
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className="menu-item"
          data-highlighted={index === chosen || undefined}
          // The text keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(name);
          }}
        >
          @{name}
        </div>
      ))}
    </div>
  );
}
