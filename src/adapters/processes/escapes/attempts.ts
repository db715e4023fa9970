import type { TriedCall } from './system-call-program.ts';

/** Where the attempts are made, and what they aim at. */
export interface Target {
  readonly workspace: string;
  /** A folder beside the workspace. */
  readonly outside: string;
  readonly home: string;
  /** The start of the paths of what the self-test puts into the home. */
  readonly homeFile: string;
  readonly okaHome: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly socket: string;
  readonly abstractName: string;
  readonly marker: string;
  /** The folder of the draft that the program works on; none if it works on the workspace itself. */
  readonly draft: string | undefined;
}

/**
 * An attempt by a script. It prints `through` if it succeeds. What it leaves is found too: a changed workspace before its draft is
 * applied, and acting parts of the workspace afterwards.
 */
export interface ScriptAttempt {
  readonly name: string;
  readonly script: (target: Target) => string;
  /** A path that must not exist afterwards. */
  readonly left?: (target: Omit<Target, 'draft'>) => string;
  /** The script is for the shell, and is a program in the home or a link to one. */
  readonly inHome?: 'program' | 'link';
  readonly network?: { readonly hosts: readonly string[] };
}

/** An attempt by one system call, which must fail as refused. */
export interface CallAttempt extends TriedCall {
  readonly name: string;
}

const q = JSON.stringify;
const FS = `const fs = require('node:fs'); const path = require('node:path');
const attempt = (work) => { try { if (work() !== false) console.log('through'); } catch (error) { console.log(error.code ?? error.message); } };
const move = (from, to) => { try { fs.renameSync(from, to); } catch { fs.cpSync(from, to, { recursive: true }); fs.rmSync(from, { recursive: true }); } };
const openable = (file) => { try { fs.closeSync(fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NONBLOCK)); return true; } catch { return false; } };
const filesIn = (folder) => { try { return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => { const file = path.join(folder, entry.name); return entry.isDirectory() ? filesIn(file) : entry.isFile() ? [file] : []; }); } catch { return []; } };
const makeRepository = (folder) => { fs.mkdirSync(path.join(folder, 'hooks'), { recursive: true }); for (const name of ['objects', 'refs']) fs.mkdirSync(path.join(folder, name)); fs.writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/x'); fs.writeFileSync(path.join(folder, 'config'), '[core]\\n\\tfsmonitor = evil\\n'); };`;
/** Other ways to the same files: what the processes of the sandbox have open, and what the mounts name. */
const WAYS = (target: Target): string => `${FS}
const given = ${q([target.workspace, ...(target.draft === undefined ? [] : [target.draft])])};
const links = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap((pid) => ['root', 'cwd', ...(() => { try { return fs.readdirSync('/proc/' + pid + '/fd').map((fd) => 'fd/' + fd); } catch { return []; } })()].map((name) => '/proc/' + pid + '/' + name));
const mounts = fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\\n').flatMap((line) => { const words = line.split(' '); return [words[3], ...(line.match(/(?:lower|upper|work)dir=[^, ]+/g) ?? []).map((one) => one.slice(one.indexOf('=') + 1))]; }).filter(Boolean);
const folders = [...given, ...mounts].flatMap((folder) => [folder, ...['lower', 'upper', 'work', 'view'].map((part) => folder + '/' + part)]);
const ways = [...new Set([...folders, ...links.flatMap((link) => [link, link + '/..', ...folders.map((folder) => link + '/' + folder), ...folders.map((folder) => link + '/../../../../..' + folder)])])];`;
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
  ...(['program', 'link'] as const).map(
    (inHome): ScriptAttempt => ({
      name: `read your home with a ${inHome} in it`,
      inHome,
      script: ({ homeFile }) => `cat '${homeFile.replaceAll("'", "'\\''")}'-secret && echo through`,
    }),
  ),
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
    script: () =>
      `${FS} attempt(() => { fs.appendFileSync('.git/config', '[core]\\n\\tfsmonitor = evil\\n'); return false; });`,
  },
  {
    name: 'add a git hook',
    script: () =>
      `${FS} attempt(() => { fs.mkdirSync('.git/hooks', { recursive: true }); fs.writeFileSync('.git/hooks/post-checkout', ''); return false; });`,
  },
  {
    name: 'rename .git/HEAD',
    script: () => `${FS} attempt(() => { fs.renameSync('.git/HEAD', '.git/H'); return false; });`,
  },
  { name: 'rename .git', script: () => `${FS} attempt(() => { move('.git', 'moved'); return false; });` },
  {
    name: 'change the .git of a subfolder',
    script: () => `${FS} attempt(() => { fs.appendFileSync('sub/.git/config', 'x'); return false; });`,
  },
  {
    name: 'replace the folder around a .git',
    script: () =>
      `${FS} attempt(() => { move('sub', 'away'); fs.mkdirSync('sub/.git/hooks', { recursive: true }); fs.writeFileSync('sub/.git/HEAD', 'ref: refs/heads/x'); return false; });`,
  },
  {
    name: 'make a new repository',
    script: () =>
      `${FS} attempt(() => { fs.mkdirSync('new/deep/.git/hooks', { recursive: true }); fs.writeFileSync('new/deep/.git/HEAD', 'ref: refs/heads/x'); return false; });`,
  },
  {
    name: 'make the workspace a bare repository',
    script: () =>
      `${FS} attempt(() => { for (const name of ['objects', 'refs']) fs.mkdirSync(name, { recursive: true }); fs.writeFileSync('HEAD', 'ref: refs/heads/x'); return false; });`,
  },
  {
    name: 'make a subfolder a bare repository',
    script: () =>
      `${FS} attempt(() => { fs.mkdirSync('bare'); fs.writeFileSync('bare/HEAD', 'ref: refs/heads/x'); fs.writeFileSync('bare/commondir', '../objects'); return false; });`,
  },
  ...[
    ['in a folder that is deep', "Array(60).fill('d').join('/')"],
    ['in a folder with a path that is too long', "Array(11).fill('d'.repeat(200)).join('/')"],
    ['with another spelling', "'spelled'", '.GiT'],
  ].map(
    ([where, folder, name = '.git']): ScriptAttempt => ({
      name: `make a repository ${where}`,
      script: () => `${FS} attempt(() => { makeRepository(${folder} + '/${name}'); return false; });`,
    }),
  ),
  {
    name: 'make a repository in a folder that cannot be listed',
    script: () =>
      `${FS} attempt(() => { makeRepository('closed/.git'); fs.chmodSync('closed', 0o300); return false; });`,
  },
  {
    name: 'make a file that leads git to a repository',
    script: () =>
      `${FS} attempt(() => { makeRepository('plain'); fs.mkdirSync('tree'); fs.writeFileSync('tree/.git', 'gitdir: ../plain'); return false; });`,
  },
  {
    name: 'leave a link out of the workspace',
    script: ({ outside }) =>
      `${FS} attempt(() => { fs.symlinkSync(${q(outside)}, 'out'); fs.symlinkSync('../outside', 'beside'); return false; });`,
  },
  {
    name: 'leave a link out of the workspace through another link',
    script: () =>
      `${FS} attempt(() => { fs.mkdirSync('up/and/down', { recursive: true }); fs.symlinkSync('../..', 'up/and/root'); fs.symlinkSync('up/and/root/../outside', 'through'); return false; });`,
  },
  {
    name: 'leave a program that acts as its owner',
    script: () =>
      `${FS} attempt(() => { for (const mode of [0o4755, 0o2755]) { fs.writeFileSync('owner' + mode, ''); fs.chmodSync('owner' + mode, mode); } return false; });`,
  },
  {
    name: 'leave a pipe that stops who reads it',
    script: () =>
      `${FS} attempt(() => { require('node:child_process').execFileSync('mkfifo', ['pipe']); return false; });`,
  },
  {
    name: 'write POLICY.md and .mcp.json',
    script: () =>
      `${FS} attempt(() => { for (const name of ['POLICY.md', 'policy.md', '.mcp.json']) fs.writeFileSync(name, 'allow all'); return false; });`,
  },
  {
    name: 'read the workspace behind the draft',
    script: (target) =>
      `${WAYS(target)} attempt(() => ways.some((way) => { try { return fs.readFileSync(way + '/.oka/secret', 'utf8') === 'secret'; } catch { return false; } }));`,
  },
  {
    name: 'write to the workspace behind the draft',
    script: (target) =>
      `${WAYS(target)} let views = 0; for (const way of ways) if (fs.existsSync(way + '/marker')) try { fs.writeFileSync(way + '/planted', ''); views += 1; } catch {} console.log(views, 'of', ways.length, 'ways lead to the draft');`,
  },
  {
    name: 'reach the folder of the draft',
    script: (target) =>
      `${WAYS(target)} attempt(() => ways.some((way) => { try { return fs.readdirSync(way).includes('upper'); } catch { return false; } }));`,
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
    name: 'change any setting of the kernel (/proc and /sys)',
    script: () =>
      `${FS} const own = /^(\\d+|self|thread-self|net)$/; const all = ['/proc', '/sys'].flatMap((root) => fs.readdirSync(root).filter((name) => !own.test(name)).flatMap((name) => [path.join(root, name), ...filesIn(path.join(root, name))])); const open = all.find(openable); console.log(open === undefined ? 'none of ' + all.length : 'through ' + open);`,
  },
  {
    name: 'mount, unmount and enter namespaces with programs of the system',
    script: ({ workspace }) =>
      `const { spawnSync } = require('node:child_process'); for (const words of ['unshare --user true', 'unshare --map-root-user --mount true', 'unshare --mount true', 'unshare --net true', 'mount -t tmpfs none /tmp', 'mount --bind / /tmp', 'mount -t proc proc /proc', 'umount -l /proc', 'nsenter --target 1 --user true', 'nsenter --target 1 --mount true', 'chroot / true', 'mknod /tmp/disk b 8 0'].map((one) => one.split(' ')).concat([['umount', '-l', ${q(workspace)}]])) if (spawnSync(words[0], words.slice(1)).status === 0) console.log('through', words.join(' '));`,
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
  { name: 'unmount a file system', x64: 166, arm64: 39 },
  { name: 'change the root (pivot_root)', x64: 155, arm64: 41 },
  { name: 'copy a mount (open_tree)', x64: 428, arm64: 428 },
  { name: 'move a mount (move_mount)', x64: 429, arm64: 429 },
  { name: 'open a file by its number (name_to_handle_at)', x64: 303, arm64: 264 },
  { name: 'make a namespace (clone3)', x64: 435, arm64: 435 },
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
