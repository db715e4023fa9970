import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { deepFreeze, readOnly, shallowReadOnly } from './read-only.ts';

describe('a read-only view', () => {
  it('shows the current value and rejects changes at every depth', () => {
    const value = { list: [{ a: 1 }], map: { b: 2 } as Record<string, number> };
    const view = readOnly(value);
    expect(() => view.list.push({ a: 2 })).toThrow(TypeError);
    expect(() => {
      (view.list[0] as { a: number }).a = 9;
    }).toThrow(TypeError);
    expect(() => {
      delete view.map['b'];
    }).toThrow(TypeError);
    expect(() => Object.defineProperty(view, 'list', { value: [] })).toThrow(TypeError);
    for (const item of view.list) expect(() => Object.assign(item, { a: 3 })).toThrow(TypeError);
    for (const member of Object.values(view))
      expect(() => Object.assign(member, { x: 3 })).toThrow(TypeError);
    expect(value).toEqual({ list: [{ a: 1 }], map: { b: 2 } });
    value.list.push({ a: 5 });
    expect(view.list).toHaveLength(2);
    expect(view.list.map((item) => item.a)).toEqual([1, 5]);
  });

  it('is the same view each time and serializes to JSON', () => {
    const value = { a: [1, { b: null }] };
    expect(readOnly(value)).toBe(readOnly(value));
    expect(readOnly(readOnly(value))).toBe(readOnly(value));
    expect(canonicalJson(readOnly(value))).toBe('{"a":[1,{"b":null}]}');
    expect(Array.isArray(readOnly(value).a)).toBe(true);
  });
});

describe('a shallow read-only view', () => {
  it('shows the current value and rejects every change', () => {
    const list = [1, 2];
    const face = shallowReadOnly(list);
    list.push(3);
    expect([...face]).toEqual([1, 2, 3]);
    expect(Array.isArray(face)).toBe(true);
    expect(() => face.push(4)).toThrow(TypeError);
    const record: Record<string, number> = { a: 1 };
    expect(() => Object.assign(shallowReadOnly(record), { a: 2 })).toThrow(TypeError);
    expect(() => delete shallowReadOnly(record)['a']).toThrow(TypeError);
    expect(() => Object.defineProperty(shallowReadOnly(record), 'b', { value: 1 })).toThrow(TypeError);
    expect(record).toEqual({ a: 1 });
  });
});

describe('deepFreeze', () => {
  it('freezes every level', () => {
    const value = deepFreeze({ a: [{ b: 1 }] });
    expect(() => Object.assign(value.a[0] as object, { b: 2 })).toThrow(TypeError);
  });
});
