// Preloaded into every process and thread of the installed product. Records which files they loaded, and the kinds of
// messages that threads sent, one line each, in the file that OKA_TEST_LOADED names.
'use strict';
const { appendFileSync } = require('node:fs');
const { registerHooks } = require('node:module');
const { pathToFileURL } = require('node:url');
const { parentPort, workerData } = require('node:worker_threads');

const report = process.env['OKA_TEST_LOADED'];
if (report) {
  const record = (line) => appendFileSync(report, `${line}\n`);
  process.on('exit', () => {
    for (const file of Object.keys(require.cache)) record(pathToFileURL(file).href);
  });
  if (parentPort) recordMessages(record);
  // Node 20 has no synchronous hooks, so the ES modules that it loads are not seen.
  registerHooks?.({
    load(url, context, next) {
      if (url.startsWith('file:')) record(url);
      return next(url, context);
    },
  });
}

/** Threads are told apart by what they are given. */
function recordMessages(record) {
  const post = parentPort.postMessage;
  const seen = new Set();
  parentPort.postMessage = function (message, ...rest) {
    const line = `thread given ${Object.keys(workerData ?? {}).join(' ') || 'nothing'} sent ${Object.keys(message).join(' ')}`;
    if (!seen.has(line)) record(line);
    seen.add(line);
    return post.call(this, message, ...rest);
  };
}
