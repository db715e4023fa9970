const views = new WeakMap<object, object>();
const originals = new WeakMap<object, object>();

/**
 * A live view of a value that rejects changes at every depth with a TypeError. Nested views are created on access, so an
 * unused view costs nothing.
 */
export function readOnly<T>(value: T): T {
  if (value === null || typeof value !== 'object' || originals.has(value)) return value;
  const known = views.get(value);
  if (known !== undefined) return known as T;
  const view = new Proxy(value, GUARD);
  views.set(value, view);
  originals.set(view, value);
  return view as T;
}

const SHALLOW_GUARD: ProxyHandler<object> = {
  set: refuse,
  defineProperty: refuse,
  deleteProperty: refuse,
  setPrototypeOf: refuse,
  preventExtensions: refuse,
};

const GUARD: ProxyHandler<object> = {
  ...SHALLOW_GUARD,
  get(target, name, receiver) {
    const member: unknown = Reflect.get(target, name, originals.get(receiver) === target ? target : receiver);
    return typeof member === 'object' ? readOnly(member) : member;
  },
  getOwnPropertyDescriptor(target, name) {
    const descriptor = Reflect.getOwnPropertyDescriptor(target, name);
    if (descriptor?.configurable && 'value' in descriptor) descriptor.value = readOnly(descriptor.value);
    return descriptor;
  },
};

function refuse(): boolean {
  return false;
}

/**
 * A live view of a list or record that rejects changes to its members. It is not cached, because a weak map with an entry
 * for each run slows down every garbage collection.
 */
export function shallowReadOnly<T extends object>(value: T): T {
  return new Proxy(value, SHALLOW_GUARD) as T;
}

/** Freezes plain JSON at every depth and returns it. */
export function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}
