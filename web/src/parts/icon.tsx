import type { ReactNode } from 'react';

/** Outlines on a grid of 16 × 16. */
const SHAPES = {
  home: 'M2.5 7.5 8 3l5.5 4.5V13h-4V9.5h-3V13h-4z',
  runs: 'M3 4h10M3 8h10M3 12h6',
  approvals: 'M3 8.5 6.5 12 13 4.5',
  graphs: 'M2.5 3h4v3h-4zM9.5 10h4v3h-4zM6.5 4.5H11a1 1 0 0 1 1 1V10',
  chats: 'M2.5 3.5h11v7H7L4 13v-2.5H2.5z',
  memory:
    'M8 2.5c3 0 5.5 1 5.5 2.2S11 7 8 7 2.5 6 2.5 4.7 5 2.5 8 2.5zM2.5 4.7v6.6c0 1.2 2.5 2.2 5.5 2.2s5.5-1 5.5-2.2V4.7M2.5 8c0 1.2 2.5 2.2 5.5 2.2s5.5-1 5.5-2.2',
  context: 'M3 2.5v8h4M3 5.5h4M7 4h6v3H7zM7 9h6v3H7z',
  schedules: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3.2l2.2 1.3',
  settings: 'M3 4.5h6M12 4.5h1M3 11.5h1M7 11.5h6M10.5 3v3M5.5 10v3',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.2 3.2',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  check: 'M3.5 8.5 6.5 11.5 12.5 5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
} as const;

export type IconName = keyof typeof SHAPES;

/** Decoration beside a word: screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
