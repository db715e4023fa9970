import { expect, test } from 'vitest';
import { copyInto, folderWith, linkPackages } from './checkout.ts';
import { checkLayers } from './support/check-layers.ts';

function refusedIn(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = folderWith(files);
  copyInto(folder, 'package.json');
  linkPackages(folder);
  return checkLayers(folder).refused;
}

test('accepts what the layers allow', () => {
  const allowed = refusedIn({
    'src/index.ts': "export * from './engine/index.ts'; export * from './runtime/index.ts';",
    'src/kernel/index.ts': "export { digest } from './digest.ts';",
    'src/kernel/digest.ts': "import { createHash } from 'node:crypto'; export const digest = createHash;",
    'src/engine/index.ts': "export { run } from './run.ts';",
    'src/engine/run.ts': "import { digest } from '../kernel/index.ts'; export const run = digest;",
    'src/engine/run.test.ts':
      "import '../kernel/digest.ts'; import 'node:fs'; import 'vitest'; import './run.ts';",
    'src/tools/index.ts': "import '../engine/index.ts'; import '../kernel/index.ts';",
    'src/disk/index.ts': "import 'node:fs'; import '../kernel/index.ts';",
    'src/adapters/sqlite/index.ts':
      "import 'node:fs'; import '@photostructure/sqlite'; import '../../engine/index.ts'; import '../../disk/index.ts';",
    'src/config/index.ts': "import 'node:fs/promises'; import '../kernel/index.ts';",
    'src/runtime/index.ts':
      "import '../adapters/sqlite/index.ts'; import '../tools/index.ts'; import '../config/index.ts';",
    'src/api/index.ts':
      "import { digest } from '../kernel/index.ts'; import type { Run } from '../engine/index.ts'; export const d: Run = digest;",
    'src/cli/main.ts': "import 'node:fs'; import '../api/index.ts'; import './in-process.ts';",
    'src/cli/in-process.ts': "import '../runtime/index.ts';",
    'src/daemon/index.ts': "import 'node:http'; import '../runtime/index.ts'; import '../api/index.ts';",
    'src/api/short-id.ts':
      "import type { Run } from '../engine/index.ts'; export const short = (id: Run) => id;",
    'web/src/main.tsx': "import './app.tsx'; import './state/theme.ts';",
    'web/src/app.tsx': "import './pages.ts'; import './frame/page.tsx';",
    'web/src/pages.ts': "export const load = () => import('./pages/runs/runs-page.tsx');",
    'web/src/pages/runs/runs-page.tsx':
      "import 'react'; import '../../frame/page.tsx'; import '../../request/card.tsx'; import '../compare/compare-action.tsx';",
    'web/src/pages/compare/compare-action.tsx': "import '../../parts/button.tsx';",
    'web/src/frame/page.tsx': "import '../parts/button.tsx';",
    'web/src/request/card.tsx': "import '../parts/button.tsx'; import '../api/query.ts';",
    'web/src/parts/button.tsx': "import '../../../src/api/short-id.ts'; import '../api/query.ts';",
    'web/src/api/query.ts': "import '../state/theme.ts';",
    'web/src/api/query.test.ts': "import 'vitest'; import 'node:fs'; import './query.ts';",
    'web/src/state/theme.ts': 'export const theme = 1;',
  });
  expect(allowed).toEqual([]);
});

test('names each kind of illegal import', () => {
  const refused = refusedIn({
    'src/index.ts': "export * from './engine/run.ts';",
    'src/kernel/index.ts': "import { type Run } from '../engine/index.ts'; export type Id = Run;",
    'src/kernel/digest.ts': 'export const digest = 1;',
    'src/ledger/index.ts': "export { a } from './a.ts';",
    'src/ledger/a.ts': "import type { B } from './b.ts'; export type A = B; export const a = 1;",
    'src/ledger/b.ts': "import type { A } from './a.ts'; export type B = A;",
    'src/engine/index.ts': 'export interface Run {}',
    'src/engine/run.ts': "import { digest } from '../kernel/digest.ts'; export const run = digest;",
    'src/engine/step.ts': "import type { Run } from './index.ts'; export type Step = Run;",
    'src/engine/files.ts': "import { readFileSync } from 'node:fs'; export const read = readFileSync;",
    'src/engine/hash.ts': "import { createHash } from 'crypto'; export const hash = createHash;",
    'src/memory/index.ts':
      "import { DatabaseSync } from '@photostructure/sqlite'; export const D = DatabaseSync;",
    'src/chat/index.ts':
      "import { DatabaseSync } from '@photostructure/sqlite'; import 'node:child_process'; export const e = DatabaseSync;",
    'src/graph/index.ts': "import { test } from 'vitest'; import './missing.ts'; export const t = test;",
    'src/adapters/http/index.ts': 'export const http = 1;',
    'src/adapters/http/own.ts': "import './index.ts';",
    'src/adapters/sqlite/index.ts': "import { http } from '../http/index.ts'; export const h = http;",
    'src/runtime/index.ts': 'export const runtime = 1;',
    'src/api/index.ts': "import { a } from '../ledger/index.ts'; export const b = a;",
    'src/cli/main.ts': "import { runtime } from '../runtime/index.ts'; export const r = runtime;",
    'src/cli/in-process.ts': "import '../engine/index.ts';",
    'src/engine/run.test.ts': "import '../runtime/index.ts';",
    'src/utils/index.ts': "import '../kernel/digest.ts';",
    'src/api/short-id.ts': "import '../kernel/index.ts';",
    'src/daemon/index.ts': "import '../../web/src/state/theme.ts';",
    'web/src/pages.ts': "export const load = () => import('./pages/runs/runs-page.tsx');",
    'web/src/pages/runs/runs-page.tsx':
      "import type { Props } from '../../pages.ts'; import '../compare/compare-page.tsx'; export type P = Props;",
    'web/src/pages/compare/compare-page.tsx': "import 'node:path'; import './missing.css';",
    'web/src/frame/page.tsx': "import '../request/card.tsx';",
    'web/src/request/card.tsx': "import '../frame/navigation.tsx';",
    'web/src/frame/navigation.tsx': "import '../../../src/api/index.ts';",
    'web/src/parts/button.tsx': "import '../frame/navigation.tsx';",
    'web/src/api/query.ts': "import '../parts/list.tsx';",
    'web/src/parts/list.tsx': 'export const list = 1;',
    'web/src/state/theme.ts': 'export const theme = 1;',
    'web/src/state/toasts.ts': "import type { Query } from '../api/query.ts'; export type Q = Query;",
    'web/src/shared/index.ts': "import '../state/theme.ts';",
  });
  expect(refused).toEqual(
    [
      'face-only-root: src/index.ts -> src/engine/run.ts',
      'layer-kernel: src/kernel/index.ts -> src/engine/index.ts',
      'no-cycles: src/ledger/a.ts -> src/ledger/b.ts',
      'face-only: src/engine/run.ts -> src/kernel/digest.ts',
      'own-face: src/engine/step.ts -> src/engine/index.ts',
      'io-files: src/engine/files.ts -> fs',
      'crypto-in-kernel: src/engine/hash.ts -> crypto',
      'io-outside-world: src/memory/index.ts -> @photostructure/sqlite',
      'io-outside-world: src/chat/index.ts -> @photostructure/sqlite',
      'io-outside-world: src/chat/index.ts -> child_process',
      'no-development-packages: src/graph/index.ts -> vitest',
      'unresolvable: src/graph/index.ts -> ./missing.ts',
      'own-face: src/adapters/http/own.ts -> src/adapters/http/index.ts',
      'adapter-to-adapter: src/adapters/sqlite/index.ts -> src/adapters/http/index.ts',
      'api-types-only: src/api/index.ts -> src/ledger/index.ts',
      'layer-cli: src/cli/main.ts -> src/runtime/index.ts',
      'layer-cli-in-process: src/cli/in-process.ts -> src/engine/index.ts',
      'layer-engine: src/engine/run.test.ts -> src/runtime/index.ts',
      'layer-unknown-folder: src/utils/index.ts -> src/kernel/digest.ts',
      'face-only: src/utils/index.ts -> src/kernel/digest.ts',
      'api-for-browsers: src/api/short-id.ts -> src/kernel/index.ts',
      'src-without-web: src/daemon/index.ts -> web/src/state/theme.ts',
      'no-cycles: web/src/pages.ts -> web/src/pages/runs/runs-page.tsx',
      'layer-web-pages: web/src/pages/runs/runs-page.tsx -> web/src/pages.ts',
      'page-to-page: web/src/pages/runs/runs-page.tsx -> web/src/pages/compare/compare-page.tsx',
      'web-in-a-browser: web/src/pages/compare/compare-page.tsx -> path',
      'unresolvable: web/src/pages/compare/compare-page.tsx -> ./missing.css',
      'layer-web-frame: web/src/frame/page.tsx -> web/src/request/card.tsx',
      'layer-web-request: web/src/request/card.tsx -> web/src/frame/navigation.tsx',
      'web-outside: web/src/frame/navigation.tsx -> src/api/index.ts',
      'layer-web-parts: web/src/parts/button.tsx -> web/src/frame/navigation.tsx',
      'layer-web-api: web/src/api/query.ts -> web/src/parts/list.tsx',
      'layer-web-state: web/src/state/toasts.ts -> web/src/api/query.ts',
      'layer-web-unknown-folder: web/src/shared/index.ts -> web/src/state/theme.ts',
    ].sort(),
  );
});
