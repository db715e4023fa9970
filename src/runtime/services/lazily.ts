type Methods<Api> = { readonly [Name in keyof Api]: (...input: never[]) => Promise<unknown> };

/** An API whose implementation is loaded with the first call, so that commands about something else start quickly. */
export function lazily<Api extends Methods<Api>>(load: () => Promise<Api>): Api {
  return new Proxy({} as Api, {
    get: (_, name) =>
      // An object with a `then` would be taken for a promise.
      name === 'then'
        ? undefined
        : async (...input: never[]) => {
            const api = await load();
            return api[name as keyof Api](...input);
          },
  });
}
