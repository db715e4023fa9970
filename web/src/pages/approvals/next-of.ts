/** The item after or before the selected one; the first one if the selected one is gone. */
export function nextOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  selected: string,
  by: number,
): Item | undefined {
  const index = items.findIndex(({ id }) => id === selected);
  if (index < 0) return items[0];
  return items[Math.min(Math.max(index + by, 0), items.length - 1)];
}
