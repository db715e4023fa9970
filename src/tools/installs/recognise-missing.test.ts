import { describe, expect, it } from 'vitest';
import { OkaError } from '../../kernel/index.ts';
import { recogniseMissing } from './recognise-missing.ts';

const recognise = (stderr: string, more: { stdout?: string; exitCode?: number | null } = {}) => {
  const { kind, name, loader } =
    recogniseMissing({ exitCode: 1, stdout: '', stderr, ...more }) ??
    ({} as { kind?: string; name?: string; loader?: string });
  return kind && `${kind} ${name}${loader === undefined ? '' : ` by ${loader}`}`;
};

const NODE_STACK = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '%'
Require stack:
- /work/script.cjs
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at Module._load (node:internal/modules/cjs/loader:1051:27) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/work/script.cjs' ]
}

Node.js v20.20.2`;
const PYTHON_STACK = `Traceback (most recent call last):
  File "/work/a.py", line 1, in <module>
    import something
%`;
const SUBPROCESS_STACK = `Traceback (most recent call last):
  File "/usr/lib/python3.11/subprocess.py", line 1024, in __init__
    self._execute_child(args, executable, preexec_fn, close_fds,
  File "/usr/lib/python3.11/subprocess.py", line 1901, in _execute_child
    raise child_exception_type(errno_num, err_msg, err_filename)
FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'`;

const RECOGNISED: readonly (readonly [expected: string, text: string])[] = [
  ['command jq', 'bash: jq: command not found'],
  ['command jq', 'bash: line 1: jq: command not found'],
  ['command jq', './build.sh: line 12: jq: command not found'],
  ['command jq', '/tmp/a folder/build.sh: line 12: jq: command not found'],
  ['command rg', '/bin/sh: rg: command not found'],
  ['command g++', 'make: g++: Command not found\nmake: *** [Makefile:2: all] Error 127'],
  ['command apt-file', 'sudo: apt-file: command not found'],
  ['command jq', 'sh: 1: jq: not found'],
  ['command tsc', '\n> build\n> tsc -p .\n\nsh: 1: tsc: not found'],
  ['command jq', '/tmp/a folder/build.sh: 3: jq: not found'],
  ['command jq', '/bin/sh: jq: not found'],
  ['command jq', 'sh: line 3: jq: not found'],
  ['command jq', 'zsh: command not found: jq'],
  ['command jq', 'zsh:1: command not found: jq'],
  ['command jq', 'fish: Unknown command: jq\nfish:\njq .\n^^'],
  ['command node', "env: 'node': No such file or directory"],
  ['command node', '/usr/bin/env: ‘node’: No such file or directory'],
  ['command python3', 'env: python3: No such file or directory'],
  ['command jq', 'xargs: jq: No such file or directory'],
  ['command jq', "timeout: failed to run command 'jq': No such file or directory"],
  ['command jq', 'nohup: failed to run command ‘jq’: No such file or directory'],
  ['command gcc', 'make[1]: gcc: No such file or directory'],
  [
    'command ffmpeg',
    'Error: spawn ffmpeg ENOENT\n    at ChildProcess._handle.onexit (node:internal/child_process:286:19)',
  ],
  ['command git', 'Error: spawnSync git ENOENT'],
  ['command dot', 'exec: "dot": executable file not found in $PATH'],
  ['command convert', "a.rb:1:in ``': No such file or directory - convert (Errno::ENOENT)"],
  ['command convert', 'Errno::ENOENT: No such file or directory - convert'],
  ['command pandoc', 'Can\'t exec "pandoc": No such file or directory at a.pl line 3.'],
  [
    'command soffice',
    'java.io.IOException: Cannot run program "soffice": error=2, No such file or directory',
  ],
  ['command gcc', "error: command 'gcc' failed: No such file or directory"],
  ['command x86_64-linux-gnu-gcc', "unable to execute 'x86_64-linux-gnu-gcc': No such file or directory"],
  ['command git-lfs', "git: 'lfs' is not a git command. See 'git --help'."],
  ['command ffmpeg', SUBPROCESS_STACK],
  ['python_module yaml', PYTHON_STACK.replace('%', "ModuleNotFoundError: No module named 'yaml'")],
  [
    'python_module google.protobuf',
    PYTHON_STACK.replace('%', "ModuleNotFoundError: No module named 'google.protobuf'"),
  ],
  ['python_module yaml', 'ImportError: No module named yaml'],
  ['python_module yaml', "ImportError: No module named 'yaml'"],
  ['python_module pytest', '/usr/bin/python3: No module named pytest'],
  ['python_module black', '/work/a folder/.oka/tools/python/bin/python3.11: No module named black'],
  [
    'python_module yaml',
    "/usr/bin/python3: Error while finding module specification for 'yaml.tool' (ModuleNotFoundError: No module named 'yaml')",
  ],
  [
    'python_package openpyxl',
    "ImportError: Missing optional dependency 'openpyxl'.  Use pip or conda to install openpyxl.",
  ],
  ['node_module lodash by require', NODE_STACK.replace('%', 'lodash')],
  ['node_module lodash by require', NODE_STACK.replace('%', 'lodash/fp')],
  ['node_module @scope/name by require', NODE_STACK.replace('%', '@scope/name/lib/x.js')],
  [
    'node_module chalk by import',
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'chalk' imported from /work/a.mjs\n    at packageResolve (node:internal/modules/esm/resolve:854:9)",
  ],
  [
    'node_package cowsay',
    'npm error npx canceled due to missing packages and no YES option: ["cowsay@1.6.0"]',
  ],
  [
    'shared_library libGL.so.1',
    PYTHON_STACK.replace(
      '%',
      'ImportError: libGL.so.1: cannot open shared object file: No such file or directory',
    ),
  ],
  [
    'shared_library libnss3.so',
    '/work/chrome: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory',
  ],
  [
    'shared_library libstdc++.so.6',
    'OSError: libstdc++.so.6: cannot open shared object file: No such file or directory',
  ],
];

const NOTHING: readonly string[] = [
  '',
  'something went wrong',
  NODE_STACK.replace('%', './local.js'),
  NODE_STACK.replace('%', '../local.js'),
  NODE_STACK.replace('%', '/work/missing.js'),
  NODE_STACK.replace('%', 'C:\\work\\missing.js'),
  NODE_STACK.replace('%', 'node:sqlite'),
  "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/work/missing.mjs' imported from /work/a.mjs",
  "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '/work/node_modules/x/index.js' imported from /work/a.mjs",
  "a.ts(1,20): error TS2307: Cannot find module 'x' or its corresponding type declarations.",
  "ModuleNotFoundError: No module named 'a.b'; 'a' is not a package",
  "/usr/bin/python3: No module named a.__main__; 'a' is a package and cannot be directly executed",
  "ImportError: cannot import name 'x' from 'yaml' (/work/yaml.py)",
  'ImportError: attempted relative import with no known parent package',
  "FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'",
  'cat: notes: No such file or directory',
  'bash: ./local.sh: No such file or directory',
  'bash: ./local.sh: command not found',
  'Error: spawn ./local ENOENT',
  "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./a)",
  "git: 'Lfs; rm' is not a git command.",
];

describe('a failed process', () => {
  it.each(RECOGNISED)('reports the missing %s', (expected, text) => {
    expect(recognise(text)).toBe(expected);
    expect(recognise('', { stdout: text.replaceAll('\n', '\r\n') })).toBe(expected);
  });

  it.each(NOTHING)('reports nothing for: %s', (text) => {
    expect(recognise(text)).toBeUndefined();
  });

  it('reports the last matching line as evidence', () => {
    const text =
      "No module named 'a'\nModuleNotFoundError: No module named 'a'\n\nModuleNotFoundError: No module named 'b'\n";
    expect(recogniseMissing({ exitCode: 1, stdout: '', stderr: text })).toEqual({
      kind: 'python_module',
      name: 'b',
      evidence: "ModuleNotFoundError: No module named 'b'",
    });
  });

  it('is read without colours, stderr before stdout', () => {
    expect(recognise("\u001b[31mModuleNotFoundError: No module named 'yaml'\u001b[0m")).toBe(
      'python_module yaml',
    );
    expect(recognise('sh: 1: jq: not found', { stdout: 'sh: 1: rg: not found' })).toBe('command jq');
  });

  it('reports nothing if it succeeded or was killed by a signal', () => {
    expect(recognise('sh: 1: jq: not found', { exitCode: 0 })).toBeUndefined();
    expect(recognise('sh: 1: jq: not found', { exitCode: null })).toBeUndefined();
  });

  it('that did not start reports its program, unless that is a path', () => {
    const missing = (program: unknown, code = 'process.program_missing') =>
      recogniseMissing(new OkaError(code, 'it is not there.', { data: { program } }));
    expect(missing('jq')).toEqual({ kind: 'command', name: 'jq', evidence: 'it is not there.' });
    for (const program of ['./jq', '/usr/bin/jq', '-jq', '', 7]) expect(missing(program)).toBeUndefined();
    expect(missing('jq', 'process.timed_out')).toBeUndefined();
  });

  it('is read in linear time for any output', () => {
    for (const piece of [
      'a: ',
      "Cannot find module 'a",
      'lib.so.',
      'ModuleNotFoundError: No module named a.',
      'env: ',
    ])
      expect(recognise(piece.repeat(50_000))).toBeUndefined();
    expect(recognise(`${'x'.repeat(200_000)}\nsh: 1: jq: not found`)).toBe('command jq');
  });
});
