// Owns: which system calls a sandboxed program may make, as a classic BPF program for bubblewrap's --seccomp.
// Refused calls fail with an error and do not kill, so that programs use their fallbacks.
import { endianness } from 'node:os';

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** What a call fails with, its number on x86_64 (undefined: absent there) and on aarch64. */
type Refused = readonly [error: number, x64: number | undefined, arm64: number | undefined];

/** System calls that reach other processes, the kernel's configuration, mounts, keys, or large kernel attack surfaces. */
const REFUSED: Readonly<Record<string, Refused>> = {
  ptrace: [EPERM, 101, 117],
  process_vm_readv: [EPERM, 310, 270],
  process_vm_writev: [EPERM, 311, 271],
  process_madvise: [EPERM, 440, 440],
  kcmp: [EPERM, 312, 272],
  pidfd_getfd: [EPERM, 438, 438],
  add_key: [EPERM, 248, 217],
  request_key: [EPERM, 249, 218],
  keyctl: [EPERM, 250, 219],
  mount: [EPERM, 165, 40],
  umount2: [EPERM, 166, 39],
  pivot_root: [EPERM, 155, 41],
  chroot: [EPERM, 161, 51],
  open_tree: [ENOSYS, 428, 428],
  move_mount: [ENOSYS, 429, 429],
  fsopen: [ENOSYS, 430, 430],
  fsconfig: [ENOSYS, 431, 431],
  fsmount: [ENOSYS, 432, 432],
  fspick: [ENOSYS, 433, 433],
  mount_setattr: [ENOSYS, 442, 442],
  open_tree_attr: [ENOSYS, 467, 467],
  bpf: [EPERM, 321, 280],
  perf_event_open: [EPERM, 298, 241],
  userfaultfd: [EPERM, 323, 282],
  io_uring_setup: [ENOSYS, 425, 425],
  io_uring_enter: [ENOSYS, 426, 426],
  io_uring_register: [ENOSYS, 427, 427],
  fanotify_init: [EPERM, 300, 262],
  name_to_handle_at: [EPERM, 303, 264],
  open_by_handle_at: [EPERM, 304, 265],
  kexec_load: [EPERM, 246, 104],
  kexec_file_load: [EPERM, 320, 294],
  create_module: [EPERM, 174, undefined],
  init_module: [EPERM, 175, 105],
  finit_module: [EPERM, 313, 273],
  delete_module: [EPERM, 176, 106],
  unshare: [EPERM, 272, 97],
  setns: [EPERM, 308, 268],
  // Its flags are in memory, which a filter cannot read; the C library then uses clone.
  clone3: [ENOSYS, 435, 435],
  reboot: [EPERM, 169, 142],
  swapon: [EPERM, 167, 224],
  swapoff: [EPERM, 168, 225],
  acct: [EPERM, 163, 89],
  quotactl: [EPERM, 179, 60],
  quotactl_fd: [EPERM, 443, 443],
  syslog: [EPERM, 103, 116],
  settimeofday: [EPERM, 164, 170],
  clock_settime: [EPERM, 227, 112],
  sethostname: [EPERM, 170, 161],
  setdomainname: [EPERM, 171, 162],
  vhangup: [EPERM, 153, 58],
  lookup_dcookie: [EPERM, 212, 18],
  iopl: [EPERM, 172, undefined],
  ioperm: [EPERM, 173, undefined],
  modify_ldt: [EPERM, 154, undefined],
  uselib: [EPERM, 134, undefined],
};

/** Calls that depend on an argument. */
const CHECKED = {
  clone: { x64: 56, arm64: 220 },
  ioctl: { x64: 16, arm64: 29 },
  personality: { x64: 135, arm64: 92 },
  socket: { x64: 41, arm64: 198 },
} as const;

const ARCHITECTURES: Readonly<Record<string, { readonly audit: number; readonly key: 'x64' | 'arm64' }>> = {
  x64: { audit: 0xc000003e, key: 'x64' },
  arm64: { audit: 0xc00000b7, key: 'arm64' },
};

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME. */
const CLONE_NEW = 0x7e020080;
/** Writing to a terminal's input: TIOCSTI and TIOCLINUX. */
const TERMINAL_INPUT = [0x5412, 0x541c];
/** The default, a query, and the variants of a 32-bit machine's name. Others weaken the layout of memory. */
const PERSONALITIES = [0, 0xffffffff, 0x0008, 0x20000, 0x20008];
const AF_UNIX = 1;
/** IPv4, IPv6 and netlink, all confined by the network namespace. VSOCK, for example, is not. */
const CONFINED_FAMILIES = [2, 10, 16];
const X32_BIT = 0x40000000;

/** Offsets in struct seccomp_data; arguments are 64 bits wide, and their low half comes first. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];
const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const JUMP_SET = 0x45;
const RETURN = 0x06;
const ALLOWED = 0x7fff0000;

const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
const allow: Instruction = [RETURN, 0, 0, ALLOWED];
const fail = (error: number): Instruction => [RETURN, 0, 0, 0x00050000 | error];
/** Runs `then` if the loaded value compares as given, and continues after it otherwise. */
const when = (code: number, value: number, then: readonly Instruction[]): readonly Instruction[] => [
  [code, 0, then.length, value],
  ...then,
];

export interface FilterOptions {
  /**
   * Whether sockets of the file system and the abstract namespace may be opened. Only safe in a network namespace of its own,
   * because abstract sockets belong to it.
   */
  readonly unixSockets: boolean;
  readonly architecture?: string;
}

/** The filter; undefined on an architecture without a table. */
export function seccompFilter({
  unixSockets,
  architecture = process.arch,
}: FilterOptions): Uint8Array | undefined {
  const target = ARCHITECTURES[architecture];
  if (target === undefined || endianness() !== 'LE') return undefined;
  const { audit, key } = target;
  const families = [...(unixSockets ? [AF_UNIX] : []), ...CONFINED_FAMILIES];
  const onCall = (name: keyof typeof CHECKED, then: readonly Instruction[]): readonly Instruction[] =>
    when(JUMP_EQUAL, CHECKED[name][key], then);
  const only = (values: readonly number[], error: number): readonly Instruction[] => [
    ...values.flatMap((value) => when(JUMP_EQUAL, value, [allow])),
    fail(error),
  ];
  return encode([
    load(ARCHITECTURE),
    [JUMP_EQUAL, 1, 0, audit],
    fail(ENOSYS),
    load(NUMBER),
    ...(key === 'x64' ? when(JUMP_GREATER_EQUAL, X32_BIT, [fail(ENOSYS)]) : []),
    ...Object.values(REFUSED).flatMap(([error, x64, arm64]) => {
      const number = key === 'x64' ? x64 : arm64;
      return number === undefined ? [] : when(JUMP_EQUAL, number, [fail(error)]);
    }),
    ...onCall('clone', [load(argument(0)), ...when(JUMP_SET, CLONE_NEW, [fail(EPERM)]), allow]),
    ...onCall('ioctl', [
      load(argument(1)),
      ...TERMINAL_INPUT.flatMap((request) => when(JUMP_EQUAL, request, [fail(EPERM)])),
      allow,
    ]),
    ...onCall('personality', [load(argument(0)), ...only(PERSONALITIES, EPERM)]),
    ...onCall('socket', [load(argument(0)), ...only(families, EAFNOSUPPORT)]),
    allow,
  ]);
}

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpTrue, jumpFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
