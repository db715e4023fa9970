import fc from 'fast-check';

const NAMES = ['a', 'b', 'c', "d'e f", '-x', 'ü'];
export const somePath = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const file = (text: string): string => word(`./${text}`);

/** One line of a program. Lines that fail change nothing, or half of what they wanted, like in any program. */
export const programLine: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(somePath, fc.constantFrom('one', 'two')).map(([p, t]) => `echo ${t} > ${file(p)}`),
  },
  { weight: 2, arbitrary: somePath.map((p) => `echo more >> ${file(p)}`) },
  { weight: 3, arbitrary: somePath.map((p) => `mkdir -p ${file(p)}`) },
  { weight: 3, arbitrary: somePath.map((p) => `rm -rf ${file(p)}`) },
  { weight: 2, arbitrary: fc.tuple(somePath, somePath).map(([a, b]) => `mv ${file(a)} ${file(b)}`) },
  { weight: 1, arbitrary: fc.tuple(somePath, somePath).map(([a, b]) => `cp -r ${file(a)} ${file(b)}`) },
  { weight: 1, arbitrary: fc.tuple(somePath, somePath).map(([a, b]) => `ln ${file(a)} ${file(b)}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), somePath)
      .map(([t, p]) => `rm -rf ${file(p)}; ln -s ${word(t)} ${file(p)}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('700', '640', '500', '755'), somePath)
      .map(([m, p]) => `chmod ${m} ${file(p)}`),
  },
  { weight: 1, arbitrary: somePath.map((p) => `truncate -s 100000 ${file(p)}`) },
  { weight: 1, arbitrary: somePath.map((p) => `touch ${file(p)}`) },
);

/** Lines of which plain programs and drafts differ: what the last lines make is not applied, or closed to other lines. */
export const lastLine: fc.Arbitrary<string> = fc.oneof(
  somePath.map((path) => `[ -e ${file(path)} ] || mkfifo ${file(path)}`),
  somePath.map((path) => `rm -rf ${file(path)}; mkfifo ${file(path)}`),
  somePath.map((path) => `mkdir -p ${file(`${path}${'/deep'.repeat(100)}`)}`),
  fc.tuple(fc.constantFrom('000', '311'), somePath).map(([mode, path]) => `chmod ${mode} ${file(path)}`),
);

/** A program of these lines. It never fails. */
export function scriptOf(lines: readonly string[]): string {
  return ['umask 022', ...lines, 'true'].join('\n');
}
