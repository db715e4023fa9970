/** Scenes of talk between two people, with questions. The ranking is tuned on these; generate-set.ts says how to read them. */
export const trainTopics = `
slots instrument=cello|ukulele|saxophone|banjo; teacher=Mr Alvarez|Mrs Novak|a retired conductor
B: So what have you been up to in the evenings?
A#1: I finally started taking {instrument} lessons, every Tuesday after work.
B: That is brave! Who shows you the ropes?
A#2: It's {teacher}, two streets away. Very patient with my squeaky notes.
B: I bet the neighbours love it.
A: They have asked me twice whether everything is all right, ha.
? paraphrase 1 What musical instrument is {A} learning to play?
? pronoun 2 Who teaches {A} music?
? multi 1,2 On what day and with whom does {A} practise music?
? single 1 When does {A} have {instrument} lessons?
? single 2 Who is patient with {A}'s notes?

slots animal=greyhound|beagle|tabby cat|parrot; name=Biscuit|Pepper|Moses|Olive
A#1: We brought someone home from the shelter on Saturday. A {animal}, three years old!
B: Stop it. Photos, now. What do you call the little one?
A#2: {name}. The kids voted and I lost.
B: Does it get along with everybody?
A#3: Mostly hides behind the washing machine when the vacuum comes out.
? paraphrase 1 What kind of pet did {A} adopt?
? single 2 What is the name of {A}'s new {animal}?
? paraphrase 3 What is {A}'s pet frightened of?
? single 1 Where did {A} get the {animal} from?
? single 1 How old is the {animal} from the shelter?
? pronoun 2 Who voted for the name {name}?

slots company=a solar start-up|the city library|a toy maker|a shipping firm; role=accountant|night porter|data analyst
A#1: Big news: I handed in my notice this morning.
B: You did what? After nine years there?
A#2: I could not bear another Monday with that man shouting at me.
B: Fair. And what comes next?
A#3: {company} offered me something. I begin as {role} at the start of next month.
B: Proud of you, truly.
? paraphrase 1 When did {A} resign?
? paraphrase 2 Why did {A} leave the old job?
? paraphrase 3 Where will {A} work in the new position?
? single 1 When did {A} hand in the notice?
? single 3 When does {A} begin as {role}?
? multi 1,3 Why did {A} give notice and who made {A} an offer?

slots city=Lisbon|Kyoto|Marrakesh|Reykjavik; food=custard tarts|grilled eel|lamb stew|smoked fish
B: You look tanned. Where did you vanish to?
A#1: {city}, for ten days! We only got back yesterday.
B: Jealous. Best thing you tasted?
A#2: The {food}. I had it four days in a row and I regret nothing.
B: And the worst bit?
A#3: Our suitcase went to another continent and turned up on the last evening.
? single 1 Which city did {A} visit on holiday?
? single 2 What did {A} eat most in {city}?
? paraphrase 3 What went wrong with {A}'s luggage?
? temporal 1 When did {A} come back from {city}?
? single 1 How many days was {A} in {city}?
? single 3 What happened to {A}'s suitcase?
? multi 1,2 Where was {A} for ten days and what was the best food there?

slots part=ankle|wrist|collarbone|knee; cause=stepping off a kerb|falling from a ladder|slipping on wet leaves
A#1: I am typing this with one foot up. I hurt my {part} {cause}.
B: Ouch! Is it broken?
A#2: The scan said only a tear, but six weeks without football.
B: Six weeks! You will go mad.
A: Already have. I alphabetised the spices.
? paraphrase 1 How did {A} get injured?
? paraphrase 2 How long must {A} pause sports?
? adversarial 1 Which part of the body did {A} injure?
? single 1 How did {A} hurt the {part}?
? single 2 What did {A}'s scan show?
? multi 1,2 What did {A} hurt and how many weeks without football follow?

slots relative=sister|cousin|oldest friend; place=a barn in the hills|the botanical garden|a tiny chapel by the sea
A#1: My {relative} is tying the knot in {place} this autumn!
B: Lovely. Do you have a part in it?
A#2: I have to give the speech. In front of a hundred and forty people.
B: Deep breaths. You are funny when you forget to be nervous.
A#3: I have written eleven drafts and all of them mention the goat.
? paraphrase 1 Where will the wedding of {A}'s {relative} take place?
? pronoun 2 What task was {A} given for the ceremony?
? multi 2,3 What is {A} preparing for the big day and how far along is it?
? single 2 What speech does {A} have to give?
? single 3 How many drafts of the speech has {A} written?
? single 2 In front of how many people will {A} give a speech?

slots book=The Salt Road|Nine Lanterns|A Quiet Engine|The Cartographer's Niece; author=a Chilean poet|two brothers|a former nurse
B: Still reading every night?
A#1: Yes! I could not put down {book}. Finished it at three in the morning.
B: Who is it by?
A#2: {author}. It is a first novel, can you believe that.
B: Should I read it?
A: Only if you have nothing to do the next day.
? single 1 Which book did {A} finish in one night?
? single 2 Who wrote {book}?
? single 1 When did {A} finish reading {book}?
? multi 1,2 Which novel could {A} not put down and who is the author?

slots crop=tomatoes|pumpkins|beans|strawberries; pest=slugs|pigeons|a badger
A#1: The allotment came through, after two years on the waiting list.
B: What goes in first?
A#2: {crop}, lots of them, along the south fence.
B: Watch out for hungry visitors.
A#3: Too late, {pest} got half of the seedlings already.
? paraphrase 1 How long did {A} wait for a garden plot?
? paraphrase 2 What is {A} growing?
? paraphrase 3 What destroyed {A}'s young plants?
? single 1 How long was {A} on the waiting list for the allotment?
? single 2 What does {A} plant along the south fence?
? single 3 What happened to {A}'s seedlings?

slots food=peanuts|shellfish|gluten|sesame; event=the office picnic|my nephew's birthday|a dinner with clients
A#1: Never again. I swelled up like a balloon at {event}.
B: What happened?
A#2: Turns out I react to {food}. The doctor gave me one of those pens to carry around.
B: Glad you are fine. That must have been terrifying.
? paraphrase 2 What is {A} allergic to?
? single 1 At which occasion did {A} swell up?
? paraphrase 2 What must {A} carry for emergencies?
? single 2 What did the doctor give {A} to carry around?
? multi 1,2 Where did {A} swell up and what was the reason?

slots course=nursing|law|marine biology|carpentry; year=two|three|four
A#1: The letter arrived. They accepted me for {course}!
B: I knew it! How long does it take?
A#2: {year} years, evenings and some weekends, so I can keep earning.
B: Who will look after the little ones?
A#3: My mother moves in with us in September. Pray for me.
? paraphrase 1 What is {A} going to study?
? paraphrase 2 How many years does {A}'s degree take?
? paraphrase 3 Who helps {A} with child care?
? single 1 What was {A} accepted for in the letter?
? single 3 When does {A}'s mother move in?
? multi 1,2 For what was {A} accepted, and when are the classes in the week?

slots film=The Last Ferry|Paper Tigers|Cold Harbour; snack=pickles|roasted chestnuts|salted plums
B: Did you make it to the open-air cinema?
A#1: We did, they showed {film}. I cried through the whole second half.
B: You cry at adverts.
A#2: True. I also ate a whole bag of {snack}, which did not help.
? single 1 What movie did {A} watch outdoors?
? single 2 What snack did {A} have at the cinema?
? single 1 When did {A} cry at the cinema?
? single 1 What did the open-air cinema show when {A} was there?

slots cause=the food bank|the river clean-up|the night shelter|a reading club for pupils; day=Sunday|Thursday|Wednesday
A#1: I give my {day}s to {cause} now.
B: How did that start?
A#2: After the flood strangers carried our furniture upstairs. I wanted to return the favour.
B: That is a good reason.
A#3: Last time we were eleven people, the most so far.
? paraphrase 1 Where does {A} volunteer?
? paraphrase 2 What motivated {A} to help the community?
? paraphrase 3 How many volunteers came along with {A}?
? single 1 On which days does {A} go to {cause}?
? single 2 What happened to {A} after the flood?
? temporal 3 How many people were at {cause} with {A} in {month}?

slots car=van|hatchback|pickup|motorcycle; colour=mustard|olive green|silver|dark red
A#1: I sold my old one and got a {colour} {car} from a farmer.
B: Does it even drive?
A#2: It did until Friday, then the gearbox fell out on the bridge.
B: No!
A#3: The garage wants nine hundred for it. I nearly wept.
? paraphrase 1 What vehicle did {A} purchase?
? paraphrase 2 What broke down on the bridge for {A}?
? paraphrase 3 How much does {A}'s repair cost?
? single 1 From whom did {A} get the {car}?
? single 2 When did the gearbox of {A}'s {car} fall out?
? single 3 How much does the garage want from {A}?

slots flat=attic flat|houseboat|cottage with a well|basement studio; town=Ghent|Bergen|Halifax|Graz
A#1: We signed! From the first of the month we live in {town}, in a {flat}.
B: That is so far away. I will need a train pass.
A#2: There is a sofa with your name on it. The boxes are killing me, though.
B: What made you decide?
A#3: The rent here went up by a third, and we wanted hills.
? paraphrase 1 Which town did {A} relocate to?
? single 1 What sort of home did {A} find?
? paraphrase 3 What were {A}'s reasons for moving?
? single 1 When did {A} sign for the {flat}?
? single 3 How much did {A}'s rent go up?
? single 2 What does {A} offer {B} to sleep on in {town}?

slots race=half marathon|triathlon|mountain run|long swim across the bay; time=just under three hours|ninety-one minutes|two hours flat
A#1: I did it! I crossed the line of the {race} last Sunday.
B: Champion! How fast?
A#2: {time}. My legs still refuse stairs.
B: What kept you going?
A#3: My dad stood at every corner with a cowbell.
? single 1 Which race did {A} take part in?
? paraphrase 2 What was {A}'s finishing result?
? paraphrase 3 Who cheered for {A} at the competition?
? temporal 1 When did {A} cross the line of the {race}?
? single 3 What did {A}'s dad do during the {race}?
? temporal 1 Which race did {A} do in {month}?

slots baby=girl|boy; babyname=Ines|Theo|Marta|Jonas
B: Any news from the hospital?
A#1: She is here! A {baby}, at four in the morning, and everyone is well.
B: Congratulations! And the name?
A#2: {babyname}, after my great-aunt who ran the bakery.
B: Give them all a hug from me.
A#3: I will, as soon as my brother lets go of her.
? paraphrase 2 What is the newborn in {A}'s family called?
? paraphrase 1 At what hour was the baby born?
? paraphrase 2 After whom was the child named?
? single 2 After which relative is {babyname} named?
? single 2 What did {A}'s great-aunt run?
? single 3 Who does not let go of the baby?

slots object=grandfather's watch|wedding ring|violin bow|passport; place=a taxi|the swimming pool|the compost heap
A#1: I have turned the house upside down. My {object} is gone.
B: When did you have it last?
A#2: On Monday, I think. I remember it in my coat.
B: Did you look everywhere?
A: Everywhere.
B: Keep calm and retrace your steps.
A#3: Update: it was in {place}. I am never taking it off the shelf again.
? paraphrase 1 What did {A} lose?
? paraphrase 3 Where did the missing {object} turn up?
? multi 1,3 What did {A} misplace and where was it found?
? single 2 When did {A} have the {object} last?
? single 1 What is gone although {A} turned the house upside down?

slots dish=goulash|dumplings|a seven-layer cake|ramen from scratch; guest=her in-laws|twelve colleagues|the whole choir
A#1: Tonight I cook {dish} for {guest}. Wish me luck.
B: You once burned a salad.
A#2: That was the oven glove, not the salad.
B: Tell me how it goes.
A#3: They asked for seconds! Somebody even wanted the recipe.
? single 1 What meal did {A} prepare for guests?
? paraphrase 3 How did people like {A}'s cooking?
? single 3 Did the guests of {A} ask for seconds?
? temporal 1 What did {A} cook in {month}?

slots habit=smoking|sugar|late-night scrolling; days=forty|sixty-two|a hundred
A#1: Today makes {days} days without {habit}.
B: Wow. What is the trick?
A#2: Chewing liquorice root and calling you whenever it gets bad.
B: So that is why you ring at midnight.
? paraphrase 1 Which bad habit has {A} given up?
? paraphrase 2 How does {A} cope with cravings?
? paraphrase 1 For how long has {A} stayed strong?
? single 1 How many days has {A} been without {habit}?
? single 2 What does {A} chew when it gets bad?

slots show=ceramics fair|photo exhibition|poetry night; count=five|nine|fourteen
A#1: They are letting me take part in the {show} downtown.
B: With your own things? Amazing!
A#2: Yes, {count} pieces. I sold two before the doors even opened.
B: What are they about?
A#3: My grandmother's hands, mostly. The way she peeled apples.
? single 1 Where does {A} present her work?
? paraphrase 2 How many works of {A} are on display?
? paraphrase 3 What inspired {A}'s art?
? single 2 How many pieces did {A} sell before the doors of the {show} opened?
? single 3 What are {A}'s pieces about?
? multi 1,2 In which show does {A} take part and with how many pieces?

slots fear=heights|deep water|public speaking|thunderstorms; help=a breathing app|a course at the pool|singing loudly
A#1: Confession: I have always been terrified of {fear}.
B: You? I would never have guessed.
A#2: I am working on it with {help}. Baby steps.
B: That takes courage.
? paraphrase 1 What is {A} afraid of?
? paraphrase 2 What does {A} do to overcome the phobia?
? single 2 What is {A} working on with {help}?
? single 1 What confession did {A} make?

slots gadget=telescope|espresso machine|sewing machine|drone; price=eighty|three hundred|a hundred and ten
A#1: I treated myself: a second-hand {gadget}.
B: How much did they want for it?
A#2: {price}, and he threw in the manual.
B: What will you do with it first?
A#3: Annoy my flatmate, then learn how it works.
? single 2 How much did {A} pay for the {gadget}?
? paraphrase 1 What did {A} buy used?
? single 2 What did the seller throw in with {A}'s {gadget}?
? single 3 Whom will {A} annoy with the {gadget}?

slots friend=Petra|Samir|Old Tom; topic=the boundary hedge|borrowed money|a joke that went wrong
A#1: {friend} and I are not on speaking terms.
B: Oh no, since when?
A#2: Since the barbecue, because of {topic}.
B: Life is short. Ring first.
A#3: I did, we both cried, all good again.
? paraphrase 1 With whom did {A} have a falling out?
? paraphrase 2 What was {A}'s quarrel about?
? paraphrase 3 Did {A} make up again with {friend}?
? single 2 Since when are {A} and {friend} not speaking?
? single 3 What happened when {A} and {friend} cried?

slots language=Portuguese|Finnish|sign language|Arabic; reason=my partner's parents|a job abroad|the new neighbours
A#1: My {language} is getting less embarrassing every week.
B: Why that one?
A#2: Because of {reason}. I want to say more than hello and thank you.
B: Say something!
A: Later, over coffee, when nobody listens.
? single 1 Which language does {A} study?
? paraphrase 2 Why did {A} decide to learn {language}?
? single 2 For whom or what does {A} learn {language}?
? single 1 How is {A}'s {language} getting on?

slots room=kitchen|bathroom|nursery|hallway; colour=sage|terracotta|navy
A#1: We have been scraping wallpaper in the {room} since dawn.
B: What will it look like?
A#2: {colour} walls and the old tiles, if they survive me.
B: And who does the wiring?
A#3: A man called Ferdinand who whistles opera.
? paraphrase 1 Which room is {A} renovating?
? paraphrase 2 What colour did {A} choose for the walls?
? pronoun 3 Who is {A}'s electrician?
? single 1 Where is {A} scraping wallpaper?
? single 2 What happens to the old tiles in {A}'s {room}?
? single 3 Who whistles opera while doing the wiring for {A}?

slots bird=kingfisher|osprey|pair of cranes; place=the gravel pits|the canal lock|the reservoir
A#1: You will not believe what I saw at {place}: a {bird}!
B: Did you get a picture?
A#2: Blurry, but yes. It is my screen background now.
B: Early start?
A: Five o'clock, with two thermos flasks.
? single 1 Which bird did {A} spot?
? paraphrase 2 What does {A} use the photograph for?
? temporal 1 What did {A} observe in {month}?
? single 1 Where did {A} see the {bird}?
? single 2 Was {A}'s picture of the {bird} sharp?
`;
