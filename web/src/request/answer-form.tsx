import { type ReactNode, useId, useRef, useState } from 'react';
import { marked } from '../../../src/api/foreign-text.ts';
import type { ApprovalView } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/field.tsx';
import { useShortcuts } from '../state/use-shortcuts.ts';
import { DecisionProblem } from './decision-problem.tsx';
import { useDecision } from './use-decision.ts';

interface AnswerFormProps {
  readonly approval: ApprovalView;
  readonly keys: boolean;
}

/** Answers a question, or says what an interrupted call did. Nothing is chosen in advance. */
export function AnswerForm({ approval, keys }: AnswerFormProps): ReactNode {
  const [answer, setAnswer] = useState('');
  const decision = useDecision(approval);
  const form = useRef<HTMLFormElement>(null);
  const isOpen = approval.status === 'pending';
  const focus = (): void => form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  useShortcuts(keys && isOpen ? { a: focus } : {});
  const options = approval.options ?? (approval.answers && Object.keys(approval.answers));
  return (
    <>
      <DecisionProblem problem={decision.problem} isOpen={isOpen} />
      {isOpen && (
        <form
          ref={form}
          className="request-answer"
          onSubmit={(event) => {
            event.preventDefault();
            if (answer.trim() !== '' && !decision.isBusy) decision.answer(answer);
          }}
        >
          {options === undefined ? (
            <TextArea
              label="Your answer"
              value={answer}
              onChange={(event) => setAnswer(event.target.value)}
            />
          ) : (
            <Options approval={approval} options={options} chosen={answer} onChoose={setAnswer} />
          )}
          <footer className="request-actions">
            <Button type="submit" look="primary" busy={decision.isBusy} disabled={answer.trim() === ''}>
              Send answer
            </Button>
          </footer>
        </form>
      )}
    </>
  );
}

interface OptionsProps {
  readonly approval: ApprovalView;
  readonly options: readonly string[];
  readonly chosen: string;
  readonly onChoose: (option: string) => void;
}

function Options({ approval, options, chosen, onChoose }: OptionsProps): ReactNode {
  const name = useId();
  return (
    <fieldset className="request-options">
      <legend className="hidden-text">Answers</legend>
      {options.map((option) => (
        <label key={option} className="request-option">
          <input type="radio" name={name} checked={option === chosen} onChange={() => onChoose(option)} />
          <span>
            <b>{marked(option)}</b>
            {approval.answers?.[option] !== undefined && (
              <span className="muted"> – {marked(approval.answers[option] ?? '')}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
