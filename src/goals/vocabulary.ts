// Owns: the words with a meaning of their own. A word that is not here may only be a name: of a place, a file, a column or a text.
import { extensionsOf } from './kinds.ts';

/** Words of the grammar, which are no names unless they are quoted or written as a path. */
const GRAMMAR: ReadonlySet<string> = new Set(
  `duplicate repeated only keep select unique distinct find list show which what where how many much count number amount total size delete remove erase move copy rename zip unzip pack
  unpack archive compress extract replace convert sort merge combine organise organize tidy clean sum average mean median minimum
  maximum smallest largest biggest oldest newest latest first last except excluding without but not unless only other than and or
  then into to from in on at of for with by as under inside within between before after since until during over above below
  older newer larger smaller bigger more less least most exactly equal equals is are was were has have contains containing contain
  called named name names starting starts ending ends matching file files folder folders directory directories subfolder subfolders
  everything anything line lines word words character characters row rows column columns table tables today yesterday week month
  year day days weeks months years hour hours minute minutes ago empty duplicate duplicates identical same old new large small big
  recent changed modified edited created touched updated unchanged untouched commit commits committed author authors git branch
  status diff log test tests remind reminder reminders remember forget recall time date note it them they those ones one me my
  todos todo emails links urls headings errors warnings scripts contributors branches project workspace repository repo codebase it this that everything history reminders facts numbers dates
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
  november december gb mb kb bytes`.split(/\s+/),
);

/** Whether a word is no name by itself. */
export function isKnownWord(word: string): boolean {
  return isGrammarWord(word) || extensionsOf(word) !== undefined;
}

/** Whether a word is no name, also where only a name can stand. */
export function isGrammarWord(word: string): boolean {
  return GRAMMAR.has(word);
}
