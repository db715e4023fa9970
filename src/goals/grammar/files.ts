// Owns: goals about files: which there are, how many, how large, and what is to become of them.
import type { Action, Query, RenameRule, Selection } from '../meaning.ts';
import { inOrder, listOf, map, maybe, oneOf, oneWord, type Rule, rule, said } from '../parser.ts';
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
    // A noun phrase alone asks for the files: "the five newest photos".
    map(selection, (list) => (list.order === undefined ? undefined : { list })),
    map(inOrder(said("what is in|what's in|what is inside|show me what is in|list contents of|show contents of|contents of"), place), ([, path]) => ({
      list: { what: 'entries', ...(path === '.' ? {} : { places: [path] }), shallow: true },
    })),
    map(inOrder(said('list|show|ls'), folder), ([, path]) => ({ list: { what: 'entries', places: [path], shallow: true } })),
    map(inOrder(HOW_MANY, selection, END), ([, counted]) => ({ count: counted })),
    map(inOrder(HOW_LARGE, folderOrSelection, maybe(TAKE)), ([, measured]) => ({ size: measured })),
    map(inOrder(said('how many|count|count number of|number of'), said('lines|words|characters|letters'), maybe(said('of code|of text')), maybe(said('of|in|do|does|are in|are there in|is in')), linesOf, END, maybe(said('contain|have|has'))), ([, unit, , , of]) => ({
      measure: unit === 'letters' ? 'characters' : (unit as 'lines'),
      of,
    })),
    map(inOrder(said('how long is|how long are'), selection), ([, of]) => ({ measure: 'lines', of })),
    map(inOrder(SHOW, said('duplicates|duplicate files|copies|identical files|files with same content'), maybe(inOrder(said('in|of|among|inside|within'), folderOrSelection))), ([, , found]) => ({
      same: found?.[1] ?? { what: 'files' },
    })),
  ),
);

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
    map(inOrder(DELETE, selection), ([, chosen]) => ({ delete: chosen })),
    map(inOrder(DELETE, said('duplicates|duplicate files|copies|all duplicates'), maybe(inOrder(said('in|of|among|from'), folderOrSelection))), ([, , found]) => ({
      deduplicate: found?.[1] ?? { what: 'files' },
    })),
    map(inOrder(said('move|put|shift|transfer|relocate'), selection, into), ([, chosen, to]) => ({ move: chosen, to })),
    map(inOrder(said('copy|duplicate|back up|backup'), selection, into), ([, chosen, to]) => ({ copy: chosen, to })),
    map(inOrder(said('rename'), selection, renaming), ([, chosen, how]) => ({ rename: chosen, rule: how })),
    map(inOrder(said('organise|organize|sort|tidy|tidy up|group|arrange|clean up'), folderOrSelection, maybe(said('up')), said('by|by their|into folders by|into subfolders by|into folders for each|into one folder per|into folders per'), said('type|kind|file type|extension|year|month|date')), ([, chosen, , , by]) => ({
      organise: chosen,
      by: ORGANISE[by] ?? 'type',
    })),
    map(inOrder(said('zip|pack|compress|archive|bundle|zip up|make archive of|create archive of|create zip of|make zip of'), folderOrSelection, maybe(map(inOrder(said('into|to|as|in|called'), file), ([, path]) => path))), ([, chosen, to]) => ({
      pack: chosen,
      to: to ?? `${chosen.places?.length === 1 ? chosen.places[0]?.replace(/^.*\//, '') : 'archive'}.zip`,
    })),
    map(inOrder(said('unzip|unpack|extract|decompress|uncompress'), file, maybe(into)), ([, archive, to]) => ({
      unpack: archive,
      ...(to === undefined ? {} : { to }),
    })),
    map(inOrder(said('create|make|add'), said('folder|folders|directory|directories|folder called|folder named|directory called|folders called|directory named'), listOf(anyText, ',|and|, and')), ([, , folders]) => ({
      folders: folders.map(tidy),
    })),
  ),
);

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
    map(inOrder(said('to|as|into'), anyText), ([, to]) => (/^\.[a-z\d]+$/i.test(to) ? { extension: to.slice(1) } : { to: tidy(to) })),
    map(inOrder(said('to'), said('lowercase|lower case|small letters')), () => ({ case: 'lower' })),
    map(inOrder(said('to'), said('uppercase|upper case|capital letters')), () => ({ case: 'upper' })),
  ),
);
