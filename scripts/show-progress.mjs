import { stderr } from 'node:process';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const spinMs = 100;
const lineEveryMs = 10_000;

/** Shows on stderr that work goes on and for how long: a spinner on a terminal, a line now and then elsewhere. */
export async function showProgress(label, work) {
  const startedAt = Date.now();
  const elapsed = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
  let frame = 0;
  const spin = () => stderr.write(`\r\x1b[K${frames[frame++ % frames.length]} ${label} … ${elapsed()}`);
  const line = () => stderr.write(`${label} … ${elapsed()}\n`);
  if (!stderr.isTTY) stderr.write(`${label} …\n`);
  const timer = stderr.isTTY ? setInterval(spin, spinMs) : setInterval(line, lineEveryMs);
  let ending = 'failed after';
  try {
    const result = await work;
    ending = 'took';
    return result;
  } finally {
    clearInterval(timer);
    stderr.write(`${stderr.isTTY ? '\r\x1b[K' : ''}${label} ${ending} ${elapsed()}\n`);
  }
}
