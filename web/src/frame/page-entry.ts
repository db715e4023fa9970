import type { ComponentType } from 'react';
import type { IconName } from '../parts/icon.tsx';

export interface PageEntry {
  /** A pattern of wouter. Its parameters are given to the page as `params`. */
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** A page of one thing, such as one run: reached by links, not in the navigation. */
  readonly within?: string;
  readonly page: ComponentType<PageProps>;
}

export interface PageProps {
  readonly params: Readonly<Record<string, string | undefined>>;
}
