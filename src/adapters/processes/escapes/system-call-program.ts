/** Numbers of the system calls that the self-test tries, on x86_64 and aarch64. */
export interface TriedCall {
  readonly x64: number;
  readonly arm64: number;
  readonly args?: readonly number[];
}

/**
 * A program that makes one system call and exits with its error, as bytes of an executable file. Node cannot make system calls
 * itself, and no compiler or interpreter need be installed.
 */
export function systemCallProgram({ x64, arm64, args = [] }: TriedCall): Uint8Array | undefined {
  if (process.arch === 'x64') return executable(0x3e, x64Code(x64, args));
  if (process.arch === 'arm64') return executable(0xb7, arm64Code(arm64, args));
  return undefined;
}

function x64Code(number: number, args: readonly number[]): Buffer {
  const registers = [
    [0x48, 0xbf],
    [0x48, 0xbe],
    [0x48, 0xba],
    [0x49, 0xba],
    [0x49, 0xb8],
  ];
  const loads = registers.map((opcode, index) => {
    const value = Buffer.alloc(8);
    value.writeBigInt64LE(BigInt(args[index] ?? 0));
    return Buffer.concat([Buffer.from(opcode), value]);
  });
  const call = Buffer.alloc(5, 0xb8);
  call.writeUInt32LE(number >>> 0, 1);
  // syscall; mov rdi, rax; neg rdi; mov eax, 60 (exit); syscall
  const rest = Buffer.from([0x0f, 0x05, 0x48, 0x89, 0xc7, 0x48, 0xf7, 0xdf, 0xb8, 60, 0, 0, 0, 0x0f, 0x05]);
  return Buffer.concat([...loads, call, rest]);
}

function arm64Code(number: number, args: readonly number[]): Buffer {
  const move = (register: number, value: number): number[] =>
    [0, 1, 2, 3].map((part) => {
      const half = Number((BigInt.asUintN(64, BigInt(value)) >> BigInt(16 * part)) & 0xffffn);
      return ((part === 0 ? 0xd2800000 : 0xf2800000) | (part << 21) | (half << 5) | register) >>> 0;
    });
  const words = [
    ...[0, 1, 2, 3, 4].flatMap((register) => move(register, args[register] ?? 0)),
    ...move(8, number),
    0xd4000001, // svc
    0xcb0003e0, // neg x0, x0
    ...move(8, 93), // exit
    0xd4000001,
  ];
  const code = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) code.writeUInt32LE(word, index * 4);
  return code;
}

/** An ELF file with one segment. */
function executable(machine: number, code: Buffer): Uint8Array {
  const base = 0x400000n;
  const header = Buffer.alloc(120);
  header.write('\x7fELF\x02\x01\x01', 'latin1');
  header.writeUInt16LE(2, 16); // executable
  header.writeUInt16LE(machine, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(base + 120n, 24); // entry
  header.writeBigUInt64LE(64n, 32); // program headers
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt32LE(1, 64); // load
  header.writeUInt32LE(5, 68); // readable, executable
  header.writeBigUInt64LE(base, 80);
  header.writeBigUInt64LE(base, 88);
  header.writeBigUInt64LE(BigInt(120 + code.length), 96);
  header.writeBigUInt64LE(BigInt(120 + code.length), 104);
  header.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([header, code]);
}
