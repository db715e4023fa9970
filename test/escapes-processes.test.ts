import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WorkspaceFiles } from '../src/adapters/files/index.ts';
import { WorkspaceProcesses } from '../src/adapters/processes/index.ts';
import type { WorkspaceProcessesOptions } from '../src/adapters/processes/workspace-processes.ts';
import { markFile } from '../src/disk/index.ts';
import type { CredentialProvider, RunId, Tool, ToolContext } from '../src/engine/index.ts';
import { OkaError, systemClock } from '../src/kernel/index.ts';
import {
  builtInTools,
  type Processes,
  type ProcessRequest,
  type ProcessResult,
  type RecordedFile,
} from '../src/tools/index.ts';
import type { Dependencies } from '../src/tools/ports.ts';
import { ManualClock } from './support/manual-clock.ts';
import { tempFolder } from './support/temp-folder.ts';

const HOUR_MS = 3_600_000;
let around: string;
let root: string;

beforeEach(() => {
  around = tempFolder();
  root = join(around, 'work');
  for (const folder of ['work/.oka/tools/bin', 'work/sub', 'work/.git'])
    mkdirSync(join(around, folder), { recursive: true });
  put('.git/HEAD', 'ref: refs/heads/main\n');
  put('.git/config', '[core]\n');
  put('.oka/config.json', '{}');
  put('.mcp.json', '{}');
  put('.oka/vault', 'ciphertext');
});

function put(path: string, content: string, mode?: number): void {
  writeFileSync(join(root, path), content, mode === undefined ? {} : { mode });
}

function open(options: Partial<WorkspaceProcessesOptions> = {}): WorkspaceProcesses {
  return new WorkspaceProcesses({
    workspace: root,
    toolFolders: ['.oka/tools/bin'],
    sandbox: 'auto',
    clock: systemClock,
    ...options,
  });
}

const never = (): AbortSignal => new AbortController().signal;

function run(
  processes: Processes,
  argv: readonly string[],
  extra: Partial<ProcessRequest> = {},
): Promise<ProcessResult> {
  return processes.run({ argv, timeoutMs: HOUR_MS, ...extra }, never());
}

/** Runs a script with Node. */
function node(
  processes: Processes,
  script: string,
  extra: Partial<ProcessRequest> = {},
): Promise<ProcessResult> {
  return run(processes, ['node', '-e', script], extra);
}

/** Calls the tool as the engine does. */
async function call(input: object, capabilities: Record<string, unknown> = {}): Promise<ProcessResult> {
  const tool = builtInTools().find(({ name }) => name === 'process.run') as Tool;
  const checked = await tool.input.check['~standard'].validate(input);
  if (checked.issues) throw new Error(JSON.stringify(checked.issues));
  const context = {
    runId: 'run-1' as RunId,
    signal: never(),
    capabilities: { files: new WorkspaceFiles(root), processes: open(), ...capabilities },
  } as unknown as ToolContext;
  return (await tool.handler(checked.value, context)) as ProcessResult;
}

/** Passes when a file is there; whoever makes it moves it to its place when it is whole. */
function appeared(name: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(root, () => look());
    const look = (): void => {
      if (!existsSync(join(root, name))) return;
      watcher.close();
      resolve();
    };
    look();
  });
}

/** How many processes are alive whose words hold a text. */
function alive(marker: string): number {
  const lines = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).stdout.split('\n');
  return lines.filter((line) => line.includes(marker) && !line.startsWith('Z')).length;
}

const { kind, why } = new WorkspaceProcesses({
  workspace: tmpdir(),
  toolFolders: [],
  sandbox: 'auto',
  clock: systemClock,
}).sandbox;
const modes = kind === 'none' ? (['off'] as const) : (['auto', 'off'] as const);

describe.each(modes)('a program, with the sandbox on %s', (sandbox) => {
  it('returns output, exit code and what confined it', async () => {
    const result = await node(open({ sandbox }), 'console.log("out"); console.error("err"); process.exit(3)');
    expect(result).toMatchObject({
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
      sandbox: sandbox === 'off' ? 'none' : 'bubblewrap',
    });
    if (sandbox === 'off') expect(result.note).toContain('ran without a sandbox');
  });

  it('sees only the environment variables that every program needs', async () => {
    for (const name of [
      'SECRET_TOKEN',
      'OPENAI_API_KEY',
      'LD_PRELOAD',
      'NODE_OPTIONS',
      'PYTHONPATH',
      'GIT_SSH_COMMAND',
    ])
      vi.stubEnv(name, name === 'NODE_OPTIONS' ? '--no-warnings' : 'leaked-value');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stdout } = await node(open({ sandbox }), 'console.log(JSON.stringify(process.env))', {
      environment: { GIVEN: 'yes' },
    });
    const seen = JSON.parse(stdout) as Record<string, string>;
    expect(
      Object.keys(seen)
        .filter((name) => name !== 'PWD')
        .sort(),
    ).toEqual(['GIVEN', 'HOME', 'LANG', 'PATH', 'TERM', 'TMPDIR']);
    expect(stdout).not.toContain('leaked');
    expect(seen).toMatchObject({ GIVEN: 'yes', TERM: 'dumb' });
    expect(seen['HOME']).not.toBe(process.env['HOME']);
  });

  it('has its own home and temporary folder, which are removed afterwards', async () => {
    const script = `const { writeFileSync, statSync } = require('node:fs');
      writeFileSync(process.env.HOME + '/x', ''); writeFileSync(process.env.TMPDIR + '/x', '');
      console.log(process.env.HOME);`;
    const { stdout, exitCode } = await node(open({ sandbox }), script);
    expect(exitCode).toBe(0);
    expect(existsSync(stdout.trim())).toBe(false);
  });

  it('is found among installed tools and on the PATH, and never in the workspace by its bare name', async () => {
    put('sub/ls', '#!/bin/sh\necho planted\n', 0o755);
    put('ls', '#!/bin/sh\necho planted\n', 0o755);
    put('.oka/tools/bin/fresh', '#!/bin/sh\necho installed\n', 0o755);
    vi.stubEnv('PATH', `${root}:${join(root, 'sub')}:.:${process.env['PATH']}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const fresh = markFile(join(root, '.oka', 'tools'), 'bin/fresh') as RecordedFile;
    const processes = open({ sandbox, installs: () => ({ 'bin/fresh': fresh }) });
    expect((await run(processes, ['ls'])).stdout).not.toContain('planted');
    expect((await run(processes, ['ls'], { cwd: 'sub' })).stdout).toBe('ls\n');
    expect((await run(processes, ['fresh'])).stdout).toBe('installed\n');
    expect((await run(processes, ['./ls'])).stdout).toBe('planted\n');
    expect((await run(processes, ['./ls'], { cwd: 'sub' })).stdout).toBe('planted\n');
  });

  it('is reported as missing or not executable', async () => {
    const processes = open({ sandbox });
    for (const program of ['no-such-program', './absent', '/no/such', '', 'a\0b'])
      await expect(run(processes, [program])).rejects.toMatchObject({
        code: 'process.program_missing',
        data: { program },
      });
    put('plain.txt', 'x', 0o644);
    await expect(run(processes, ['./plain.txt'])).rejects.toMatchObject({ code: 'process.not_executable' });
    await expect(run(processes, ['./sub'])).rejects.toMatchObject({ code: 'process.not_executable' });
  });

  it('reads the given input, and nothing without input', async () => {
    const processes = open({ sandbox });
    expect((await run(processes, ['cat'], { stdin: 'grüße' })).stdout).toBe('grüße');
    expect((await run(processes, ['cat'])).stdout).toBe('');
    expect((await run(processes, ['true'], { stdin: 'x'.repeat(1_000_000) })).exitCode).toBe(0);
  });

  it('gets its arguments unchanged', async () => {
    const words = ['$HOME', '`id`', 'a b', '*', ';', '"', "'", '\n', '-n', ''];
    const { stdout } = await node(
      open({ sandbox }),
      'console.log(JSON.stringify(process.argv.slice(1)))',
      {},
    );
    expect(JSON.parse(stdout)).toEqual([]);
    const echoed = await run(open({ sandbox }), [
      'node',
      '-e',
      'console.log(JSON.stringify(process.argv.slice(1)))',
      '--',
      ...words,
    ]);
    expect(JSON.parse(echoed.stdout)).toEqual(words);
  });

  it('keeps the beginning and the end of a long output, and says that it was cut', async () => {
    const script = 'process.stdout.write("a".repeat(5000) + "ü".repeat(200000) + "z".repeat(5000))';
    const { stdout, stderr, truncated } = await node(open({ sandbox }), script, { maxOutputBytes: 10_001 });
    expect(truncated).toBe(true);
    expect(stdout).toBe(`${'a'.repeat(5_000)}\n[399998 bytes left out]\n${'z'.repeat(5_000)}`);
    expect(stderr).toBe('');
  });

  it('runs inside the workspace only', async () => {
    symlinkSync(around, join(root, 'out'));
    symlinkSync('sub', join(root, 'alias'));
    const processes = open({ sandbox });
    for (const cwd of ['..', '/', around, 'out', 'sub/../..', `${root}-twin`])
      await expect(run(processes, ['pwd'], { cwd })).rejects.toMatchObject({
        code: cwd.endsWith('-twin') ? 'files.not_found' : 'files.outside_workspace',
      });
    await expect(run(processes, ['pwd'], { cwd: '.mcp.json' })).rejects.toMatchObject({
      code: 'files.not_a_folder',
    });
    expect((await run(processes, ['pwd'], { cwd: 'alias' })).stdout).toBe(`${join(root, 'sub')}\n`);
  });

  it.each(['TERM ends it', 'TERM is ignored'])(
    'is stopped at its timeout, with a grandchild that ignores TERM, when %s',
    async (how) => {
      const clock = new ManualClock();
      const marker = `marker-${process.pid}-${sandbox}-${how.length}`;
      put(
        'grandchild.cjs',
        `process.on('SIGTERM', () => {}); require('node:fs').renameSync('new', 'ready'); setInterval(() => {}, 1e6);`,
      );
      const script = `${how === 'TERM is ignored' ? "process.on('SIGTERM', () => {});" : ''}
        require('node:fs').writeFileSync('new', ''); console.log('begun');
        require('node:child_process').spawn(process.execPath, ['grandchild.cjs', '${marker}'], { stdio: 'inherit' });
        setInterval(() => {}, 1e6);`;
      const running = node(open({ sandbox, clock }), script, { timeoutMs: 5_000 });
      const outcome = expect(running).rejects.toMatchObject({
        code: 'process.timed_out',
        data: { program: 'node', timeoutMs: 5_000, stdout: 'begun\n' },
      });
      await appeared('ready');
      expect(alive(marker)).toBeGreaterThan(0);
      clock.advance(5_000);
      clock.advance(2_000);
      await outcome;
      expect(alive(marker)).toBe(0);
    },
  );

  it('is stopped with the run, with all processes it started', async () => {
    const marker = `marker-${process.pid}-${sandbox}-abort`;
    put('grandchild.cjs', `require('node:fs').renameSync('new', 'ready'); setInterval(() => {}, 1e6);`);
    const script = `require('node:fs').writeFileSync('new', '');
      require('node:child_process').spawn(process.execPath, ['grandchild.cjs', '${marker}'], { stdio: 'inherit' });
      setInterval(() => {}, 1e6);`;
    const abort = new AbortController();
    const running = open({ sandbox }).run({ argv: ['node', '-e', script], timeoutMs: HOUR_MS }, abort.signal);
    const outcome = expect(running).rejects.toThrow('stopped by a person');
    await appeared('ready');
    abort.abort(new Error('stopped by a person'));
    await outcome;
    expect(alive(marker)).toBe(0);
    await expect(
      open({ sandbox }).run({ argv: ['touch', 'late'], timeoutMs: 1 }, abort.signal),
    ).rejects.toThrow();
    expect(existsSync(join(root, 'late'))).toBe(false);
  });

  it('leaves no background process behind', async () => {
    const marker = `marker-${process.pid}-${sandbox}-left`;
    put('left.cjs', `require('node:fs').renameSync('new', 'ready'); setInterval(() => {}, 1e6);`);
    const script = `const fs = require('node:fs'); fs.writeFileSync('new', '');
      require('node:child_process').spawn(process.execPath, ['left.cjs', '${marker}'], { stdio: 'inherit' }).unref();
      const wait = () => fs.existsSync('ready') ? process.exit(0) : setTimeout(wait, 5); wait();`;
    expect(await node(open({ sandbox }), script)).toMatchObject({ exitCode: 0 });
    expect(alive(marker)).toBe(0);
  });

  it('is not started when it is a shell by another name', async () => {
    symlinkSync('/bin/sh', join(root, 'innocent'));
    await expect(run(open({ sandbox }), ['./innocent', '-c', 'touch made'])).rejects.toMatchObject({
      code: 'process.shell_refused',
    });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });
});

describe.skipIf(kind === 'none')(
  kind === 'none' ? `inside the sandbox (skipped: ${why})` : 'inside the sandbox',
  () => {
    /** Tries to change a file in several ways; tells which of them worked. */
    async function tryToChange(path: string): Promise<ProcessResult> {
      const script = `const fs = require('node:fs'); const path = require('node:path');
        const [file] = process.argv.slice(1);
        const ways = {
          write: () => fs.writeFileSync(file, 'changed'),
          append: () => fs.appendFileSync(file, 'changed'),
          replace: () => { fs.writeFileSync('mine', 'changed'); fs.renameSync('mine', file); },
          unlink: () => fs.unlinkSync(file),
          link: () => { fs.linkSync(file, 'other-name'); fs.writeFileSync('other-name', 'changed'); },
          chmod: () => fs.chmodSync(file, 0o777),
          folder: () => fs.renameSync(path.dirname(file), path.dirname(file) + '-away'),
          mount: () => require('node:child_process').execFileSync('mount', ['-o', 'remount,rw', path.dirname(file)], { stdio: 'ignore' }),
        };
        for (const [way, work] of Object.entries(ways)) try { work(); console.log(way); } catch {}`;
      return run(open(), ['node', '-e', script, path]);
    }

    it.each([
      ['.oka/config.json', '{}'],
      ['.oka/vault', 'ciphertext'],
      ['.git/config', '[core]\n'],
    ])('%s cannot be changed', async (path, content) => {
      const { stdout, exitCode } = await tryToChange(path);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
      expect(readFileSync(join(root, path), 'utf8')).toBe(content);
    });

    it('.mcp.json cannot be changed, and neither can a policy', async () => {
      put('POLICY.md', 'rules');
      for (const [path, content] of [
        ['.mcp.json', '{}'],
        ['POLICY.md', 'rules'],
      ] as const) {
        const { stdout } = await tryToChange(join(root, path));
        expect(stdout).toBe('');
        expect(readFileSync(join(root, path), 'utf8')).toBe(content);
      }
    });

    it.each(['.oka/absent.json', '.oka/agents/x.md', '.git/hooks/pre-commit'])(
      '%s cannot be created',
      async (path) => {
        const script = `const fs = require('node:fs'); const path = require('node:path'); const [file] = process.argv.slice(1);
        try { fs.mkdirSync(path.dirname(file), { recursive: true }); } catch {}
        try { fs.writeFileSync(file, 'evil'); console.log('made'); } catch (error) { console.log(error.code); }`;
        const { stdout } = await run(open(), ['node', '-e', script, path]);
        expect(['EROFS\n', 'ENOENT\n']).toContain(stdout);
        expect(existsSync(join(root, path))).toBe(false);
      },
    );

    it('.git cannot be moved away and created again', async () => {
      const script = `const fs = require('node:fs');
        try { fs.renameSync('.git', 'old'); console.log('moved'); } catch (error) { console.log(error.code); }`;
      expect((await node(open(), script)).stdout).toBe('EBUSY\n');
      expect(existsSync(join(root, '.git/config'))).toBe(true);
    });

    it('a file that only people may create is moved aside when a program has created it', async () => {
      const script = `const fs = require('node:fs'); fs.writeFileSync('POLICY.md', 'allow all');
        try { fs.writeFileSync('.git/commondir', '../evil'); } catch (error) { console.log(error.code); } process.exit(1)`;
      const { exitCode, stdout, note } = await node(open(), script);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'EROFS\n' });
      expect(note).toContain('only people may create POLICY.md');
      expect(existsSync(join(root, 'POLICY.md'))).toBe(false);
      expect(existsSync(join(root, '.git/commondir'))).toBe(false);
      expect(readdirSync(root).some((name) => name.startsWith('POLICY.md.refused-'))).toBe(true);
    });

    it('a repository with hooks cannot be created where there was none', async () => {
      spawnSync('rm', ['-rf', join(root, '.git')]);
      const script = `const fs = require('node:fs'); fs.mkdirSync('.git/hooks', { recursive: true });
        fs.writeFileSync('.git/hooks/pre-commit', 'evil')`;
      expect((await node(open(), script)).note).toContain('only people may create .git');
      expect(existsSync(join(root, '.git'))).toBe(false);
    });

    it('only the workspace can be written', async () => {
      writeFileSync(join(around, 'neighbour'), 'theirs');
      const script = `const fs = require('node:fs'); fs.writeFileSync('own.txt', 'own');
        for (const path of process.argv.slice(1))
          try { fs.writeFileSync(path, 'evil'); console.log('wrote', path); } catch {}`;
      const outside = [
        join(around, 'neighbour'),
        '/etc/oka-escape',
        '/usr/bin/oka-escape',
        '/var/tmp/oka-escape',
      ];
      await run(open(), ['node', '-e', script, ...outside]);
      expect(readFileSync(join(root, 'own.txt'), 'utf8')).toBe('own');
      expect(readFileSync(join(around, 'neighbour'), 'utf8')).toBe('theirs');
      for (const path of outside.slice(1)) expect(existsSync(path)).toBe(false);
    });

    it('homes, temporary files, secrets of Oka and hidden folders cannot be read', async () => {
      const hidden = join(root, 'hidden');
      mkdirSync(hidden);
      writeFileSync(join(hidden, 'key'), 'key');
      writeFileSync(join(around, 'neighbour'), 'theirs');
      const script = `const fs = require('node:fs');
        for (const path of process.argv.slice(1))
          try { const names = fs.statSync(path).isDirectory() ? fs.readdirSync(path) : ['read']; console.log(path, names.join()); } catch {}`;
      const looked = [
        join(around, 'neighbour'),
        join(root, '.oka/vault'),
        join(root, '.oka/config.json'),
        join(hidden, 'key'),
      ];
      const { stdout } = await run(open({ hidden: [hidden] }), ['node', '-e', script, ...looked]);
      expect(stdout).toBe('');
      const list = `console.log(require('node:fs').readdirSync(process.argv[1], { withFileTypes: true })
        .filter((entry) => entry.isFile()).length)`;
      expect((await run(open(), ['node', '-e', list, homedir()])).stdout).toBe('0\n');
    });

    it('other processes cannot be seen', async () => {
      const script = `console.log(require('node:fs').readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length < 5)`;
      expect((await node(open(), script)).stdout).toBe('true\n');
    });

    it('the network is unreachable unless requested', async () => {
      const server = createServer((socket) => socket.end('reached'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const { port } = server.address() as { port: number };
      const script = `require('node:net').connect(${port}, '127.0.0.1')
        .on('data', (data) => console.log(String(data))).on('error', (error) => console.log(error.code))`;
      expect((await node(open(), script)).stdout).toBe('ECONNREFUSED\n');
      expect((await node(open(), script, { network: true })).stdout).toBe('reached\n');
    });
  },
);

describe('without a working sandbox', () => {
  it('says why, and runs nothing when one is required', async () => {
    vi.stubEnv('PATH', join(root, 'nowhere'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(open().sandbox).toEqual({ kind: 'none', why: 'bubblewrap (bwrap) is not installed' });
    const required = open({ sandbox: 'required' });
    await expect(run(required, [process.execPath, '--version'])).rejects.toMatchObject({
      code: 'process.sandbox_required',
    });
    expect((await run(open(), [process.execPath, '--version'])).note).toContain('is not installed');
  });

  it('detects a bubblewrap that is installed and does not work', () => {
    const folder = join(around, 'bin');
    mkdirSync(folder);
    writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: no namespaces here" >&2; exit 1\n', {
      mode: 0o755,
    });
    vi.stubEnv('PATH', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(open().sandbox).toEqual({
      kind: 'none',
      why: 'bubblewrap does not work on this machine (bwrap: no namespaces here)',
    });
    expect(open({ sandbox: 'off' }).sandbox.why).toContain('disabled in the configuration');
  });
});

describe('process.run', () => {
  it('declares the worst effect that a program can have', () => {
    const tool = builtInTools().find(({ name }) => name === 'process.run') as Tool;
    expect(tool).toMatchObject({
      sideEffect: 'external_mutation',
      untrusted: true,
      annotations: { destructive: true, idempotent: false, readOnly: false, risk: 'medium' },
    });
  });

  it.each([
    [['sh', '-c', 'touch made']],
    [['bash', '-lc', 'touch made']],
    [['env', 'sh', '-c', 'touch made']],
    [['env', '-S', 'sh -c "touch made"']],
    [['busybox', 'sh', '-c', 'touch made']],
    [['xargs', 'sh', '-c', 'touch made']],
    [['timeout', '9', '/bin/sh', '-ec', 'touch made']],
    [['find', '.', '-exec', 'sh', '-c', 'touch made', ';']],
  ])('does not pass a text to a shell: %j', async (argv) => {
    await expect(call({ argv, stdin: 'x' })).rejects.toMatchObject({
      code: 'process.shell_refused',
      message: expect.stringContaining('argv'),
    });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('runs a script file with a shell, and inline code of other programs', async () => {
    put('script.sh', 'echo "$1" > made');
    expect(await call({ argv: ['sh', 'script.sh', '-c'] })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(root, 'made'), 'utf8')).toBe('-c\n');
    expect(await call({ argv: ['node', '-e', 'console.log(1)'] })).toMatchObject({ stdout: '1\n' });
  });

  it('resolves its folder like the path of a file', async () => {
    expect((await call({ argv: ['pwd'], cwd: './sub/../sub' })).stdout).toBe(`${join(root, 'sub')}\n`);
    for (const [cwd, code] of [
      ['..', 'files.outside_workspace'],
      ['.git', 'files.protected'],
      ['a\0b', 'files.invalid_path'],
    ])
      await expect(call({ argv: ['pwd'], cwd })).rejects.toMatchObject({ code });
  });

  it.each([
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'GIT_SSH_COMMAND',
    'BASH_ENV',
    'PATH',
    'path',
    'A=B',
    '',
  ])('refuses the variable "%s"', async (name) => {
    const refused = { code: 'process.environment_refused', data: { name } };
    await expect(call({ argv: ['env'], env: { [name]: 'x' } })).rejects.toMatchObject(refused);
    await expect(call({ argv: ['env'], secrets: { [name]: 'x' } })).rejects.toMatchObject(refused);
  });

  it('reads secrets from the vault just in time, for the named program', async () => {
    const asked: unknown[] = [];
    const secrets: CredentialProvider = {
      resolve: async (name, purpose) => {
        asked.push([name, purpose]);
        return name === 'github' ? 'value-of-the-secret' : undefined;
      },
    };
    const input = {
      argv: ['node', '-e', 'console.log(process.env.TOKEN.length)'],
      secrets: { TOKEN: 'github' },
    };
    expect((await call(input, { secrets })).stdout).toBe('19\n');
    expect(asked).toEqual([['github', { tool: 'process.run', run: 'run-1' }]]);
    await expect(call({ ...input, secrets: { TOKEN: 'absent' } }, { secrets })).rejects.toMatchObject({
      code: 'process.secret_missing',
    });
  });

  describe('with a provider of dependencies', () => {
    const answers = (...given: readonly (ProcessResult | OkaError)[]) => {
      const left = [...given];
      const requests: ProcessRequest[] = [];
      const processes: Processes = {
        sandbox: { kind: 'none' },
        drafts: { kind: 'none' },
        openDraft: async () => expect.fail('there are no drafts'),
        identify: async () => [],
        find: async () => undefined,
        run: async (request) => {
          requests.push(request);
          const next = left.shift() as ProcessResult | OkaError;
          if (next instanceof Error) throw next;
          return next;
        },
      };
      return { processes, requests };
    };
    const provider = (answer: Awaited<ReturnType<Dependencies['provide']>>) => {
      const seen: unknown[] = [];
      const dependencies: Dependencies = {
        knows: () => true,
        provide: async (result) => {
          seen.push(result);
          return answer;
        },
      };
      return { dependencies, seen };
    };
    const ended = (exitCode: number): ProcessResult => ({
      exitCode,
      signal: null,
      stdout: '',
      stderr: '',
      truncated: false,
      sandbox: 'none',
    });
    const missing = new OkaError('process.program_missing', 'missing', { data: { program: 'x' } });

    it('runs once more after an install, and not a third time', async () => {
      const { processes, requests } = answers(missing, ended(1));
      const { dependencies, seen } = provider('installed');
      expect(await call({ argv: ['x'] }, { processes, dependencies })).toEqual(ended(1));
      expect(seen).toEqual([missing]);
      expect(requests).toHaveLength(2);
      expect(requests[1]).toEqual(requests[0]);
    });

    it('returns the first result when no dependency is known to be missing', async () => {
      const { dependencies } = provider('unknown');
      expect(await call({ argv: ['x'] }, { processes: answers(ended(2)).processes, dependencies })).toEqual(
        ended(2),
      );
      await expect(
        call({ argv: ['x'] }, { processes: answers(missing).processes, dependencies }),
      ).rejects.toBe(missing);
    });

    it('says when a person has to install it, and does not ask the provider after a success', async () => {
      const { dependencies, seen } = provider('needs_person');
      await expect(
        call({ argv: ['x'] }, { processes: answers(ended(127)).processes, dependencies }),
      ).rejects.toMatchObject({ code: 'environment.needs_root' });
      expect(await call({ argv: ['x'] }, { processes: answers(ended(0)).processes, dependencies })).toEqual(
        ended(0),
      );
      expect(seen).toHaveLength(1);
    });
  });
});
