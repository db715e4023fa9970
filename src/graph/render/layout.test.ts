import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOut } from './layout.ts';
import type { Box, Layout, LayoutEdge, Point } from './types.ts';

const anyDrawing = fc.integer({ min: 1, max: 9 }).chain((count) => {
  const node = fc.nat(count - 1);
  return fc.record({
    sizes: fc.array(
      fc.record({ width: fc.integer({ min: 5, max: 24 }), height: fc.integer({ min: 3, max: 4 }) }),
      { minLength: count, maxLength: count },
    ),
    edges: fc.array(fc.record({ from: node, to: node, labelWidth: fc.constantFrom(0, 0, 4, 9) }), {
      maxLength: 14,
    }),
    options: fc.constantFrom({ gap: 2, rows: 1 }, { gap: 3, rows: 2 }),
  });
});

function drawing(
  sizes: readonly number[],
  edges: readonly (readonly [number, number])[],
): { layout: Layout; edges: LayoutEdge[] } {
  const list = edges.map(([from, to]) => ({ from, to, labelWidth: 0 }));
  const boxes = sizes.map((width) => ({ width, height: 3 }));
  return { layout: layOut(boxes, list, { gap: 2, rows: 1 }), edges: list };
}

/** The cells of a route between its boxes, each with the direction in which it is passed. */
function cellsOf(points: readonly Point[]): { cell: string; upright: boolean }[] {
  const cells: { cell: string; upright: boolean }[] = [];
  for (const [i, to] of points.slice(1).entries()) {
    const from = points[i] as Point;
    const [dx, dy] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
    for (let { x, y } = from; ; x += dx, y += dy) {
      cells.push({ cell: `${x} ${y}`, upright: dy !== 0 });
      if (x === to.x && y === to.y) break;
    }
  }
  return cells;
}

function holds({ x, y, width, height }: Box, point: Point): boolean {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}

describe('layOut', () => {
  it('puts a chain into one straight column', () => {
    const { layout } = drawing(
      [9, 13, 7],
      [
        [0, 1],
        [1, 2],
      ],
    );
    expect(layout.routes.map(({ points }) => points.length)).toEqual([2, 2]);
    expect(new Set(layout.routes.flatMap(({ points }) => points.map(({ x }) => x))).size).toBe(1);
  });

  it('puts each node below all its predecessors', () => {
    const { layout } = drawing(
      [5, 5, 5, 5],
      [
        [0, 1],
        [1, 2],
        [0, 3],
        [2, 3],
      ],
    );
    expect(layout.boxes.map(({ y }) => y)).toEqual([...layout.boxes.map(({ y }) => y)].sort((a, b) => a - b));
  });

  it('draws a back edge upwards', () => {
    const { layout } = drawing(
      [9, 9],
      [
        [0, 1],
        [1, 0],
      ],
    );
    const [down, up] = layout.routes.map(({ points }) => (points.at(-1)?.y ?? 0) - (points[0]?.y ?? 0));
    expect(down).toBeGreaterThan(0);
    expect(up).toBeLessThan(0);
  });

  it('returns an empty layout for an empty graph', () => {
    expect(drawing([], []).layout).toEqual({ width: 0, height: 0, boxes: [], routes: [] });
  });

  it('overlaps no boxes and keeps everything on the page', () => {
    fc.assert(
      fc.property(anyDrawing, ({ sizes, edges, options }) => {
        const { boxes, width, height, routes } = layOut(sizes, edges, options);
        for (const [i, box] of boxes.entries()) {
          expect(box.width).toBeGreaterThanOrEqual(sizes[i]?.width ?? 0);
          expect(box.height).toBeGreaterThanOrEqual(sizes[i]?.height ?? 0);
          for (const other of boxes.slice(i + 1)) {
            const apart =
              box.x + box.width <= other.x ||
              other.x + other.width <= box.x ||
              box.y + box.height <= other.y ||
              other.y + other.height <= box.y;
            expect(apart).toBe(true);
          }
        }
        const page = { x: 0, y: 0, width, height };
        for (const { x, y, width: wide, height: high } of boxes)
          expect(holds(page, { x, y }) && holds(page, { x: x + wide - 1, y: y + high - 1 })).toBe(true);
        for (const { points } of routes) for (const point of points) expect(holds(page, point)).toBe(true);
      }),
    );
  });

  it('routes each edge from the border of its node to the border of its target, through no box', () => {
    fc.assert(
      fc.property(anyDrawing, ({ sizes, edges, options }) => {
        const { boxes, routes } = layOut(sizes, edges, options);
        for (const [i, { from, to }] of edges.entries()) {
          const points = routes[i]?.points ?? [];
          expect(holds(boxes[from] as Box, points[0] as Point)).toBe(true);
          expect(holds(boxes[to] as Box, points.at(-1) as Point)).toBe(true);
          const inner = cellsOf(points).slice(1, -1);
          for (const { cell } of inner) {
            const [x = 0, y = 0] = cell.split(' ').map(Number);
            const within = boxes.filter((box) => holds(box, { x, y }));
            expect(within).toEqual([]);
          }
        }
      }),
    );
  });

  it('never draws edges to different nodes on top of each other', () => {
    fc.assert(
      fc.property(anyDrawing, ({ sizes, edges, options }) => {
        const { routes } = layOut(sizes, edges, options);
        const owner = new Map<string, number>();
        for (const { points, net } of routes) {
          for (const { cell, upright } of cellsOf(points)) {
            const key = `${cell} ${upright}`;
            expect(owner.get(key) ?? net).toBe(net);
            owner.set(key, net);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same layout for the same graph', () => {
    fc.assert(
      fc.property(anyDrawing, ({ sizes, edges, options }) => {
        expect(layOut(sizes, edges, options)).toEqual(layOut(sizes, edges, options));
      }),
    );
  });
});
