type LazyMethods<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...input: never[]) => Promise<unknown> ? Name : never;
}[keyof Api];

/**
 * An API that is loaded with its first call, so that other commands start quickly. `ready` has the members that are no async
 * methods, or that need no loading.
 */
export function lazily<Api extends object>(
  load: () => Promise<Api>,
  ...[ready]: Exclude<keyof Api, LazyMethods<Api>> extends never
    ? [ready?: Partial<Api>]
    : [ready: Partial<Api> & Omit<Api, LazyMethods<Api>>]
): Api {
  return new Proxy((ready ?? {}) as Api, {
    get: (known, name) =>
      // An object with a `then` would be taken for a promise.
      name === 'then' || name in known
        ? known[name as keyof Api]
        : async (...input: never[]) => {
            const api = await load();
            const method = Reflect.get(api as object, name) as (...input: never[]) => unknown;
            return Reflect.apply(method, api, input);
          },
  });
}
