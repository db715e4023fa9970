import { describe, expect, it } from 'vitest';
import { findEntry, isPackageName, isReviewed, isWithin, orderInstall } from './catalogue.ts';
import { NODE_ENTRIES, PYTHON_ENTRIES } from './package-entries.ts';
import { SYSTEM_ENTRIES } from './system-entries.ts';
import type { InstallRequest, MissingKind } from './types.ts';

const found = (kind: MissingKind, name: string): string | undefined => {
  const entry = findEntry({ kind, name, evidence: '' });
  return entry && `${entry.ecosystem} ${entry.package}`;
};

describe('the catalogue', () => {
  it('has well-formed entries, and no name twice', () => {
    const entries = [...PYTHON_ENTRIES, ...NODE_ENTRIES, ...SYSTEM_ENTRIES];
    const packages = entries.map(({ ecosystem, package: name }) => `${ecosystem} ${name.toLowerCase()}`);
    expect(new Set(packages).size).toBe(packages.length);
    const commands = entries.flatMap((entry) => entry.commands);
    expect(commands.filter((name, at) => commands.indexOf(name) !== at)).toEqual([]);
    for (const ecosystem of ['node', 'python', 'system']) {
      const modules = entries.filter((one) => one.ecosystem === ecosystem).flatMap((one) => one.modules);
      expect(modules.filter((name, at) => modules.indexOf(name) !== at)).toEqual([]);
    }
    for (const entry of entries) {
      const names = [...entry.commands, ...entry.modules, ...('libraries' in entry ? entry.libraries : [])];
      expect(names.length, entry.package).toBeGreaterThan(0);
      if (entry.ecosystem === 'system') {
        expect(entry.package).toMatch(/^[a-z0-9][a-z0-9.+-]+$/);
        continue;
      }
      expect(isPackageName(entry.ecosystem, entry.package), entry.package).toBe(true);
      const { from = '', below } = entry.versions;
      expect(isWithin(from, entry.versions), entry.package).toBe(true);
      if (below !== undefined) expect(isWithin(below, entry.versions), entry.package).toBe(false);
    }
  });

  it('finds packages by their commands and modules', () => {
    expect(found('python_module', 'cv2')).toBe('python opencv-python');
    expect(found('python_module', 'yaml.constructor')).toBe('python PyYAML');
    expect(found('python_module', 'google.protobuf.message')).toBe('python protobuf');
    expect(found('python_module', 'google')).toBeUndefined();
    expect(found('python_module', 'tkinter')).toBe('system python3-tk');
    expect(found('python_package', 'OpenPyXL')).toBe('python openpyxl');
    expect(found('command', 'tsc')).toBe('node typescript');
    expect(found('command', 'ffprobe')).toBe('system ffmpeg');
    expect(found('node_module', 'lodash')).toBe('node lodash');
    expect(found('shared_library', 'libGL.so.1')).toBe('system libgl1');
  });

  it('finds no similar names and no names of object members', () => {
    for (const name of ['lodahs', 'tsc2', 'constructor', '__proto__', 'toString', ''])
      for (const kind of [
        'command',
        'node_module',
        'node_package',
        'python_module',
        'python_package',
      ] as const)
        expect(found(kind, name)).toBeUndefined();
  });

  it('reviews only the allowed versions', () => {
    const python = (name: string, version?: string): boolean =>
      isReviewed({ ecosystem: 'python', package: name, version });
    expect(python('PyYAML')).toBe(true);
    expect(python('pyyaml', '6.0.2')).toBe(true);
    expect(python('pyyaml', '5.4.1')).toBe(false);
    expect(python('pyyaml', '7.0')).toBe(false);
    expect(python('pyyaml', '6.1rc1')).toBe(false);
    expect(python('pyyam1')).toBe(false);
    expect(isReviewed({ ecosystem: 'node', package: 'pyyaml' })).toBe(false);
  });
});

describe('an order', () => {
  const refused: readonly InstallRequest[] = [
    { ecosystem: 'node', package: '--global' },
    { ecosystem: 'node', package: '-g' },
    { ecosystem: 'node', package: '../local' },
    { ecosystem: 'node', package: './local' },
    { ecosystem: 'node', package: '/work/local' },
    { ecosystem: 'node', package: 'https://example.test/x.tgz' },
    { ecosystem: 'node', package: 'git+ssh://example.test/x' },
    { ecosystem: 'node', package: 'user/repository' },
    { ecosystem: 'node', package: 'lodash@npm:evil' },
    { ecosystem: 'node', package: 'lodash@4' },
    { ecosystem: 'node', package: '@scope' },
    { ecosystem: 'node', package: '@@scope/name' },
    { ecosystem: 'node', package: '@scope/name/more' },
    { ecosystem: 'node', package: 'Lodash' },
    { ecosystem: 'node', package: 'lo dash' },
    { ecosystem: 'node', package: 'lodash\n' },
    { ecosystem: 'node', package: 'lоdash' },
    { ecosystem: 'node', package: 'a..b' },
    { ecosystem: 'node', package: 'a'.repeat(300) },
    { ecosystem: 'node', package: 'lodash', version: 'latest' },
    { ecosystem: 'node', package: 'lodash', version: '^4.0.0' },
    { ecosystem: 'node', package: 'lodash', version: '4' },
    { ecosystem: 'python', package: '-r' },
    { ecosystem: 'python', package: '--index-url=http://example.test' },
    { ecosystem: 'python', package: 'yaml>=1' },
    { ecosystem: 'python', package: 'yaml[extra]' },
    { ecosystem: 'python', package: 'yaml @ https://example.test/x.whl' },
    { ecosystem: 'python', package: './yaml' },
    { ecosystem: 'python', package: 'yaml.' },
    { ecosystem: 'python', package: 'PyYAML', version: '>=6' },
    { ecosystem: 'python', package: 'PyYAML', version: '6.*' },
    { ecosystem: 'python', package: 'PyYAML', version: '6.0 --hash=x' },
  ];

  it.each(refused)('is refused for $package $version of $ecosystem', (request) => {
    expect(() => orderInstall(request)).toThrow(
      expect.objectContaining({ code: 'environment.invalid_package' }),
    );
  });

  it('has the canonical package name and the allowed versions', () => {
    expect(orderInstall({ ecosystem: 'python', package: 'Python_Dateutil' })).toMatchObject({
      package: 'python-dateutil',
      versions: { from: '2', below: '3' },
      commands: [],
    });
    expect(orderInstall({ ecosystem: 'node', package: '@scope/name', version: '1.2.3-rc.1' })).toMatchObject({
      package: '@scope/name',
      version: '1.2.3-rc.1',
      versions: {},
    });
  });
});
