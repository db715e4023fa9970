import { rootOf } from './terms.ts';

/** Synonyms, one group per line. */
const SYNONYMS = `
job work career occupation profession employer position role living
company firm business startup store shop
boss supervisor
quit resign leave
hire employ recruit
promote promotion raise
home house apartment flat place residence
move relocate settle
buy purchase acquire pick order
gift present
trip travel journey vacation holiday getaway visit tour
car vehicle truck van
bike bicycle cycling cycle
doctor physician clinic hospital checkup medical
ill sick unwell flu fever
injure hurt sprain break twist fracture
allergy allergic intolerant
exercise workout gym fitness training
jog run race marathon
hike trek trail hiking walk mountain
movie film cinema
music song band concert gig
show series episode television tv
book novel read author memoir
photo picture photograph camera
paint draw sketch canvas art artwork
craft pottery ceramics knit sew crochet weave
cook bake recipe dish meal kitchen
eat food dinner lunch breakfast restaurant cuisine
drink coffee tea beer wine beverage
party celebrate celebration birthday anniversary
marry wedding engage propose bride groom
baby pregnant newborn birth expecting
spouse husband wife partner
boyfriend girlfriend partner dating date
kid child son daughter toddler
mother mom mum mama parent
father dad papa parent
grandmother grandma granny nana grandparent
grandfather grandpa grandparent
sibling brother sister twin
friend buddy pal mate
pet dog cat puppy kitten animal
garden plant grow flower vegetable yard
school class course lesson college university degree study
teach teacher tutor mentor coach instructor
learn study practice practise
volunteer charity donate shelter community help
money cost price pay afford save budget salary
afraid fear scared terrified phobia nervous
happy glad excite thrill delight joy
sad upset down heartbroken cry
angry mad furious annoy
tired exhausted drained
stress anxious worry overwhelm pressure
proud pride accomplish achieve
love adore enjoy like favourite favorite fond
hate dislike stand
want wish hope dream goal plan aspire
start begin launch open found
finish complete end
stop quit cease
win prize award medal trophy first
competition contest tournament championship
lose miss misplace
argue fight disagree quarrel
fix repair mend
break damage crack
clean tidy declutter
big large huge
small little tiny
pastime hobby interest free unwind relax
relax unwind calm rest destress
sport game team play match
inspire motivate encourage
remind memory remember
die death pass funeral lose
child childhood young kid grow
recommend suggest advise advice tip
decide choose pick
support help assist
meet encounter introduce
language speak fluent
country abroad homeland nation
city town
beach sea ocean coast shore
weekend saturday sunday
summer june july august
winter december january february
spring march april may
autumn fall september october november
doctor therapist counselor therapy
church faith religion pray religious
resign quit fired layoff retire
salary wage earn income pay
colleague coworker teammate office
interview apply application hire offer
luggage suitcase bag backpack baggage
lose missing gone misplace disappear vanish
find discover locate
steal thief rob burglar
police officer policeman crime
see watch spot observe notice view
renovate remodel refurbish decorate repaint wallpaper
electrician wiring plumber builder handyman carpenter
used secondhand thrift antique vintage
restore mend repair fix
quarrel argument feud dispute
reconcile forgive apologise apologize sorry
afraid terrify frighten scare panic
conquer overcome cope manage deal handle
surgery operation operate operated surgeon
recover heal recovery rehabilitation
illness disease diagnose infection sickness condition
medicine pill medication drug prescription
neighbour neighbor
noise loud sound noisy
complain grumble moan complaint
camp tent campsite outdoors
act stage theatre theater play role perform rehearse
premiere opening debut
dance ballet salsa
sing choir singer vocal
author writer write wrote
exhibition display gallery show exhibit present
piece work artwork creation
inspire inspiration idea muse
reason because cause motivate
study course degree college enrol enroll
exam test licence license
attempt try
grade mark score result
finish result
cheer support encourage crowd
compete competition race tournament
coach train trainer team
customer client shopper
staff employee crew team
launch open start establish
inherit heir heirloom bequeath legacy
allergic allergy reaction rash
weather rain sunny storm snow
babysit childcare nanny sitter
born birth baby newborn
name call nickname
mobile phone smartphone cell
computer laptop pc
internet online website blog
photo picture camera snap
souvenir memento keepsake
concert band played live festival gig
ticket seat
diet eat vegan vegetarian
crave craving long yearn
valuable worth value price
insurance insure claim
wood timber log
vehicle car drive
engine gearbox motor brake
garage mechanic workshop
rent landlord lease mortgage
neighbourhood area district
volunteer charity serve
religion church temple mosque
identity gender trans
adopt shelter rescue agency
roommate flatmate housemate
single divorce breakup separate
date relationship boyfriend girlfriend
plan intend
upcoming next soon
opinion think view
advice suggest recommend
challenge difficult hard tough struggle problem obstacle
success succeed pass win achieve
gift receive given gave
symbol represent mean remind
feel emotion feeling
peace calm peaceful serene tranquil
escape unwind relax therapeutic
kid child twin
bake cake bread pastry
feed hungry
destroy ruin damage wreck
grow plant crop seed seedling
allotment garden plot yard
swim pool
climb boulder
game gaming console video
collect collection
donate raise fund fundraiser
meditation mindfulness yoga
nature outdoors outside
sleep bed nap awake tired
late delay
conference event workshop meeting
speech talk speak toast
habit smoke addiction
`;

/** Categories and their members. */
const CATEGORIES = `
instrument: guitar piano violin drum cello flute clarinet ukulele saxophone trumpet keyboard banjo harp
pet: dog cat puppy kitten rabbit hamster parrot turtle fish guinea lizard
animal: dog cat horse bird rabbit fox deer whale elephant turtle bear owl
sport: football soccer basketball tennis baseball swim volleyball climb ski surf yoga rugby hockey golf badminton boxing karate judo
exercise: run swim yoga pilates gym lift cycle climb stretch
hobby: paint pottery knit garden photograph climb chess cook bake guitar dance hike fish read carve sew origami collect
craft: pottery clay knit sew weave carve origami crochet wood quilt
family: husband wife son daughter mother father mom dad brother sister kid parent grandma grandpa aunt uncle cousin nephew niece
relative: husband wife son daughter mother father mom dad brother sister grandma grandpa aunt uncle cousin nephew niece
food: pizza pasta sushi curry soup salad cake bread taco noodle cheese rice dumpling stew pie
dessert: cake pie cookie ice cream brownie tart chocolate pudding
dish: pasta curry soup stew lasagna risotto paella taco ramen salad
drink: coffee tea juice beer wine cocktail lemonade
vehicle: car bike truck van motorcycle scooter bus boat train
colour: red blue green yellow purple orange pink black white teal
color: red blue green yellow purple orange pink black white teal
country: france italy spain germany japan china india brazil mexico canada england ireland portugal greece sweden norway peru kenya australia
city: paris london rome tokyo berlin madrid lisbon boston chicago seattle toronto dublin barcelona
job: teacher nurse engineer doctor lawyer chef manager accountant designer developer barista carpenter writer
subject: math history biology chemistry physics literature psychology law economics nursing
genre: fantasy mystery thriller romance horror jazz rock folk classical fiction
health: doctor surgery hospital allergy diabetes asthma injury pain medicine diagnose blood
condition: allergy diabetes asthma anxiety migraine arthritis diagnose
injury: ankle knee wrist arm leg sprain break shoulder back
event: wedding concert festival party conference race fair parade workshop ceremony show
furniture: table chair sofa couch desk shelf bed lamp
clothes: dress shirt jacket shoe coat sweater hat scarf
plant: rose tomato tulip basil cactus orchid fern sunflower herb tree
weather: rain snow sun storm wind heat
activity: hike swim camp paint dance play cook read climb run
outdoor: hike camp park mountain lake beach trail climb kayak forest
nature: hike mountain forest lake trail park river waterfall
disaster: flood fire earthquake storm hurricane
degree: bachelor master phd graduate university
symptom: pain fever cough headache dizzy
jewellery: ring necklace bracelet earring
jewelry: ring necklace bracelet earring
room: kitchen bathroom bedroom nursery hallway basement attic garage
bird: owl eagle osprey kingfisher crane heron robin swan hawk pigeon parrot sparrow
language: spanish french german italian portuguese finnish arabic japanese chinese mandarin korean russian dutch polish sign
race: marathon triathlon run swim sprint relay finish line
vehicle: hatchback pickup motorbike sedan suv
dog: beagle greyhound labrador poodle retriever terrier shepherd puppy
home: cottage studio houseboat attic cabin bungalow loft condo
bag: suitcase handbag backpack
meal: goulash dumpling ramen stew roast barbecue
month: january february march april june july august september october november december
day: monday tuesday wednesday thursday friday saturday sunday
device: phone laptop tablet camera drone console
gadget: drone telescope camera console machine
toy: doll lego puzzle plush
art: paint sculpture draw poem photo ceramic mural
illness: flu cold cancer covid bronchitis measles migraine
book: novel fiction memoir series trilogy chapter
movie: comedy drama thriller cinema screen
music: guitar piano jazz rock song album band note concert
body: arm leg knee ankle wrist shoulder hip back neck
business: shop bakery cafe restaurant studio salon store agency
`;

/** A related root and its weight in (0, 1]. */
export interface RelatedWord {
  readonly term: string;
  readonly weight: number;
}

const SYNONYMS_WEIGHT = 0.5;
const CATEGORY_WEIGHT = 0.35;

let table: ReadonlyMap<string, readonly RelatedWord[]> | undefined;

/** The synonyms and category members of a root, from a small general list. */
export function relatedWords(root: string): readonly RelatedWord[] {
  table ??= readTable();
  return table.get(root) ?? [];
}

function readTable(): ReadonlyMap<string, readonly RelatedWord[]> {
  const weights = new Map<string, Map<string, number>>();
  const relate = (from: string, to: string, weight: number): void => {
    if (from === to) return;
    const row = weights.get(from) ?? new Map<string, number>();
    row.set(to, Math.max(weight, row.get(to) ?? 0));
    weights.set(from, row);
  };
  for (const group of rowsOf(SYNONYMS).map(rootsOf)) {
    for (const from of group) for (const to of group) relate(from, to, SYNONYMS_WEIGHT);
  }
  for (const row of rowsOf(CATEGORIES)) {
    const [kind = '', things = ''] = row.split(':');
    for (const thing of rootsOf(things)) relate(rootOf(kind), thing, CATEGORY_WEIGHT);
  }
  return new Map(
    [...weights].map(([from, row]) => [from, [...row].map(([term, weight]) => ({ term, weight }))]),
  );
}

function rowsOf(list: string): string[] {
  return list.trim().split('\n');
}

function rootsOf(words: string): string[] {
  return words.trim().split(/\s+/).map(rootOf);
}
