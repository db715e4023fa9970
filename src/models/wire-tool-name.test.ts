import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireToolNames } from './wire-tool-name.ts';

describe('wireToolNames', () => {
  it('replaces dots by underscores, reversibly', () => {
    const names = wireToolNames(['files.read', 'process.run']);
    expect(names.toWire('files.read')).toBe('files_read');
    expect(names.fromWire('files_read')).toBe('files.read');
  });

  it('keeps names distinct that would collide on the wire', () => {
    const tools = ['files.read', 'files_read', 'files-read', 'files/read'];
    const names = wireToolNames(tools);
    expect(names.toWire('files_read')).toBe('files_read');
    expect(names.toWire('files-read')).toBe('files-read');
    expect(new Set(tools.map(names.toWire)).size).toBe(4);
    expect(tools.map(names.toWire).map(names.fromWire)).toEqual(tools);
  });

  it('assigns the same names for any order of tools', () => {
    const tools = ['a.b', 'a/b', 'a_b', 'x'.repeat(100)];
    const forwards = wireToolNames(tools);
    const backwards = wireToolNames([...tools].reverse());
    expect(tools.map(backwards.toWire)).toEqual(tools.map(forwards.toWire));
  });

  it('assigns no reserved name', () => {
    const names = wireToolNames(['json', 'js.on'], ['json']);
    expect(names.toWire('json')).not.toBe('json');
    expect(names.fromWire(names.toWire('json'))).toBe('json');
  });

  it('leaves unknown names unchanged', () => {
    expect(wireToolNames(['files.read']).fromWire('files.write')).toBe('files.write');
  });

  it('is reversible, unique and short enough for any names', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 90 }),
      fc.stringMatching(/^[ab._-]{1,4}$/),
      fc.constantFrom(`${'long.'.repeat(20)}a`, `${'long.'.repeat(20)}b`),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 40 }), (tools) => {
        const names = wireToolNames(tools, ['json']);
        const wire = tools.map(names.toWire);
        expect(new Set(wire).size).toBe(tools.length);
        for (const one of wire) expect(one).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(wire).not.toContain('json');
        expect(wire.map(names.fromWire)).toEqual(tools);
      }),
    );
  });
});
