// How a peer's server is begun and ended: once in each measurement, so that none runs beside the others.

const READY_WITHIN_MS = 60_000;

/**
 * Waits until a server that was just spawned has said that it is ready, and answers with the way to stop it. Its files
 * are never read again, so it is ended without ceremony, also when this process ends before.
 */
export function whenReady(server, { name, output, ready, endWith }) {
  const end = () => server.kill(endWith);
  process.prependListener('exit', end); // Before its folder is removed.
  const closed = new Promise((resolve) => server.on('close', resolve)).then(() => process.off('exit', end));
  const stop = async () => {
    end();
    await closed;
  };
  return new Promise((resolve, reject) => {
    let said = '';
    const giveUp = setTimeout(() => {
      end();
      reject(new Error(`${name} was not ready after ${READY_WITHIN_MS / 1_000} seconds: ${said.trim()}`));
    }, READY_WITHIN_MS);
    server[output].setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-2_000);
      if (!said.includes(ready)) return;
      clearTimeout(giveUp);
      resolve(stop);
    });
    server.on('error', (error) => {
      clearTimeout(giveUp);
      process.off('exit', end);
      reject(new Error(`${name} could not be started: ${error.message}`));
    });
    server.on('close', () => {
      clearTimeout(giveUp);
      reject(new Error(`${name} ended: ${said.trim()}`));
    });
  });
}
