const FORMS = `
go: went gone goes; buy: bought; take: took taken; give: gave given; see: saw seen; make: made; come: came;
get: got gotten; find: found; tell: told; think: thought; say: said; feel: felt; leave: left; meet: met;
bring: brought; begin: began begun; keep: kept; hold: held; write: wrote written; stand: stood; hear: heard;
let: letting; mean: meant; run: ran; pay: paid; sit: sat; speak: spoke spoken; lead: led; grow: grew grown;
lose: lost; fall: fell fallen; send: sent; build: built; understand: understood; draw: drew drawn;
break: broke broken; spend: spent; cut: cutting; rise: risen; drive: drove driven; wear: wore worn;
choose: chose chosen; eat: ate eaten; sing: sang sung; swim: swam swum; fly: flew flown; ride: rode ridden;
sell: sold; teach: taught; catch: caught; win: won; fight: fought; sleep: slept; throw: threw thrown;
know: knew known; become: became; forget: forgot forgotten; drink: drank drunk; wake: woke woken; hide: hid hidden;
bake: baked; shoot: shot; hang: hung; lend: lent; stick: stuck; steal: stole stolen; tear: tore torn; bite: bit bitten;
freeze: froze frozen; shake: shook shaken; dig: dug; feed: fed; light: lit; knit: knitted; sew: sewn;
try: tries tried; cry: cries cried; dry: dries dried; fry: fries fried; fly: flies; sky: skies;
child: children; man: men; woman: women; person: people; foot: feet; tooth: teeth; mouse: mice; wife: wives;
life: lives; knife: knives; leaf: leaves; shelf: shelves; die: died dying; lie: lying; tie: tied tying;
good: better best; bad: worse worst; decide: decision decisions; marry: marriage married; move: moving moved;
argue: argument; injure: injury injuries; perform: performance; apply: application applications; weigh: weight;
grow: growth; think: thoughts; lose: loss; choose: choice choices; fly: flight flights; sing: song songs; paint: painting paintings
`;

/** The form under which an irregular English form is filed. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  FORMS.split(';').flatMap((line) => {
    const [word = '', forms = ''] = line.split(':');
    return forms
      .trim()
      .split(/\s+/)
      .map((form) => [form, word.trim()] as const);
  }),
);
