// Domains are pure, adapters do IO, runtime wires, edges talk. The table says which folder may import which; the rules
// below it hold for every folder.

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

const inProcess = '^src/cli/in-process\\.ts$';
const tests = '\\.test\\.ts$';
const testSupport = '\\.(test|conformance)\\.ts$';
const faces = '^src/([^/]+|adapters/[^/]+)/index\\.ts$';
const files = '(node:)?fs(/promises)?';
const otherIo = '(node:)?(child_process|cluster|dgram|http|http2|https|net|sqlite|tls|worker_threads)';
const ioPackages =
  '(^|/)(@ai-sdk/[^/]+|@restatedev/[^/]+|@modelcontextprotocol/(client|node|server)|@napi-rs/keyring|@parcel/watcher|@photostructure/sqlite|ollama-ai-provider-v2|pg|undici)(/|$)';

const within = (...folders) => `^src/(${folders.join('|')})/`;

const layers = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `layer-${folder}`,
  comment: `src/${folder} may import: ${allowed.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: within(folder), ...(folder === 'cli' && { pathNot: inProcess }) },
  to: { path: '^src/', pathNot: within(folder, ...allowed) },
}));

module.exports = {
  forbidden: [
    ...layers,
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
      comment: 'What ships uses only the packages under "dependencies".',
      severity: 'error',
      from: { path: '^src/', pathNot: testSupport },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
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
