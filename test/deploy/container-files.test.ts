// What Dockerfile and compose.yaml promise, read from the files: no Docker engine is needed.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { RESTATE_VERSION } from '../../deploy/servers/restate.mjs';
import { root } from '../checkout.ts';

interface Service {
  readonly image?: string;
  readonly build?: string | { readonly context: string; readonly dockerfile: string };
  readonly extends?: { readonly file: string; readonly service: string };
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly privileged?: boolean;
  readonly network_mode?: string;
  readonly tmpfs?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file?: string }>>;
}

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const compose = (path: string): ComposeFile => parse(textOf(path), { merge: true }) as ComposeFile;

const base = compose('compose.yaml');
const cluster = compose('compose.cluster.yaml');
const services = Object.entries(base.services);
const PINNED = /^[\w/-]+:\d+\.\d+[\w.-]*$/;
const SECRET_NAME = /PASSWORD|PASSPHRASE|TOKEN|SECRET|API_KEY/;

/** The instructions of a Dockerfile, continued lines joined. */
function instructionsOf(path: string): readonly string[] {
  return textOf(path)
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
}

describe('Dockerfile', () => {
  const instructions = instructionsOf('Dockerfile');
  const start = instructions.findLastIndex((line) => line.startsWith('FROM'));
  const final = instructions.slice(start);

  test('builds in one stage and runs in another, both from a pinned image of Node 20', () => {
    const images = instructions.filter((line) => line.startsWith('FROM'));
    expect(images).toHaveLength(2);
    for (const line of images) expect(line).toMatch(/^FROM node:20\.\d+\.\d+-[a-z]+-slim( AS build)?$/);
  });

  test('the image has the packed package and its production dependencies, none of the sources', () => {
    expect(instructions.slice(0, start).join('\n')).toContain('npm pack');
    expect(final.filter((line) => line.includes('npm ci'))).toEqual([
      expect.stringContaining('--omit=dev --ignore-scripts'),
    ]);
    const copied = final.filter((line) => /^(COPY|ADD)/.test(line));
    expect(copied).toEqual([
      'COPY package.json package-lock.json .npmrc ./',
      'COPY --from=build /packed/package/ ./',
      'COPY deploy/container/ ./container/',
    ]);
  });

  test('runs without privileges, and has a health check of the daemon', () => {
    expect(final.filter((line) => line.startsWith('USER'))).toEqual(['USER 1000:1000']);
    expect(final.findLastIndex((line) => line.startsWith('RUN'))).toBeLessThan(
      final.indexOf('USER 1000:1000'),
    );
    expect(final.find((line) => line.startsWith('HEALTHCHECK'))).toContain('health.mjs');
  });

  test('no secret can enter a layer', () => {
    for (const line of instructions.filter((each) => /^(ARG|ENV)/.test(each)))
      expect(line).not.toMatch(SECRET_NAME);
    const ignored = textOf('.dockerignore').split('\n');
    for (const pattern of ['.git', 'deploy/secrets', '**/.env*', '**/.oka', '**/node_modules'])
      expect(ignored).toContain(pattern);
    expect(textOf('.gitignore').split('\n')).toContain('deploy/secrets/');
  });

  test('the image of Restate is the version that the tests start', () => {
    expect(instructionsOf('deploy/restate.Dockerfile')[0]).toBe(`FROM restatedev/restate:${RESTATE_VERSION}`);
    expect(instructionsOf('deploy/restate.Dockerfile')).toContain('USER 1000:1000');
  });
});

describe('compose.yaml', () => {
  test('has PostgreSQL, Restate, workers and the daemon', () => {
    expect(services.map(([name]) => name)).toEqual(['postgres', 'restate', 'worker', 'daemon']);
    expect(textOf('compose.yaml')).toContain('deploy: { replicas: 2 }');
  });

  test.each(services)('%s runs without privileges on a read-only file system', (_, service) => {
    expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: expect.arrayContaining(['/tmp:mode=1777']),
    });
    expect(service.privileged).toBeUndefined();
    expect(service.network_mode).toBeUndefined();
  });

  test.each(services)('%s has a pinned image and a health check', (_, service) => {
    expect(service.image).toMatch(PINNED);
    expect(service.healthcheck?.test[0]).toBe('CMD');
  });

  test.each(services)('%s mounts named volumes only, never the socket of Docker', (_, { volumes = [] }) => {
    for (const volume of volumes) {
      const [source = '', target] = volume.split(':');
      expect(Object.keys(base.volumes)).toContain(source);
      expect(target).toMatch(/^\//);
    }
    expect(textOf('compose.yaml')).not.toContain('docker.sock');
  });

  test('ports are published on 127.0.0.1 only, and only by the daemon', () => {
    expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['daemon']);
    expect(base.services['daemon']?.ports).toEqual(['127.0.0.1:4321:4321']);
  });

  test('the database and Restate are on the internal network only', () => {
    expect(base.networks['backend']).toEqual({ internal: true });
    for (const name of ['postgres', 'restate']) expect(base.services[name]?.networks).toEqual(['backend']);
  });

  test('workers and daemon wait until the database and Restate are healthy', () => {
    for (const name of ['worker', 'daemon'])
      expect(base.services[name]?.depends_on).toEqual({
        postgres: { condition: 'service_healthy' },
        restate: { condition: 'service_healthy' },
      });
  });

  test('secrets are files, none is a variable', () => {
    for (const [, { environment = {}, secrets = [] }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (!name.endsWith('_FILE')) expect(name).not.toMatch(SECRET_NAME);
        expect(value).not.toMatch(/:\/\/[^/]*:[^/]*@/);
      }
      for (const secret of secrets) expect(base.secrets[secret]?.file).toMatch(/^\.\/deploy\/secrets\//);
    }
  });

  test('the image of Oka has the version of the package', () => {
    const { version } = JSON.parse(textOf('package.json'));
    for (const name of ['worker', 'daemon']) expect(base.services[name]?.image).toBe(`oka:${version}`);
  });

  test('Oka reads every variable that is set', () => {
    const sources = readdirSync(join(root, 'src', 'config'))
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => textOf(join('src', 'config', name)))
      .join('\n');
    const given = ['worker', 'daemon'].flatMap((name) => Object.keys(base.services[name]?.environment ?? {}));
    const inImage = instructionsOf('Dockerfile').flatMap((line) => line.match(/\bOKA_\w+(?==)/g) ?? []);
    const read = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(sources);
    expect([...given, ...inImage].filter((name) => !read(name))).toEqual([]);
  });
});

describe('compose.cluster.yaml', () => {
  test('each node of Restate has its own name, address and volume', () => {
    expect(Object.keys(cluster.services)).toEqual(['restate', 'restate-2', 'restate-3']);
    for (const name of ['restate-2', 'restate-3']) {
      const service = cluster.services[name];
      expect(service?.extends).toEqual({ file: 'compose.yaml', service: 'restate' });
      expect(service?.volumes).toEqual([`${name}:/restate-data`]);
      expect(service?.networks).toEqual({ backend: { aliases: ['restate'] } });
      expect(service?.environment).toMatchObject({
        RESTATE_NODE_NAME: name,
        RESTATE_ADVERTISED_ADDRESS: `http://${name}:5122`,
      });
    }
    // An extended service inherits aliases, so the first node may have none in compose.yaml.
    expect(base.services['restate']?.networks).toEqual(['backend']);
  });

  test('one node creates the cluster, and data is on two nodes', () => {
    const variables = Object.values(cluster.services).map(({ environment = {} }) => environment);
    expect(variables.map(({ RESTATE_AUTO_PROVISION: creates }) => creates)).toEqual([
      'true',
      'false',
      'false',
    ]);
    for (const each of variables) expect(each['RESTATE_DEFAULT_REPLICATION']).toBe('2');
  });
});

/** The command of Compose that is installed, in its second version or the first. */
function composeCommand(): readonly string[] | undefined {
  const commands = [['docker', 'compose'], ['docker-compose']] as const;
  return commands.find(([program, ...args]) => spawnSync(program, [...args, 'version']).status === 0);
}

const command = composeCommand();
const why = command === undefined ? ' (left out, because there is no docker compose)' : '';

describe.skipIf(command === undefined)(`docker compose config${why}`, () => {
  test.each([[['compose.yaml']], [['compose.yaml', 'compose.cluster.yaml']]])(
    'reports no problem in %j',
    (files) => {
      const [program = '', ...args] = command ?? [];
      const named = files.flatMap((file) => ['-f', join(root, file)]);
      const { status, stdout, stderr } = spawnSync(program, [...args, ...named, 'config', '-q'], {
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    },
  );
});
