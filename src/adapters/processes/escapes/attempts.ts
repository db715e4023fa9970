import type { TriedCall } from './system-call-program.ts';

/** Where the attempts are made, and what they aim at. */
export interface Target {
  readonly workspace: string;
  /** A folder beside the workspace. */
  readonly outside: string;
  readonly home: string;
  readonly okaHome: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly socket: string;
  readonly abstractName: string;
  readonly marker: string;
}

/** An attempt by a script: it prints `through` if it succeeds, or leaves something that `left` finds afterwards. */
export interface ScriptAttempt {
  readonly name: string;
  readonly script: (target: Target) => string;
  /** A path below the workspace or an absolute one that must not exist afterwards. */
  readonly left?: (target: Target) => string;
  readonly network?: { readonly hosts: readonly string[] };
}

/** An attempt by one system call, which must fail as refused. */
export interface CallAttempt extends TriedCall {
  readonly name: string;
}

const q = JSON.stringify;
const FS = `const fs = require('node:fs'); const path = require('node:path');
const attempt = (work) => { try { if (work() !== false) console.log('through'); } catch (error) { console.log(error.code ?? error.message); } };`;
const NET = (connect: string): string =>
  `const s = require('node:net').connect(${connect}); s.on('connect', () => { console.log('through'); process.exit(); });
s.on('error', (error) => { console.log(error.code); process.exit(); }); setTimeout(() => process.exit(), 3000);`;

export const SCRIPT_ATTEMPTS: readonly ScriptAttempt[] = [
  {
    name: 'read the folder of Oka',
    script: ({ okaHome }) => `${FS} attempt(() => fs.readdirSync(${q(okaHome)}).length > 0);`,
  },
  {
    name: 'read keys and files of your home',
    script: ({ home }) =>
      `${FS} attempt(() => fs.readdirSync(${q(home)}, { withFileTypes: true }).some((entry) => entry.isFile() || entry.name === '.ssh'));`,
  },
  {
    name: 'read other homes',
    script: () =>
      `${FS} attempt(() => ['/home', '/root'].flatMap((home) => fs.existsSync(home) ? fs.readdirSync(home, { withFileTypes: true }) : []).some((entry) => entry.isFile()));`,
  },
  { name: 'read the password file', script: () => `${FS} attempt(() => fs.readFileSync('/etc/shadow'));` },
  {
    name: 'read files beside the workspace',
    script: ({ outside }) => `${FS} attempt(() => fs.readFileSync(path.join(${q(outside)}, 'secret')));`,
  },
  {
    name: 'read the environment of Oka',
    script: ({ pid, startedAt }) =>
      `${FS} attempt(() => fs.readFileSync('/proc/${pid}/stat', 'utf8').split(' ').includes(${q(startedAt)}) && fs.readFileSync('/proc/${pid}/environ'));`,
  },
  {
    name: 'send a signal to Oka',
    script: ({ pid }) =>
      `${FS} attempt(() => !fs.existsSync('/proc/${pid}') && process.kill(${pid}, 0) || false);`,
  },
  {
    name: 'write beside the workspace',
    script: ({ outside }) =>
      `${FS} attempt(() => { fs.writeFileSync(path.join(${q(outside)}, 'planted'), ''); return false; });`,
    left: ({ outside }) => `${outside}/planted`,
  },
  {
    name: 'write system folders',
    script: () =>
      `${FS} attempt(() => fs.writeFileSync('/usr/oka-escape', '')); attempt(() => fs.writeFileSync('/opt/oka-escape', ''));`,
    left: () => '/usr/oka-escape',
  },
  {
    name: 'change .git/config',
    script: () => `${FS} attempt(() => fs.appendFileSync('.git/config', '[core]\\n\\tfsmonitor = evil\\n'));`,
  },
  {
    name: 'add a git hook',
    script: () =>
      `${FS} attempt(() => { fs.mkdirSync('.git/hooks', { recursive: true }); fs.writeFileSync('.git/hooks/post-checkout', ''); });`,
    left: () => '.git/hooks/post-checkout',
  },
  { name: 'rename .git/HEAD', script: () => `${FS} attempt(() => fs.renameSync('.git/HEAD', '.git/H'));` },
  { name: 'rename .git', script: () => `${FS} attempt(() => fs.renameSync('.git', 'moved'));` },
  {
    name: 'change the .git of a subfolder',
    script: () => `${FS} attempt(() => fs.appendFileSync('sub/.git/config', 'x'));`,
  },
  {
    name: 'replace the folder around a .git',
    script: () =>
      `${FS} attempt(() => { fs.renameSync('sub', 'away'); fs.mkdirSync('sub/.git/hooks', { recursive: true }); fs.writeFileSync('sub/.git/HEAD', 'ref: refs/heads/x'); return false; });`,
    left: () => 'sub/.git',
  },
  {
    name: 'make a new repository',
    script: () =>
      `${FS} attempt(() => { fs.mkdirSync('new/deep/.git/hooks', { recursive: true }); fs.writeFileSync('new/deep/.git/HEAD', 'ref: refs/heads/x'); return false; });`,
    left: () => 'new/deep/.git',
  },
  {
    name: 'make the workspace a bare repository',
    script: () =>
      `${FS} attempt(() => { for (const name of ['objects', 'refs']) fs.mkdirSync(name, { recursive: true }); fs.writeFileSync('HEAD', 'ref: refs/heads/x'); return false; });`,
    left: () => 'HEAD',
  },
  {
    name: 'make a subfolder a bare repository',
    script: () =>
      `${FS} attempt(() => { fs.mkdirSync('bare'); fs.writeFileSync('bare/HEAD', 'ref: refs/heads/x'); fs.writeFileSync('bare/commondir', '../objects'); return false; });`,
    left: () => 'bare/HEAD',
  },
  {
    name: 'write POLICY.md',
    script: () => `${FS} attempt(() => { fs.writeFileSync('POLICY.md', 'allow all'); return false; });`,
    left: () => 'POLICY.md',
  },
  { name: 'write .oka', script: () => `${FS} attempt(() => fs.writeFileSync('.oka/config.json', '{}'));` },
  {
    name: 'leave a process behind',
    script: ({ marker }) =>
      `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', ${q(marker)}], { detached: true, stdio: 'ignore' }); child.on('spawn', () => { child.unref(); process.exit(); });`,
  },
  { name: 'connect to a Unix socket outside', script: ({ socket }) => NET(q(socket)) },
  {
    name: 'connect to an abstract socket',
    script: ({ abstractName }) => NET(`{ path: '\\0' + ${q(abstractName)} }`),
  },
  { name: 'connect to this machine', script: ({ tcpPort }) => NET(`${tcpPort}, '127.0.0.1'`) },
  { name: 'connect to the metadata service', script: () => NET(`80, '169.254.169.254'`) },
  {
    name: 'send UDP, as for DNS',
    script: ({ udpPort }) =>
      `const s = require('node:dgram').createSocket('udp4'); s.on('error', () => process.exit()); s.send('x', ${udpPort}, '127.0.0.1', () => s.close());`,
  },
  {
    name: 'reach this machine through the proxy',
    network: { hosts: ['localhost', '127.0.0.1', 'localhost:1024'] },
    script: ({ tcpPort }) =>
      `const s = require('node:net').connect(3128, '127.0.0.1', () => s.write('CONNECT 127.0.0.1:${tcpPort} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'));
s.on('data', (data) => { console.log(String(data).includes(' 200 ') ? 'through' : String(data).split('\\r')[0]); process.exit(); }); s.on('error', (error) => { console.log(error.code); process.exit(); });`,
  },
  {
    name: 'start processes without end',
    script: () =>
      `const { spawn } = require('node:child_process'); let n = 0; const all = []; for (let i = 0; i < 200; i += 1) try { const child = spawn('sleep', ['60'], { stdio: 'ignore' }); child.on('error', () => {}); if (child.pid !== undefined) n += 1; } catch {} console.log(n === 200 ? 'through' : n + ' of 200'); process.exit();`,
  },
  {
    name: 'use memory without end',
    script: () =>
      `const kept = []; try { for (let i = 0; i < 30; i += 1) kept.push(Buffer.alloc(100e6, 1)); console.log('through'); } catch (error) { console.log(error.message); }`,
  },
  {
    name: 'use memory without end in many processes',
    script: () =>
      `const { spawn } = require('node:child_process'); let running = 0;
for (let i = 0; i < 12; i += 1) spawn(process.execPath, ['-e', 'globalThis.kept = Buffer.alloc(150e6, 1); console.log(1); setInterval(() => {}, 1e6)'], { stdio: ['ignore', 'pipe', 'ignore'] })
  .on('exit', () => { console.log('one was ended'); process.exit(); }).stdout.on('data', () => { running += 1; if (running === 12) { console.log('through'); process.exit(); } });`,
  },
  {
    name: 'fill /tmp',
    script: () =>
      `${FS} attempt(() => { for (let i = 0; i < 6; i += 1) fs.writeFileSync('/tmp/large' + i, Buffer.alloc(30e6)); });`,
  },
  {
    name: 'fill the root folder and /dev',
    script: () =>
      `${FS} for (const path of ['/large', '/dev/large']) attempt(() => fs.writeFileSync(path, ''));`,
  },
  {
    name: 'change the program that gets core dumps',
    // Opened only, so that nothing is changed where it gets through.
    script: () =>
      `${FS} for (const root of ['', '/proc/self/root', '/proc/1/root']) attempt(() => fs.openSync(root + '/proc/sys/kernel/core_pattern', 'r+'));`,
  },
  {
    name: 'send a request to the kernel (sysrq-trigger)',
    script: () => `${FS} attempt(() => fs.openSync('/proc/sysrq-trigger', 'r+'));`,
  },
  {
    name: 'write /sys',
    script: () =>
      `${FS} attempt(() => { fs.writeFileSync('/sys/oka-escape', ''); }); attempt(() => fs.openSync('/sys/devices/system/cpu/cpu0/uevent', 'r+')); attempt(() => fs.openSync('/sys/kernel/uevent_helper', 'r+'));`,
  },
  {
    name: 'write a file without end',
    script: () =>
      `${FS} process.on('SIGXFSZ', () => {}); attempt(() => { const file = fs.openSync('large', 'w'); for (let i = 0; i < 200; i += 1) fs.writeSync(file, Buffer.alloc(1e6)); return fs.fstatSync(file).size >= 200e6; });`,
  },
];

const CLONE_NEWUSER = 0x10000000;
const SIGCHLD = 17;

export const CALL_ATTEMPTS: readonly CallAttempt[] = [
  { name: 'trace a process (ptrace)', x64: 101, arm64: 117, args: [0, 0, 0, 0] },
  { name: 'read the memory of a process', x64: 310, arm64: 270, args: [1, 0, 0, 0, 0] },
  { name: 'use io_uring', x64: 425, arm64: 425, args: [1, 0] },
  { name: 'use the kernel keyring (keyctl)', x64: 250, arm64: 219, args: [0, -3, 1] },
  { name: 'mount a file system', x64: 165, arm64: 40 },
  { name: 'open a mount (fsopen)', x64: 430, arm64: 430 },
  { name: 'make a user namespace (unshare)', x64: 272, arm64: 97, args: [CLONE_NEWUSER] },
  { name: 'make a user namespace (clone)', x64: 56, arm64: 220, args: [CLONE_NEWUSER | SIGCHLD] },
  { name: 'enter a namespace (setns)', x64: 308, arm64: 268, args: [0, 0] },
  { name: 'load a BPF program', x64: 321, arm64: 280 },
  { name: 'use perf events', x64: 298, arm64: 241 },
  { name: 'use userfaultfd', x64: 323, arm64: 282, args: [1] },
  { name: 'load a kernel module', x64: 313, arm64: 273, args: [-1] },
  { name: 'load a kernel (kexec)', x64: 246, arm64: 104, args: [0, 0, 0, 0] },
  { name: 'type into a terminal (TIOCSTI)', x64: 16, arm64: 29, args: [0, 0x5412, 0] },
  { name: 'open a socket to the host of this machine (vsock)', x64: 41, arm64: 198, args: [40, 1, 0] },
  { name: 'turn off address randomization (personality)', x64: 135, arm64: 92, args: [0x0040000] },
];
