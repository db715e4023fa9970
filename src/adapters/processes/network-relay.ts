/** Where the proxy is inside the sandbox, which has a network of its own. */
export const PROXY_SOCKET = '/tmp/.proxy';
const PORT = 3128;
const ADDRESS = `http://127.0.0.1:${PORT}`;

/** What programs read to find a proxy; the last one is for Node. */
export const PROXY_ENVIRONMENT: Readonly<Record<string, string>> = {
  HTTP_PROXY: ADDRESS,
  HTTPS_PROXY: ADDRESS,
  http_proxy: ADDRESS,
  https_proxy: ADDRESS,
  ALL_PROXY: ADDRESS,
  NODE_USE_ENV_PROXY: '1',
};

/** Passes connections on to the proxy's socket, starts the program, and ends with it. */
const RELAY = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const relay = net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect({ path: ${JSON.stringify(PROXY_SOCKET)}, allowHalfOpen: true });
  near.pipe(far).pipe(near);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
});
relay.listen(${PORT}, '127.0.0.1', () => {
  const [program, ...args] = process.argv.slice(1);
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', () => process.exit(126));
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + require('node:os').constants.signals[signal]));
});
`;

/** The words before a program that give it a way to the proxy. */
export function relayArguments(): readonly string[] {
  return [process.execPath, '-e', RELAY, '--'];
}
