// Measures Oka, the raw limits and the peers in turns, round by round, and prints one JSON line per figure. The
// ratios are taken inside a round, because a machine changes from one minute to the next.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleOka } from './bundle-oka.mjs';
import { GROUPS } from './figures.mjs';
import { installPeers } from './install-peers.mjs';
import { figureLine, table } from './report.mjs';
import { runSubject } from './run-subject.mjs';

const bench = fileURLToPath(new URL('.', import.meta.url));
const say = (text) => process.stderr.write(`${text}\n`);

export async function runFigures(args) {
  const options = readOptions(args);
  if (options === undefined) return;
  const groups = GROUPS.filter(({ name, lines }) => isWanted(options.only, name, lines));
  if (groups.length === 0) return refuse(`no figure is called "${options.only}"; ${knownNames()}`);
  const peers =
    options.peers &&
    groups.some((group) => group.needsPeers || group.needsServers) &&
    (await installPeers(bench));

  // On the disk of the checkout: a folder for temporary files may be in memory, where syncing costs nothing.
  mkdirSync(join(bench, 'results'), { recursive: true });
  const scratch = mkdtempSync(join(bench, 'results', 'work-'));
  chmodSync(scratch, 0o711); // A server that refuses to run as root must still reach its folder.
  if (!process.env.OKA_BENCH_KEEP) {
    process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

  const programs = await bundleOka(bench, scratch);
  say(
    `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(2)}, rounds: ${options.rounds}.`,
  );
  const lines = [];
  for (const group of groups) {
    if (group.needsServers && !peers) {
      say(`${group.name} is left out: its servers come with the peers.`);
      continue;
    }
    const samples = await measureGroup(group, { options, peers, scratch, programs }).catch((error) => {
      say(`${group.name} could not be measured: ${error.message}`);
      process.exitCode = 1;
      return [];
    });
    if (samples.length === 0) continue;
    for (const line of group.lines) {
      if (!isWanted(options.only, group.name, [line])) continue;
      const written = figureLine(line, samples);
      if (!peers && line.value !== undefined && written.baselineValue === null) continue;
      lines.push(written);
      process.stdout.write(`${JSON.stringify(written)}\n`);
    }
  }
  say(`\n${table(lines, process.stderr.columns)}`);
}

function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        rounds: { type: 'string' },
        'no-peers': { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      say(`npm run bench -- [--only NAME] [--rounds 3] [--no-peers] [--quick]\n${knownNames()}`);
      return undefined;
    }
    const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
    if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1 on.');
    return { only: values.only, rounds, quick: values.quick, peers: !values['no-peers'] };
  } catch (error) {
    return refuse(error.message);
  }
}

function refuse(why) {
  say(`bench: ${why}`);
  process.exitCode = 2;
  return undefined;
}

const knownNames = () =>
  `figures: ${GROUPS.map(({ name, lines }) => `${name} (${lines.map((line) => line.figure).join(', ')})`).join('; ')}`;

/** A name wants a figure, a group, and all whose names go on after it: "graph" wants "graph.loop". */
function isWanted(only, group, lines) {
  if (only === undefined) return true;
  return [group, ...lines.map(({ figure }) => figure)].some((name) => `${name}.`.startsWith(`${only}.`));
}

/** One sample per round: what each subject of the group answered, or why it could not. */
async function measureGroup(group, { options, peers, scratch, programs }) {
  const samples = [];
  let folders = 0;
  const context = {
    options,
    run: (subject, workload, ...rest) => runSubject(programs[subject] ?? subject, [workload, ...rest]),
    newFolder() {
      folders += 1;
      const folder = join(scratch, `${group.name}-${folders}`);
      mkdirSync(folder);
      return folder;
    },
  };
  const fixture = await group.prepare?.(context);
  for (let round = 0; round < options.rounds; round++) {
    say(`${group.name}: round ${round + 1} of ${options.rounds}`);
    const subjects = Object.entries(group.subjects(context, fixture)).filter(
      ([, subject]) => peers || !subject.peer,
    );
    const sample = {};
    const { turns = 1, join } = group;
    // Each round begins with another subject, so that none always runs on a rested or a busy machine.
    for (let i = 0; i < subjects.length * turns; i++) {
      const [name, subject] = subjects[(i + round) % subjects.length];
      const turn = Math.floor(i / subjects.length);
      try {
        const measured = await subject.measure(turn);
        if (measured === undefined) throw new Error('it ended without an answer');
        sample[name] = turn === 0 ? measured : join(sample[name], measured);
      } catch (error) {
        if (!subject.peer) throw error;
        sample[name] = { error: error.message };
        say(`${group.name}: ${name} could not be measured: ${error.message}`);
      }
    }
    samples.push(sample);
  }
  return samples;
}
