import { type ReactNode, useState } from 'react';
import { useAction } from '../../api/query.ts';
import { TextArea } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { type GraphDocument, isRecord } from '../../parts/graph-canvas/graph-document.ts';
import { fieldsOf } from './document/form-fields.ts';
import { SchemaField } from './schema-field.tsx';

interface RunDialogProps {
  readonly document: GraphDocument;
  readonly isChanged: boolean;
  readonly save: (then: () => void) => void;
  readonly onStarted: (run: string) => void;
  readonly onClose: () => void;
}

/** Asks for the input of a run and starts it. */
export function RunDialog({ document, isChanged, save, onStarted, onClose }: RunDialogProps): ReactNode {
  const [input, setInput] = useState<unknown>({});
  const [text, setText] = useState('{}');
  const start = useAction('post', '/v1/graphs/{graph}/run', {
    onDone: ({ run }) => {
      onStarted(run.id);
      onClose();
    },
  });
  const schema = document['input_schema'];
  const fields = fieldsOf(schema);
  const problem = fields.length > 0 ? undefined : jsonProblem(text);
  const run = (): void => {
    const given: unknown = fields.length > 0 ? input : JSON.parse(text);
    start.mutate({ params: { path: { graph: document.id } }, body: { input: given } });
  };
  return (
    <FormDialog
      title={`Run ${document.id}`}
      action={isChanged ? 'Save and run' : 'Run'}
      className="graph-form"
      busy={start.isPending}
      disabled={problem !== undefined}
      onSubmit={() => (isChanged ? save(run) : run())}
      onClose={onClose}
    >
      {fields.map((field) => (
        <SchemaField
          key={field.name}
          field={field}
          value={isRecord(input) ? input[field.name] : undefined}
          onChange={(value) => setInput({ ...(isRecord(input) ? input : {}), [field.name]: value })}
        />
      ))}
      {fields.length === 0 && (
        <TextArea
          label="Input"
          hint="JSON. Nodes read it as {{input}}. With an input_schema in the graph there is a form here."
          error={problem}
          className="input mono"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
