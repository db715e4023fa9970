// Loads the built command line once and runs what it is sent, one command at a time: arguments, folder and environment
// in, exit code and everything printed out. Called with the address of the command line.

import { Writable } from 'node:stream';

const { main } = await import(process.argv[2]);

/** Puts a stream that keeps everything in the place of stdout or stderr; answers with the way to read it. */
function keep(name) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  Object.defineProperty(process, name, { configurable: true, get: () => stream });
  return () => text;
}

process.on('message', async ({ args, cwd, env }) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const [stdout, stderr] = [keep('stdout'), keep('stderr')];
  const exitCode = await main(args);
  process.send({ exitCode, stdout: stdout(), stderr: stderr() });
});
process.on('warning', ({ name, message }) => process.stderr.write(`${name}: ${message}\n`));
process.on('disconnect', () => process.exit());
