import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Disables the button while its action runs. */
  readonly busy?: boolean;
}

export function Button({ look = 'plain', busy = false, className = '', ...rest }: ButtonProps): ReactNode {
  const style = look === 'plain' ? '' : `button-${look}`;
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={busy || rest.disabled}
      className={`button ${style} ${className}`}
    />
  );
}
