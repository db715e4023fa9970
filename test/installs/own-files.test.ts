import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WorkspaceInstaller } from '../../src/adapters/installs/index.ts';
import { isRecorded } from '../../src/disk/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { freeLeases, installKit, NEVER } from './install-kit.ts';

/** Installs two programs of any package but the broken one, without a network. */
const FAKE_NPM = `#!/bin/sh
for spec; do :; done
name=\${spec%@*} version=\${spec##*@} folder=$3/node_modules
mkdir -p $folder/$name $folder/.bin
echo '{}' > $folder/$name/package.json
printf '#!/bin/sh\\necho installed\\n' > $folder/$name/cli
chmod 755 $folder/$name/cli
for program in tool-a tool-b; do ln -s ../$name/cli $folder/.bin/$program; done
echo '{"packages":{"":{},"node_modules/'$name'":{"version":"'$version'","integrity":"sha512-x","bin":{"tool-a":"cli","tool-b":"cli"}}}}' > $3/package-lock.json
test $name != broken
`;

const NAMES = ['tool-a', 'tool-b', 'mine', '.hidden', 'notes.txt'];

/** What is at a path, links not followed. */
function look(path: string): unknown {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return { link: readlinkSync(path) };
  if (found.isFile()) return { mode: found.mode, content: readFileSync(path, 'latin1') };
  return readdirSync(path).map((name) => [name, look(join(path, name))]);
}

it.each([1, 2, 3, 4])(
  'an install leaves the files of the user in .oka/tools/bin as they are, seed %i',
  async (seed) => {
    const random = seededRandom(seed);
    const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;
    const { root, workspace, record, tools } = installKit();
    const bin = join(tools, 'bin');
    mkdirSync(join(root, 'programs'));
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(root, 'programs', 'npm'), FAKE_NPM, { mode: 0o755 });
    let dies = false;
    let done = 0;
    const installer = new WorkspaceInstaller({
      ...{ workspace, leases: freeLeases(), owner: 'test', clock: systemClock },
      environment: { PATH: `${join(root, 'programs')}:${process.env['PATH']}` },
      record: {
        read: record.read,
        write: (files) => {
          if (dies) throw new Error('killed before the files were recorded');
          record.write(files);
        },
      },
    });
    const users = new Map<string, unknown>();
    const put = (): void => {
      const path = join(bin, oneOf(NAMES));
      rmSync(path, { recursive: true, force: true });
      const kind = oneOf(['file', 'program', 'folder', 'link', 'dangling', 'alias']);
      if (kind === 'folder') {
        mkdirSync(path);
        writeFileSync(join(path, 'inner'), random.hex(4));
      } else if (kind === 'link') symlinkSync(oneOf(['/bin/sh', '../node', '.']), path);
      else if (kind === 'dangling') symlinkSync('../../nowhere', path);
      else if (kind === 'alias') symlinkSync('../node/packages/one@1.0.0/node_modules/.bin/other', path);
      else {
        writeFileSync(path, `#!/bin/sh\necho ${random.hex(4)}\n`);
        chmodSync(path, kind === 'program' ? 0o755 : 0o640);
      }
      users.set(path, look(path));
    };
    const act = async (): Promise<void> => {
      const name = oneOf(['one', 'two', 'broken']);
      dies = random.next() < 0.3;
      const work =
        random.next() < 0.7
          ? installer.install(
              {
                ...{ ecosystem: 'node', package: name, version: oneOf(['1.0.0', '1.1.0']), versions: {} },
                commands: ['tool-a', 'tool-b'],
              },
              NEVER,
            )
          : installer.remove({ ecosystem: 'node', package: name }, NEVER);
      await work.then(
        () => (done += 1),
        () => undefined,
      );
    };
    for (let step = 0; step < 16; step++) {
      if (random.next() < 0.4) put();
      else await act();
      for (const [path, before] of users) {
        expect(look(path), `${path} after step ${step}`).toEqual(before);
        expect(isRecorded(tools, path.slice(tools.length + 1), record.read())).toBe(false);
      }
    }
    expect(done).toBeGreaterThan(2);
  },
);
