import { createStore, useStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'oka.theme';
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
const chosen = createStore<Theme>(readTheme());

function readTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function apply(): void {
  const theme = chosen.get();
  const dark = theme === 'dark' || (theme === 'system' && systemIsDark.matches);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

/** Applies the stored or the system's theme, and follows both. */
export function followTheme(): void {
  apply();
  chosen.subscribe(apply);
  systemIsDark.addEventListener('change', apply);
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  chosen.set(theme);
}

export const useTheme = (): Theme => useStore(chosen);
