// Domains are pure, adapters do IO, runtime wires, edges talk. The tables say which folder of src and of web/src may import
// which; the rules below them hold for every folder.

const domains = {
  kernel: [],
  ledger: ['kernel'],
  retrieval: ['kernel'],
  language: ['kernel', 'retrieval'],
  engine: ['kernel', 'ledger'],
  policy: ['kernel', 'engine'],
  models: ['kernel'],
  schedule: ['kernel', 'ledger'],
  vault: ['kernel', 'ledger'],
  graph: ['kernel', 'ledger', 'engine', 'models', 'retrieval', 'language'],
  memory: ['kernel', 'ledger', 'retrieval'],
  context: ['kernel', 'ledger'],
  agent: ['kernel', 'ledger', 'engine', 'models', 'memory', 'retrieval', 'language'],
  assistant: ['kernel', 'ledger', 'engine', 'agent', 'memory', 'context', 'models', 'language'],
  chat: ['kernel', 'ledger', 'engine', 'agent', 'memory', 'models'],
  eval: ['kernel', 'ledger', 'engine'],
};
const everyDomain = Object.keys(domains);

const mayImport = {
  ...domains,
  disk: ['kernel'],
  tools: everyDomain,
  adapters: [...everyDomain, 'tools', 'disk'],
  config: ['kernel', 'disk'],
  runtime: [...everyDomain, 'tools', 'adapters', 'config', 'api'],
  api: [...everyDomain, 'tools', 'config'],
  library: [...everyDomain, 'tools', 'adapters', 'disk'],
  daemon: ['kernel', 'disk', 'runtime', 'api', 'config'],
  cli: ['api', 'config'],
};

const webMayImport = {
  state: [],
  api: ['state'],
  parts: ['state', 'api'],
  request: ['state', 'api', 'parts'],
  frame: ['state', 'api', 'parts'],
  pages: ['state', 'api', 'parts', 'request', 'frame'],
};

/** The files of src/api that a browser can load: they import types only. */
const forBrowsers =
  '^src/api/(describe-action|describe-request|foreign-text|output-text|session-names|short-id)\\.ts$';

const inProcess = '^src/cli/in-process\\.ts$';
const tests = '\\.test\\.tsx?$';
const testSupport = '\\.(test|conformance)\\.ts$';
const faces = '^src/([^/]+|adapters/[^/]+)/index\\.ts$';
const files = '(node:)?fs(/promises)?';
const otherIo = '(node:)?(child_process|cluster|dgram|http|http2|https|net|sqlite|tls|worker_threads)';
const ioPackages =
  '(^|/)(@ai-sdk/[^/]+|@restatedev/[^/]+|@modelcontextprotocol/(client|node|server)|@napi-rs/keyring|@parcel/watcher|@photostructure/sqlite|ollama-ai-provider-v2|pg|undici)(/|$)';

const within = (...folders) => `^src/(${folders.join('|')})/`;
const withinWeb = (...folders) => `^web/src/(${folders.join('|')})/`;

const layers = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `layer-${folder}`,
  comment: `src/${folder} may import: ${allowed.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: within(folder), ...(folder === 'cli' && { pathNot: inProcess }) },
  to: { path: '^src/', pathNot: within(folder, ...allowed) },
}));

const webLayers = Object.entries(webMayImport).map(([folder, allowed]) => ({
  name: `layer-web-${folder}`,
  comment: `web/src/${folder} may import: ${allowed.join(', ') || 'nothing of web'}.`,
  severity: 'error',
  from: { path: withinWeb(folder) },
  to: { path: '^web/', pathNot: withinWeb(folder, ...allowed) },
}));

const { optionalDependencies } = require('./package.json');
const shipped = [...require('./scripts/bundled-packages.json'), ...Object.keys(optionalDependencies)];

module.exports = {
  forbidden: [
    ...layers,
    ...webLayers,
    {
      name: 'layer-web-unknown-folder',
      comment: 'Every folder of web/src has its line in the table of .dependency-cruiser.cjs.',
      severity: 'error',
      from: { path: '^web/src/[^/]+/', pathNot: withinWeb(...Object.keys(webMayImport)) },
      to: {},
    },
    {
      name: 'page-to-page',
      comment: 'A page imports nothing of another page but an action that leads to it, <name>-action.tsx.',
      severity: 'error',
      from: { path: '^web/src/pages/([^/]+)/' },
      to: {
        path: '^web/src/pages/',
        pathNot: ['^web/src/pages/$1/', '^web/src/pages/[^/]+/[^/]+-action\\.tsx$'],
      },
    },
    {
      name: 'web-outside',
      comment: 'The web app imports nothing of ours but the files of src/api that a browser can load.',
      severity: 'error',
      from: { path: '^web/' },
      to: { dependencyTypes: ['local', 'aliased-tsconfig'], pathNot: ['^web/', forBrowsers] },
    },
    {
      name: 'web-in-a-browser',
      comment: 'A browser has no modules of Node.js.',
      severity: 'error',
      from: { path: '^web/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'api-for-browsers',
      comment: 'What the web app uses of src/api imports types only, and what the web app uses too.',
      severity: 'error',
      from: { path: forBrowsers },
      to: { dependencyTypesNot: ['type-only'], pathNot: forBrowsers },
    },
    {
      name: 'src-without-web',
      comment: 'Nothing of src imports the web app.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'layer-cli-in-process',
      comment: 'src/cli/in-process.ts is the one file of the command line that may import src/runtime.',
      severity: 'error',
      from: { path: inProcess },
      to: { path: '^src/', pathNot: within('cli', ...mayImport.cli, 'runtime') },
    },
    {
      name: 'api-types-only',
      comment: 'src/api imports values only of src/kernel, and types of the other folders in its line.',
      severity: 'error',
      from: { path: within('api') },
      to: {
        path: within(...mayImport.api.filter((name) => name !== 'kernel')),
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'layer-unknown-folder',
      comment: 'Every folder of src has its line in the table of .dependency-cruiser.cjs.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: within(...Object.keys(mayImport)) },
      to: {},
    },
    {
      name: 'adapter-to-adapter',
      comment: 'An adapter never imports another adapter.',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/$1/' },
    },
    {
      name: 'face-only',
      comment: 'Across folders import the face, src/<folder>/index.ts.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: tests },
      to: { path: '^src/', pathNot: ['^src/$1/', faces] },
    },
    {
      name: 'face-only-root',
      comment: 'The package face, src/index.ts, is made of the faces of the folders.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$', pathNot: tests },
      to: { path: '^src/', pathNot: faces },
    },
    {
      name: 'own-face',
      comment: 'Inside a folder never import your own face.',
      severity: 'error',
      from: { path: '^src/(adapters/[^/]+|[^/]+)/', pathNot: tests },
      to: { path: '^src/$1/index\\.ts$' },
    },
    {
      name: 'no-cycles',
      comment: 'Imports never go in a circle, types included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'io-files',
      comment: 'Files are touched only in src/disk, src/adapters, src/config, src/daemon and src/cli.',
      severity: 'error',
      from: { path: '^src/', pathNot: [within('disk', 'adapters', 'config', 'daemon', 'cli'), tests] },
      to: { path: `^${files}$` },
    },
    {
      name: 'io-outside-world',
      comment:
        'Processes, sockets, workers and databases are used only in src/adapters, src/daemon and src/cli.',
      severity: 'error',
      from: { path: '^src/', pathNot: [within('adapters', 'daemon', 'cli'), tests] },
      to: { path: [`^${otherIo}$`, ioPackages] },
    },
    {
      name: 'crypto-in-kernel',
      comment: 'node:crypto is used only in src/kernel and src/adapters.',
      severity: 'error',
      from: { path: '^src/', pathNot: [within('kernel', 'adapters'), tests] },
      to: { path: '^(node:)?crypto$' },
    },
    {
      name: 'no-development-packages',
      comment:
        'What ships uses only packages that are bundled (scripts/bundled-packages.json) or installed ("optionalDependencies").',
      severity: 'error',
      from: { path: '^src/', pathNot: testSupport },
      to: { path: '(^|/)node_modules/', pathNot: `(^|/)node_modules/(@types/)?(${shipped.join('|')})/` },
    },
    {
      name: 'unresolvable',
      comment: 'Every import leads somewhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: `${__dirname}/tsconfig.json` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
