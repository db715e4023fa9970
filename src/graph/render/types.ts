/** Codes that drawing fails with. */
export type RenderErrorCode = 'graph.too_large_to_draw';

/** An edge between two nodes, by their place, and how many columns its label takes. */
export interface LayoutEdge {
  readonly from: number;
  readonly to: number;
  readonly labelWidth: number;
}

/** The least size of a box. Boxes of one layer are as high as the highest of them. */
export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

export interface LayoutOptions {
  /** The least columns between boxes. */
  readonly gap: number;
  /** The least rows between layers. */
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

/** The way of an edge from the border of one box to the border of another, in level and upright pieces. */
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
