// Owns: how text gets onto a page. All JSX of the web app compiles to these functions (`jsxImportSource`), so that no
// text, whoever wrote it, has control, bidirectional or invisible characters.
import type { ReactNode } from 'react';
import { jsxDEV as reactDev } from 'react/jsx-dev-runtime';
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import { visible } from '../../src/api/foreign-text.ts';

export type { JSX } from 'react/jsx-runtime';
export { Fragment } from 'react/jsx-runtime';

type Make = typeof reactJsx;

/** Attributes that a browser shows or reads out. */
const SHOWN = ['title', 'alt', 'placeholder', 'aria-label', 'aria-description'] as const;

export const jsx: Make = (type, props, key) => reactJsx(type, shown(props), key);
export const jsxs: Make = (type, props, key) => reactJsxs(type, shown(props), key);
export const jsxDEV: typeof reactDev = (type, props, ...rest) => reactDev(type, shown(props), ...rest);

function shown(props: unknown): unknown {
  const given = props as Readonly<Record<string, unknown>>;
  let safe = given;
  const change = (name: string, value: unknown): void => {
    if (value !== given[name]) safe = { ...safe, [name]: value };
  };
  change('children', shownChildren(given['children'] as ReactNode));
  for (const name of SHOWN) if (typeof given[name] === 'string') change(name, visible(given[name]));
  return safe;
}

function shownChildren(children: ReactNode): ReactNode {
  if (typeof children === 'string') return visible(children);
  if (!Array.isArray(children)) return children;
  const safe = children.map((child) => shownChildren(child as ReactNode));
  return safe.some((child, at) => child !== children[at]) ? safe : children;
}
