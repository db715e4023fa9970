import type { ActingItem } from '../../src/runtime/trust/acting-items.ts';

const ITEM: ActingItem = { kind: 'hook', name: 'any', digest: '', text: '' };

/** The trust of a person who approves everything, for tests that are not about trust. */
export const APPROVE_ALL = {
  ready: async () => undefined,
  itemOfServer: () => ITEM,
  mayAct: () => true,
  requireApproved: () => undefined,
  requireSchedule: () => undefined,
  approveItem: () => undefined,
  forgetItem: () => undefined,
};
