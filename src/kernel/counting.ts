const DEFAULT_EVERY = 500;

/** Passes items on, and reports how many have passed after every `every` items. */
export function* counting<Item>(
  items: Iterable<Item>,
  onCount: ((count: number) => void) | undefined,
  every = DEFAULT_EVERY,
): Generator<Item> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count % every === 0) onCount?.(count);
  }
}
