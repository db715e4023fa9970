import { type ReactNode, useState } from 'react';
import { type Answer, useAction } from '../../api/query.ts';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { showInfo } from '../../state/toasts.ts';
import { refreshModels } from './refresh.ts';

interface PriceDialogProps {
  readonly model: Answer<'/v1/models'>['models'][number];
  readonly onClose: () => void;
}

/** Sets the price of a model, which budgets and costs use. */
export function PriceDialog({ model, onClose }: PriceDialogProps): ReactNode {
  const [input, setInput] = useState(String(model.price?.input ?? ''));
  const [output, setOutput] = useState(String(model.price?.output ?? ''));
  const save = useAction('put', '/v1/model-prices', {
    onDone: () => {
      showInfo(`Price of ${model.model} saved`);
      void refreshModels();
      onClose();
    },
  });
  const isValid = isPrice(input) && isPrice(output);
  return (
    <FormDialog
      title={`Price of ${model.model}`}
      action="Save"
      busy={save.isPending}
      disabled={!isValid}
      onSubmit={() =>
        save.mutate({ body: { model: model.model, input: Number(input), output: Number(output) } })
      }
      onClose={onClose}
    >
      <p className="muted">US dollars per million tokens. Budgets in dollars need a price.</p>
      <TextField
        label="Input"
        inputMode="decimal"
        value={input}
        error={isPrice(input) || input === '' ? undefined : 'Expected a number from 0'}
        onChange={(event) => setInput(event.target.value)}
      />
      <TextField
        label="Output"
        inputMode="decimal"
        value={output}
        error={isPrice(output) || output === '' ? undefined : 'Expected a number from 0'}
        onChange={(event) => setOutput(event.target.value)}
      />
    </FormDialog>
  );
}

function isPrice(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text)) && Number(text) >= 0;
}
