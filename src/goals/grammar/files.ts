// Owns: goals about files: which there are, how many, how large, and what is to become of them.
import type { Action, Query, RenameRule, Selection } from '../meaning.ts';
import { inOrder, listOf, map, maybe, oneOf, oneWord, type Rule, rule, said } from '../parser.ts';
import { period } from './periods.ts';
import { kindAlone, selection } from './selection.ts';
import { anyText, file, folder, place, tidy } from './values.ts';

const SHOW = said(
  'find|list|show|show me|give me|get|display|print|tell me|locate|look for|search for|see|name|ls|enumerate|find out|what are|what is|which are|where are|where is|what|which|do i have|are there|where did i put|report',
);
const HOW_MANY = said('how many|count|count up|count how many|number of|what is number of|total number of|amount of|tell me how many|tell me number of|give me number of');
const HOW_LARGE = said(
  'how big is|how big are|how large is|how large are|how much space do|how much space does|how much disk space does|how much disk space do|total size of|size of|what is size of|what is total size of|disk usage of|show disk usage of|how heavy is|how much do',
);
const TAKE = said('take|takes|take up|takes up|use|uses|occupy|need|weigh|have');
const END = maybe(said('are there|do i have|is there|exist|have i|there are|i have|do we have|are|do you see'));

/** A folder as a whole, which is meant when its size is asked for. */
const folderOrSelection: Rule<Selection> = oneOf<Selection>(
  selection,
  map(place, (path) => ({ what: 'files', ...(path === '.' ? {} : { places: [path] }) })),
);

export const fileQuery: Rule<Query> = rule(() =>
  oneOf<Query>(
    map(inOrder(SHOW, selection, END), ([, list]) => ({ list })),
    map(inOrder(said('what did i work on|what did i change|what have i worked on|what did i edit|what did i touch'), period), ([, changed]) => ({ list: { what: 'files', where: { changed } } })),
    // A noun phrase alone asks for the files: "the five newest photos".
    map(selection, (list) => (list.order === undefined ? undefined : { list })),
    map(inOrder(said("what is in|what's in|what is inside|show me what is in|list contents of|show contents of|contents of"), place), ([, path]) => ({
      list: { what: 'entries', ...(path === '.' ? {} : { places: [path] }), shallow: true },
    })),
    map(inOrder(said('list|show|ls'), folder), ([, path]) => ({ list: { what: 'entries', places: [path], shallow: true } })),
    map(inOrder(HOW_MANY, selection, END, maybe(BY)), ([, counted, , by]) => ({ count: counted, ...(by === undefined ? {} : { by }) })),
    map(inOrder(HOW_LARGE, folderOrSelection, maybe(TAKE), maybe(BY)), ([, measured, , by]) => ({ size: measured, ...(by === undefined ? {} : { by }) })),
    map(inOrder(said('show disk usage|disk usage|disk space|show disk space|sizes of folders|what takes most space|what uses most space|how much space is used'), maybe(inOrder(said('of|in'), folderOrSelection)), maybe(BY)), ([, found, by]) => ({
      size: found?.[1] ?? { what: 'files' },
      by: by ?? 'folder',
    })),
    map(inOrder(said('how many|count|count number of|number of'), said('lines|words|characters|letters'), maybe(said('of code|of text')), maybe(said('of|in|do|does|are in|are there in|is in')), linesOf, END, maybe(said('contain|have|has')), maybe(BY_FILE)), ([, unit, , , of, , , by]) => ({
      measure: unit === 'letters' ? 'characters' : (unit as 'lines'),
      of,
      ...(by === undefined ? {} : { by }),
    })),
    map(inOrder(said('count lines of code|lines of code|how many lines of code are there|how many lines of code'), maybe(inOrder(said('in'), place)), maybe(BY_FILE)), ([, found, by]) => ({
      measure: 'lines',
      of: { what: 'files', where: { kind: 'source' }, ...(found === undefined || found[1] === '.' ? {} : { places: [found[1]] }) },
      ...(by === undefined ? {} : { by }),
    })),
    map(inOrder(said('word count|line count|character count|number of words|number of lines'), said('of|in|for'), selection), ([unit, , of]) => ({
      measure: unit.includes('word') ? 'words' : unit.includes('line') ? 'lines' : 'characters',
      of,
    })),
    map(inOrder(said('how long is|how long are'), selection), ([, of]) => ({ measure: 'lines', of })),
    map(inOrder(maybe(SHOW), said('duplicates|duplicate files|copies|identical files|files with same content'), maybe(inOrder(said('in|of|among|inside|within'), folderOrSelection))), ([, , found]) => ({
      same: found?.[1] ?? { what: 'files' },
    })),
  ),
);

const BY = map(said('by folder|per folder|for each folder|in each folder|by type|by extension|per type|by file type'), (said_) => (said_.includes('folder') ? ('folder' as const) : ('extension' as const)));
const BY_FILE = map(said('by language|per language|by file|per file|for each file|for each language'), (said_) => (said_.includes('file') ? ('file' as const) : ('language' as const)));

/** "lines of python" counts the lines of such files. */
const linesOf: Rule<Selection> = rule(() =>
  oneOf<Selection>(
    folderOrSelection,
    map(inOrder(kindAlone, maybe(said('code|source code')), maybe(inOrder(said('in|inside|within'), place))), ([where, , found]) => ({
      what: 'files',
      where,
      ...(found === undefined || found[1] === '.' ? {} : { places: [found[1]] }),
    })),
  ),
);

const DELETE = said('delete|remove|erase|get rid of|throw away|trash|clean up|clear|drop|wipe|purge|discard');
const TO = said('to|into|in|inside|over to|to folder|into folder|in folder|to directory|into directory|to folder called|into folder called|to folder named|into folder named');
const INTO = maybe(said('folder|directory|new folder|folder called|folder named|new folder called|new folder named|subfolder|subfolder called'));

/** A folder that something is put into; a word is its name, also one with a meaning of its own. */
const into: Rule<string> = map(
  inOrder(TO, INTO, oneWord(({ kind, text, said: written, isFiller }) => {
    if (kind === 'path' || kind === 'quoted') return tidy(text);
    return kind !== undefined || isFiller || !/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(written) ? undefined : written;
  }), maybe(said('folder|directory'))),
  ([, , name]) => name,
);

export const fileAction: Rule<Action> = rule(() =>
  oneOf<Action>(
    map(inOrder(DELETE, oneOf(selection, wholeFolder)), ([, chosen]) => ({ delete: chosen })),
    map(inOrder(SHOW, said('duplicate files|duplicates|duplicate'), maybe(inOrder(said('in|of'), folderOrSelection)), said('and'), DELETE, THEM), ([, , found]) => ({ deduplicate: found?.[1] ?? { what: 'files' } })),
    map(inOrder(SHOW, selection, said('and|, and|, then|and then'), DELETE, THEM), ([, chosen]) => ({ delete: chosen })),
    map(inOrder(SHOW, selection, said('and|, and|, then|and then'), said('move|put'), THEM, into), ([, chosen, , , , to]) => ({ move: chosen, to })),
    map(inOrder(SHOW, selection, said('and|, and|, then|and then'), said('copy'), THEM, into), ([, chosen, , , , to]) => ({ copy: chosen, to })),
    map(inOrder(DELETE, said('duplicates|duplicate files|copies|all duplicates'), maybe(inOrder(said('in|of|among|from'), folderOrSelection))), ([, , found]) => ({
      deduplicate: found?.[1] ?? { what: 'files' },
    })),
    map(inOrder(said('move|put|shift|transfer|relocate'), oneOf(selection, wholeFolder), into), ([, chosen, to]) => ({ move: chosen, to })),
    map(inOrder(said('copy|duplicate|back up|backup'), oneOf(selection, wholeFolder), into), ([, chosen, to]) => ({ copy: chosen, to })),
    map(inOrder(said('rename'), selection, renaming, maybe(IN_PLACE)), ([, chosen, how, path]) => (path === undefined ? { rename: chosen, rule: how } : within(chosen, path, how))),
    map(inOrder(said('rename'), wholeFolder, said('to|as'), anyText), ([, chosen, , to]) => ({ rename: chosen, rule: { to: tidy(to) } })),
    map(inOrder(said('add|put|prepend|append'), said('prefix|suffix'), anyText, said('to|before|after|in front of'), maybe(said('names of|file names of')), selection), ([, what, affix, , , chosen]) => ({ rename: chosen, rule: what === 'prefix' ? { prefix: affix } : { suffix: affix } })),
    map(inOrder(said('add|put'), oneWord(({ kind, text }) => (kind === 'quoted' ? text : undefined)), said('in front of|before|at beginning of|to beginning of'), maybe(said('name of|names of|file names of')), selection), ([, prefix, , , chosen]) => ({ rename: chosen, rule: { prefix } })),
    map(inOrder(said('rename'), selection, said('to start with|so that they start with|to begin with'), anyText), ([, chosen, , prefix]) => ({ rename: chosen, rule: { prefix } })),
    map(inOrder(said('prefix'), selection, said('with'), anyText), ([, chosen, , prefix]) => ({ rename: chosen, rule: { prefix } })),
    map(inOrder(said('replace'), said('spaces|blanks|underscores|dashes'), said('with|by'), said('underscores|dashes|hyphens|spaces|nothing'), said('in file names|in names|in filenames|in names of files|in names of'), maybe(inOrder(maybe(said('in|of')), folderOrSelection))), ([, from, , to, , found]) => ({
      rename: found?.[1] ?? { what: 'files' },
      rule: { replace: MARKS[from] ?? ' ', with: MARKS[to] ?? '' },
    })),
    map(inOrder(said('number'), selection), ([, chosen]) => ({ rename: chosen, rule: { number: '' } })),
    map(inOrder(said('change'), said('extension of|file extension of|extensions of'), selection, said('to'), anyText), ([, , chosen, , extension]) => ({ rename: chosen, rule: { extension: extension.replace(/^\./, '') } })),
    map(inOrder(said('organise|organize|sort|tidy|tidy up|group|arrange|clean up'), folderOrSelection, maybe(said('up')), said('by|by their|into folders by|into subfolders by|into folders for each|into one folder per|into folders per'), said('type|kind|file type|extension|year|month|date')), ([, chosen, , , by]) => ({
      organise: chosen,
      by: ORGANISE[by] ?? 'type',
    })),
    map(inOrder(said('zip|pack|compress|archive|bundle|zip up|make archive of|create archive of|create zip of|make zip of|create zip archive of|create tar archive of|make tar archive of|make zip archive of'), oneOf(folderOrSelection, wholeFolder), maybe(map(inOrder(said('into|to|as|in|called|named'), file), ([, path]) => path))), ([, chosen, to]) => ({
      pack: chosen,
      to: to ?? `${chosen.places?.length === 1 ? chosen.places[0]?.replace(/^.*\//, '') : 'archive'}.zip`,
    })),
    map(inOrder(said('unzip|unpack|extract|decompress|uncompress'), file, maybe(into)), ([, archive, to]) => ({
      unpack: archive,
      ...(to === undefined ? {} : { to }),
    })),
    map(inOrder(said('create|make|add'), said('folder|folders|directory|directories|folder called|folder named|directory called|folders called|directory named'), listOf(folderToMake, ',|and|, and'), maybe(IN_PLACE)), ([, , folders, path]) => ({
      folders: folders.map((one) => tidy(path === undefined ? one : `${path}/${one}`)),
    })),
  ),
);

const IN_PLACE = map(inOrder(said('in|inside|within'), place), ([, path]) => path);
const folderToMake = map(anyText, (name) => (/^[\p{L}\p{N}_. /-]+$/u.test(name) ? name : undefined));
const THEM = said('them|it|all of them');
const MARKS: Readonly<Record<string, string>> = { spaces: ' ', blanks: ' ', underscores: '_', dashes: '-', hyphens: '-', nothing: '' };

/** A folder as a whole: "the folder notes", "notes/". */
const wholeFolder: Rule<Selection> = rule(() =>
  oneOf<Selection>(
    map(inOrder(said('folder|directory'), maybe(said('called|named')), folderWord), ([, , path]) => ({ what: 'folders', places: [path], itself: true })),
    map(inOrder(folderWord, said('folder|directory')), ([path]) => ({ what: 'folders', places: [path], itself: true })),
    map(oneWord(({ kind, text }) => (kind === 'path' && text.endsWith('/') ? tidy(text) : undefined)), (path) => ({ what: 'folders', places: [path], itself: true })),
  ),
);
const folderWord = oneWord(({ kind, text, said: written, isFiller }) => {
  if (kind === 'path' || kind === 'quoted') return tidy(text);
  return kind !== undefined || isFiller || !/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(written) ? undefined : written;
});

function within(chosen: Selection, path: string, how: RenameRule): Action | undefined {
  return chosen.places === undefined ? { rename: { ...chosen, ...(path === '.' ? {} : { places: [path] }) }, rule: how } : undefined;
}

const ORGANISE: Readonly<Record<string, 'type' | 'year' | 'month' | 'extension'>> = {
  type: 'type',
  kind: 'type',
  'file type': 'type',
  extension: 'extension',
  year: 'year',
  month: 'month',
  date: 'month',
};

const renaming: Rule<RenameRule> = rule(() =>
  oneOf<RenameRule>(
    map(inOrder(said('to|as|into'), oneWord(({ kind, text }) => (kind === 'glob' && /^\*\.[a-z\d]+$/i.test(text) ? text.slice(2) : undefined))), ([, extension]) => ({ extension })),
    map(inOrder(said('to|as|into'), anyText), ([, to]) => (/^\.[a-z\d]+$/i.test(to) ? { extension: to.slice(1) } : { to: tidy(to) })),
    map(inOrder(said('to'), said('lowercase|lower case|small letters')), () => ({ case: 'lower' })),
    map(inOrder(said('to'), said('uppercase|upper case|capital letters')), () => ({ case: 'upper' })),
  ),
);
