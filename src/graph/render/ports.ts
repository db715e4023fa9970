import type { Item } from './place-items.ts';
import type { Port } from './route-channel.ts';
import type { LayoutEdge } from './types.ts';

/** An edge with its items, from the upper end to the lower; those between the ends are bends. */
export interface PlacedEdge {
  readonly edge: LayoutEdge;
  readonly up: boolean;
  readonly net: number;
  readonly path: readonly Item[];
}

/** One side of a box: for each port the columns of its targets. */
type Side = Map<string, number[]>;

/**
 * The ports of each edge, from its upper end to its lower. An edge has its own port at its start; edges share a port at
 * their end. A bend is a port.
 */
export function portsOf(placed: readonly PlacedEdge[]): Map<PlacedEdge, readonly Port[]> {
  const below = new Map<Item, Side>();
  const above = new Map<Item, Side>();
  const ends = placed.map(({ up, net, path }, i) => {
    const own = `edge ${i}`;
    const shared = `net ${net}`;
    const [first, second] = path as readonly [Item, Item];
    const [last, beforeLast] = [path.at(-1), path.at(-2)] as readonly [Item, Item];
    const keys = up ? { upper: shared, lower: own } : { upper: own, lower: shared };
    want(below, first, keys.upper, second.x);
    want(above, last, keys.lower, beforeLast.x);
    return keys;
  });
  const lowerSides = spreadPorts(below);
  const upperSides = spreadPorts(above);
  const bends = new Map<Item, Port>();
  return new Map(
    placed.map((one, i) => {
      const { upper, lower } = ends[i] as { upper: string; lower: string };
      const [first, last] = [one.path[0], one.path.at(-1)] as readonly [Item, Item];
      const between = one.path.slice(1, -1).map((item) => {
        const bend = bends.get(item) ?? { x: item.x, min: item.x - 1, max: item.x + 1 };
        bends.set(item, bend);
        return bend;
      });
      const start = lowerSides.get(first)?.get(upper) as Port;
      const end = upperSides.get(last)?.get(lower) as Port;
      return [one, [start, ...between, end]];
    }),
  );
}

function want(sides: Map<Item, Side>, item: Item, key: string, towards: number): void {
  const side = sides.get(item) ?? new Map<string, number[]>();
  side.set(key, [...(side.get(key) ?? []), towards]);
  sides.set(item, side);
}

/** A single port is in the middle; several are spread evenly, in the order of their targets. */
function spreadPorts(sides: ReadonlyMap<Item, Side>): Map<Item, Map<string, Port>> {
  return new Map(
    [...sides].map(([item, side]) => {
      const left = item.x - Math.floor(item.box / 2);
      const ordered = [...side].sort(([, a], [, b]) => mean(a) - mean(b));
      const step = (item.box - 1) / (ordered.length + 1);
      const ports = ordered.map(([key], i): [string, Port] => {
        const x = ordered.length === 1 ? item.x : left + Math.round((i + 1) * step);
        return [key, { x, min: left + 1, max: left + item.box - 2 }];
      });
      return [item, new Map(ports)];
    }),
  );
}

function mean(columns: readonly number[]): number {
  return columns.reduce((sum, column) => sum + column, 0) / columns.length;
}
