export type RenderErrorCode = 'graph.too_large_to_draw';

/** An edge between two nodes, by index, and the width of its label in columns. */
export interface LayoutEdge {
  readonly from: number;
  readonly to: number;
  readonly labelWidth: number;
}

/** The minimum size of a box. All boxes of a layer have the height of the highest. */
export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

export interface LayoutOptions {
  /** The minimum columns between boxes. */
  readonly gap: number;
  /** The minimum rows between layers. */
  readonly rows: number;
}

export interface Box extends BoxSize {
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The path of an edge from the border of one box to the border of another, in horizontal and vertical pieces. */
export interface Route {
  readonly points: readonly Point[];
  readonly label: Point;
  /** Edges of the same net lead to the same node and may share a line. */
  readonly net: number;
}

/** Boxes and routes on a grid of columns and rows. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly routes: readonly Route[];
}
