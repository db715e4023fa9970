// Loads the built command line once and runs the commands it is sent, one at a time: arguments, folder, environment and
// standard input in, exit code and output out. Called with the address of the command line and the path of the program.

import { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

const [runtime, , commandLine, program] = process.argv;
const { main } = await import(commandLine);

function replace(name, stream) {
  Object.defineProperty(process, name, { configurable: true, get: () => stream });
}

/** Puts a stream that keeps everything in the place of stdout or stderr; returns the way to read it. */
function keep(name) {
  let text = '';
  const write = (chunk, _encoding, done) => {
    text += chunk;
    done();
  };
  replace(name, new Writable({ write }));
  return () => text;
}

process.on('message', async ({ args, cwd, env, input }) => {
  process.chdir(cwd);
  process.argv = [runtime, program, ...args];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  replace('stdin', Readable.from(input === '' ? [] : [Buffer.from(input, 'base64')]));
  const [stdout, stderr] = [keep('stdout'), keep('stderr')];
  const exitCode = await main(args);
  globalThis.gc?.();
  await setImmediate();
  process.send({ exitCode, stdout: stdout(), stderr: stderr() });
});
process.on('warning', ({ name, message }) => process.stderr.write(`${name}: ${message}\n`));
process.on('disconnect', () => process.exit());
