import { describe, expect, it } from 'vitest';
import { readPath, renderTemplate, templatePaths } from './template.ts';

const scope = { input: { name: 'Oka', count: 3, none: null, list: [{ a: 1 }] }, node_1: { ok: true } };

describe('renderTemplate', () => {
  it('keeps the type of a value when the placeholder is the whole string', () => {
    expect(renderTemplate('{{input.count}}', scope)).toBe(3);
    expect(renderTemplate('{{ node_1 }}', scope)).toEqual({ ok: true });
    expect(renderTemplate('{{input.none}}', scope)).toBeNull();
  });

  it('inserts strings unquoted and other values as JSON', () => {
    expect(renderTemplate('{{input.name}} has {{input.count}}: {{input.list}}', scope)).toBe(
      'Oka has 3: [{"a":1}]',
    );
  });

  it('fills arrays and objects at every depth', () => {
    expect(renderTemplate({ a: ['{{input.list[0].a}}'], b: { c: '{{input.name}}!' } }, scope)).toEqual({
      a: [1],
      b: { c: 'Oka!' },
    });
  });

  it('rejects a path without a value unless onMissing supplies one', () => {
    expect(() => renderTemplate('{{input.missing}}', scope)).toThrowError(
      expect.objectContaining({ code: 'kernel.template_missing' }),
    );
    const missed: string[] = [];
    const onMissing = (path: string) => {
      missed.push(path);
      return null;
    };
    expect(renderTemplate(['{{a.b}}', 'x{{c}}'], scope, onMissing)).toEqual([null, 'xnull']);
    expect(missed).toEqual(['a.b', 'c']);
  });

  it.each(['__proto__', 'constructor', 'a.prototype', 'input.__proto__.polluted'])(
    'refuses the path %s',
    (path) => {
      expect(() => renderTemplate(`{{${path}}}`, scope)).toThrowError(
        expect.objectContaining({ code: 'kernel.path_refused' }),
      );
    },
  );

  it('refuses a template object with a key that could reach a prototype', () => {
    expect(() => renderTemplate(JSON.parse('{"__proto__":"x"}'), scope)).toThrowError(
      expect.objectContaining({ code: 'kernel.path_refused' }),
    );
  });
});

describe('readPath', () => {
  it('reads own members only', () => {
    expect(readPath({ a: 1 }, 'toString')).toBeUndefined();
    expect(() => readPath({}, 'a..b')).toThrowError(
      expect.objectContaining({ code: 'kernel.template_invalid' }),
    );
  });
});

describe('templatePaths', () => {
  it('lists every path in order', () => {
    expect(templatePaths({ a: '{{x.y}} {{z}}', b: ['{{w}}', 1] })).toEqual(['x.y', 'z', 'w']);
  });
});
