import { type ChildErrorPolicy, type ChildSpec, PendingAnswer, type Tool } from '../../src/engine/index.ts';
import { CHILDREN_TOOL } from './planners.ts';

interface Input {
  readonly children: ChildSpec[];
  readonly concurrency: number;
  readonly onError: ChildErrorPolicy;
}

/** Starts child runs as its input says. */
export const childrenTool: Tool = {
  name: CHILDREN_TOOL,
  version: '1',
  description: 'starts child runs',
  input: {
    check: {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) =>
          Array.isArray((value as Partial<Input> | null)?.children)
            ? { value }
            : { issues: [{ message: 'no children' }] },
      },
    },
    json: () => ({}),
  },
  annotations: { readOnly: true, destructive: false, idempotent: true, cacheable: false, risk: 'none' },
  sideEffect: 'read',
  handler: (input) => {
    const { children, concurrency, onError } = input as Input;
    return new PendingAnswer({ kind: 'children', children, concurrency, onError });
  },
};
