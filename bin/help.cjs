// Finds the help that the build has rendered of each command, so that showing it loads nothing of the command line.
'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** The width that the help is rendered for. */
const WIDTH = 80;

/** The text for arguments that only ask for help, or nothing if the command line itself has to answer. */
exports.helpFor = function helpFor(args, { dist, columns }) {
  const words = commandIn(args);
  if (words === undefined || (columns || WIDTH) < WIDTH) return undefined;
  try {
    const pages = JSON.parse(readFileSync(join(dist, 'help.json'), 'utf8'));
    const name = words.join(' ');
    return Object.hasOwn(pages, name) ? pages[name] : undefined;
  } catch {
    return undefined;
  }
};

/** The words of the command in `oka help <command>` or `oka <words> --help`. */
function commandIn(args) {
  const last = args.at(-1);
  const words = last === '--help' || last === '-h' ? args.slice(0, -1) : undefined;
  const named = args[0] === 'help' && args.length <= 2 ? args.slice(1) : words;
  return named?.every((word) => /^[a-z][a-z-]*$/.test(word)) ? named : undefined;
}
