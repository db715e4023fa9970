// Loads the built command line, with the code that V8 had made of it when it was built: compiling it takes a fifth of a
// short command. Where that code is of another build or another Node, it is made anew.
'use strict';
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const HEAD = '(function (exports, require, module, __filename, __dirname) {';
/** What the command line ends with and its code begins with: V8 itself compares no more than lengths. */
const MARK_LENGTH = 64;

exports.load = function load(dist) {
  const file = join(dist, 'cli.cjs');
  const source = readFileSync(file, 'utf8');
  const script = new Script(`${HEAD}${source}\n})`, {
    filename: file,
    columnOffset: -HEAD.length,
    cachedData: readCode(dist, markOf(source)),
  });
  const loaded = { exports: {}, id: file, filename: file, loaded: true };
  // The files that are loaded later find it here.
  require.cache[file] = loaded;
  script.runInThisContext()(loaded.exports, createRequire(file), loaded, file, dist);
  return {
    main: loaded.exports.main,
    wholeProgram: loaded.exports.wholeProgram,
    code: () => Buffer.concat([Buffer.from(markOf(source)), script.createCachedData()]),
  };
};

function markOf(source) {
  return source.slice(-MARK_LENGTH - 1, -1);
}

function readCode(dist, mark) {
  try {
    const kept = readFileSync(join(dist, 'cli.code'));
    return kept.toString('latin1', 0, MARK_LENGTH) === mark ? kept.subarray(MARK_LENGTH) : undefined;
  } catch {
    return undefined;
  }
}
