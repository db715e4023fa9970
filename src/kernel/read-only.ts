const views = new WeakMap<object, object>();
const originals = new WeakMap<object, object>();

/**
 * A view of a value that cannot be changed through it, however deep. It costs nothing until it is looked at, and shows
 * what the value is now, not a copy. Writing through it throws a TypeError.
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

const GUARD: ProxyHandler<object> = {
  get(target, name, receiver) {
    const member = Reflect.get(
      target,
      name,
      originals.get(receiver) === target ? target : receiver,
    ) as unknown;
    return typeof member === 'object' ? readOnly(member) : member;
  },
  getOwnPropertyDescriptor(target, name) {
    const descriptor = Reflect.getOwnPropertyDescriptor(target, name);
    if (descriptor?.configurable && 'value' in descriptor) descriptor.value = readOnly(descriptor.value);
    return descriptor;
  },
  set: refuse,
  defineProperty: refuse,
  deleteProperty: refuse,
  setPrototypeOf: refuse,
  preventExtensions: refuse,
};

const SHALLOW_GUARD: ProxyHandler<object> = {
  set: refuse,
  defineProperty: refuse,
  deleteProperty: refuse,
  setPrototypeOf: refuse,
  preventExtensions: refuse,
};

function refuse(): boolean {
  return false;
}

/**
 * A view of a list or record whose members cannot be changed: it shows what is there now and refuses every change. Another
 * one each time, which is kept nowhere: weak maps with an entry for each run are dear at every garbage collection.
 */
export function readOnlyFace<T extends object>(value: T): T {
  return new Proxy(value, SHALLOW_GUARD) as T;
}

/** Freezes plain JSON all the way down and returns it. */
export function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}
