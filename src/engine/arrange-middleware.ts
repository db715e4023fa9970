import {
  type BuiltInMiddleware,
  MIDDLEWARE_ORDER,
  type Middleware,
  type MiddlewarePlace,
} from './middleware.ts';
import { shieldMiddleware } from './shield-middleware.ts';

export interface PlacedMiddleware {
  readonly before: MiddlewarePlace;
  readonly middleware: Middleware;
}

/** Built-in middleware in its fixed order, with user middleware at the chosen positions. */
export function arrangeMiddleware(
  builtIn: ReadonlyMap<MiddlewarePlace, BuiltInMiddleware>,
  placed: readonly PlacedMiddleware[],
): readonly BuiltInMiddleware[] {
  return MIDDLEWARE_ORDER.flatMap((place) => {
    const own = builtIn.get(place);
    return [
      ...placed.filter((entry) => entry.before === place).map((entry) => shieldMiddleware(entry.middleware)),
      ...(own ? [own] : []),
    ];
  });
}
