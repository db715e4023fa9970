import type { ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useStore } from '../state/store.ts';
import { closeToast, toasts } from '../state/toasts.ts';

export function ToastList(): ReactNode {
  return (
    <div className="toasts" aria-live="polite" role="status">
      {useStore(toasts).map(({ id, tone, title, detail, next }) => (
        <div key={id} className={`toast toast-${tone}`}>
          <div>
            <b>{title}</b>
            {detail !== undefined && <span>{detail}</span>}
            {next !== undefined && <span className="muted">{next}</span>}
          </div>
          <button
            type="button"
            className="button button-quiet button-icon"
            aria-label="Close"
            onClick={() => closeToast(id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
