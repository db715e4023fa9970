import { stem } from '../retrieval/index.ts';

/** The stems of English words that differ by one letter from words of goals, but are not typos of them. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `achieve archive barge batch beach beard being bench better blood board bolder books boots border brake
  branch bread break bring broke brunch bunch cables cakes cares cases catch cause caves chance change charge
  clean clear clone close cloud coach coast coats codes collect compare compete complete compose compute
  connect consent content contest context copper cores correct costs couch cough counter county couple course
  court craft crane crate cream crease create curse dance data dates december defect delete deplete detect
  direct dough dream drift earnest elder email ember engine erase fables faces fakes fares father feather
  fence files finds fines fires fixture flies flood floor flour flower folder fondest fords forgot forward
  french fruits funds future garbage gates grate hatch heads hints hits holder holes homes horse house hunts
  images imagine internal interval joint lakes lanes large largess lasts latch later leads leather letter
  likes limes lines links lists lives loads locks looks loops losses loves lower lumber lunch march marks
  masks massage match mates member merge message mixture modes money month mother mount mouse mouth moves
  movie nature never nodes noses notes number nurse odder older order other package pages paint paper parse
  passage patch pause phase phone photo phrase picture place plane plate point poles power pretend price pride
  prince print prize product project protect punch purge purse races rates reach reads receive record recover
  reflect remainder remand remember reminder remote removal remove report resort restore retort reverse reward
  rewind reword roads roles rooms roots rough routes rules sauce schema scheme score scream search shake shale
  shall shape share sheep sheet shelf shell shift shirt shore short sides sizes skill sleep slides slots small
  smart smell source south spaces spare speed spell spend spots spring stage stake stale stall star starch
  stare state steal steam steel steep sticks stocks stores story strange stream strong surge sweet swift
  tables takers takes tales talks tasks taxes teach thorough though tides tiles timber times today toddy touch
  tough tower trail train trait treat trees trench tries vague value valve verge verse votes wafer wages waits
  walks wants watch water weather whale whether while white whole youth`
    .split(/\s+/)
    .map(stem),
);
