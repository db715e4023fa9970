import { createStore } from './store.ts';

export interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'error';
  readonly title: string;
  readonly detail?: string;
  readonly next?: string;
}

export const toasts = createStore<readonly Toast[]>([]);
let count = 0;
const INFO_MS = 5_000;
const MAX_SHOWN = 4;

/** Errors stay until they are closed. */
function show(toast: Omit<Toast, 'id'>): void {
  const id = ++count;
  const isSame = (other: Toast): boolean => other.title === toast.title && other.detail === toast.detail;
  toasts.set((now) => [...now.filter((other) => !isSame(other)), { ...toast, id }].slice(-MAX_SHOWN));
  if (toast.tone === 'info') setTimeout(() => closeToast(id), INFO_MS);
}

export function closeToast(id: number): void {
  toasts.set((now) => now.filter((toast) => toast.id !== id));
}

export function showInfo(title: string): void {
  show({ tone: 'info', title });
}

export function showProblem({ title, detail, next }: Pick<Toast, 'title' | 'detail' | 'next'>): void {
  show({ tone: 'error', title, ...(detail !== title && { detail }), ...(next !== undefined && { next }) });
}
