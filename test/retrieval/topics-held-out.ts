/** Scenes kept apart: no weight and no word list is chosen by looking at how these are answered. */
export const heldOutTopics = `
slots boat=rowing boat|canoe|dinghy; lake=Lake Orta|the Mere|the old harbour
A#1: My uncle left me his {boat}, it has been sitting under a tarp since spring.
B: Are you keeping it?
A#2: Of course! We took it out on {lake} last weekend and only got slightly wet.
B: Slightly?
A#3: I sat down on the wrong side and went in with my phone.
? paraphrase 1 What did {A} inherit?
? single 2 Where did {A} go with the {boat}?
? paraphrase 3 How did {A}'s mobile get ruined?
? single 1 Who left {A} the {boat}?
? temporal 2 When did {A} take the {boat} out?
? multi 1,3 From whom did {A} get the {boat} and how did {A} fall in?

slots subject=chemistry|geography|Latin; child=Leo|Nina|Emil
A#1: {child} came home with a top mark in {subject}, first ever!
B: What changed?
A#2: The girl next door sits with him for an hour before supper.
B: Tell him I am proud.
A#3: He wants to be an astronaut this week, so it comes in handy.
? paraphrase 1 In which school subject did {A}'s child do well?
? paraphrase 2 Who tutors {child}?
? paraphrase 3 What does {A}'s kid dream of becoming?
? single 1 What mark did {child} bring home?
? single 2 How long does the girl next door sit with {child}?
? temporal 1 What did {child} bring home in {month}?

slots illness=shingles|pneumonia|mumps; days=nine|twelve|sixteen
B: You sound awful. Are you all right?
A#1: It is {illness}. I have been in bed for {days} days.
B: Do you need anything?
A#2: My neighbour Hilde leaves broth at the door, she is an angel.
B: I will send crosswords.
? paraphrase 1 What illness did {A} have?
? paraphrase 2 Who takes care of {A} during the sickness?
? single 1 How many days did {A} stay in bed?
? single 2 What does Hilde leave at the door for {A}?
? single 1 Why was {A} in bed?

slots band=the Tin Robins|Glasshouse|Seven Sisters; venue=a former brewery|the town hall|a ship
A#1: My ears are still ringing. {band} played in {venue} and I stood right at the front.
B: I thought you hated crowds.
A#2: I do. My boss had a spare ticket and I could not think of an excuse.
B: And?
A#3: I bought the shirt, so guess.
? single 1 Which band did {A} hear live?
? paraphrase 2 How did {A} get into the concert?
? paraphrase 3 What souvenir did {A} take home from the gig?
? single 1 Where did {band} play when {A} was at the front?
? single 2 Who had a spare ticket for {A}?
? single 3 What did {A} buy at the concert of {band}?

slots tree=walnut|plum|cherry; age=sixty|a hundred|forty
A#1: The storm on Thursday took down our {tree} tree. It stood there for {age} years.
B: Oh, I loved sitting under it.
A#2: The carpenter will turn the trunk into a bench, so you still can.
B: That is a beautiful idea.
? paraphrase 1 What did the bad weather destroy at {A}'s place?
? paraphrase 2 What will be made out of the wood?
? temporal 1 On which day was the storm at {A}'s?
? single 1 How long did the {tree} tree stand at {A}'s?
? single 2 What will the carpenter do with the trunk of {A}'s {tree} tree?

slots exam=driving test|bar exam|sailing licence; attempt=second|third|fourth
A#1: Passed! On the {attempt} try, but who counts.
B: The {exam}? Finally! Cake?
A#2: Already eaten. My examiner hummed the whole time, I found it soothing.
B: What was the hard part?
A#3: Everything in reverse.
? paraphrase 1 How many attempts did {A} need for the {exam}?
? paraphrase 2 What calmed {A} during the exam?
? multi 1,3 Did {A} succeed and what was most difficult?
? single 1 On which try did {A} pass?
? single 2 What did {A}'s examiner do during the {exam}?
? temporal 1 What did {A} pass in {month}?

slots town=Tromsø|Valletta|Oaxaca; month=February|June|October
A#1: Flights are booked. {town} in {month}, just the two of us.
B: What about the twins?
A#2: They go to grandma's farm and will come back feral.
B: What is first on your list?
A#3: Sleep. Then a walk with nobody asking for juice.
? paraphrase 1 Where is {A} travelling next?
? paraphrase 2 Who babysits while {A} is away?
? paraphrase 3 What does {A} look forward to most on the trip?
? single 1 Where are the flights that {A} booked going?
? single 2 Where do the twins of {A} go?
? multi 1,3 Where does {A} fly and what is first on the list?

slots hobby=beekeeping|fencing|bookbinding|fly fishing; cost=a fortune|less than I feared
A#1: I blame you: since your birthday I am hooked on {hobby}.
B: Is it expensive?
A#2: {cost}. The worst is explaining the smell to my husband.
B: Next you will teach me.
A#3: There is a meeting on the twelfth, beginners welcome.
? paraphrase 1 What new pastime has {A} taken up?
? paraphrase 3 When could {B} come along and try it?
? adversarial 1 What is {A} hooked on?
? single 3 When is the meeting for beginners of {hobby}?
? single 2 What smell does {A} have to explain to her husband?
? single 1 Since when is {A} hooked on {hobby}?

slots street=Mill Lane|Chapel Row|Station Road; thing=bakery|bike workshop|flower stall
A#1: We opened the doors of the {thing} on {street} today, after all those forms.
B: How many people came?
A#2: Forty before noon, and a journalist from the local paper.
B: Who stands behind the counter?
A#3: Me and my sister-in-law, until we can pay someone.
? paraphrase 1 What business did {A} launch?
? single 1 On which street is {A}'s {thing}?
? paraphrase 2 How many customers showed up on the first day?
? paraphrase 3 Who are the staff at {A}'s shop?
? single 2 How many people came to the {thing} of {A} before noon?
? single 3 Who stands with {A} behind the counter?
? temporal 1 What did {A} open in {month}?

slots part=tooth|shoulder|hip; doctor=Dr Okafor|Dr Lindqvist|Dr Marsh
A#1: They operate on my {part} on the ninth. I pretend to be calm.
B: Who does it?
A#2: {doctor}, the same one who did my dad's.
B: You will be fine. What do you need afterwards?
A#3: Somebody to walk the dog for a fortnight, honestly.
? paraphrase 1 When is {A}'s surgery?
? single 2 Which surgeon treats {A}?
? paraphrase 3 What help does {A} need while recovering?
? single 1 When do they operate on {A}'s {part}?
? single 3 For how long does {A} need somebody to walk the dog?
? multi 1,2 What operation does {A} have and who does it?

slots neighbour=the couple upstairs|a student called Rafe|the man with the trombone; hour=two|three|half past one
A#1: {neighbour} again, until {hour} in the morning. I have rings under my eyes.
B: Did you say something?
A#2: I pushed a note under the door with a drawing of an owl.
B: Very diplomatic.
A#3: They answered with earplugs and a bottle of wine!
? paraphrase 1 Who keeps {A} awake at night?
? paraphrase 2 How did {A} complain about the noise?
? paraphrase 3 What did {A} receive as an apology?
? single 2 What drawing was on {A}'s note under the door?
? single 3 Who answered {A} with earplugs and wine?
? single 1 Until when did {neighbour} go on at night at {A}'s?

slots team=under-elevens|veterans|ladies' second team; score=three to one|six nil|on penalties
A#1: I said yes to training the {team}. Me, with my whistle.
B: Do they listen?
A#2: No, but on Saturday they won {score}.
B: Already a legend.
A#3: The captain's mother knitted me a scarf in our colours.
? paraphrase 1 Which group does {A} coach?
? paraphrase 2 How did the match end?
? paraphrase 3 What gift was {A} given by a parent?
? single 2 What score did {A}'s {team} win by?
? single 3 Who knitted {A} a scarf?
? single 1 Which team is {A} training?

slots heirloom=wall clock|quilt|accordion; person=my godmother|an old sailor|great-uncle Bruno
A#1: I am mending a {heirloom} that belonged to {person}.
B: Is it worth anything?
A#2: The dealer said twelve hundred. I would not part with it for ten times that.
B: What is wrong with it?
A#3: Moths and a century of damp, mostly.
? paraphrase 1 What old item is {A} restoring?
? paraphrase 2 How valuable is the antique?
? single 1 To whom did the {heirloom} belong?
? single 2 What did the dealer say about {A}'s {heirloom}?
? single 3 What is wrong with {A}'s {heirloom}?
? multi 1,3 What is {A} mending and what damage does it have?

slots diet=vegan|without salt|only what grows here; week=first|third|fifth
A#1: This is my {week} week of eating {diet}.
B: Doctor's orders?
A#2: My blood pressure scared both of us. So yes.
B: What do you miss?
A#3: Pretzels. I dream of them. With mustard.
? paraphrase 2 Why did {A} change the diet?
? paraphrase 3 Which food does {A} long for?
? multi 1,2 How does {A} eat now and for which medical reason?
? single 1 How many weeks has {A} been eating {diet}?
? single 2 What scared {A} about the blood pressure?
? single 3 What does {A} dream of eating?

slots river=the Drava|the Wye|the Loire; nights=three|five|six
A#1: We slept in tents along {river} for {nights} nights, only bicycles and a stove.
B: With the weather we had?
A#2: It rained on all of them. My daughter called it the mud tour.
B: Would you do it again?
A#3: She has already drawn the map for next summer.
? paraphrase 1 Where did {A} go camping?
? paraphrase 2 What was the weather like on {A}'s cycling trip?
? paraphrase 3 Who plans {A}'s next tour?
? single 1 How many nights did {A} sleep in tents along {river}?
? single 2 What did {A}'s daughter call the tour?
? single 3 When does {A} want to go on the next tour?

slots role=the witch|a corpse|the king's cook; play=the village pantomime|a murder mystery|an opera for children
A#1: They cast me as {role} in {play}. Two whole sentences!
B: When can I see it?
A#2: Opening night is on the twenty-third. Bring tomatoes.
B: Are you nervous?
A#3: I recite it to the cat and she leaves the room.
? paraphrase 1 Which part does {A} act on stage?
? paraphrase 2 What is the date of {A}'s premiere?
? paraphrase 3 How does {A} rehearse?
? single 1 How many sentences does {A} say in {play}?
? single 2 When is opening night of {A}'s play?
? single 3 To whom does {A} recite the lines?

slots thief=someone|two teenagers|a man in a hat; item=bicycle|handbag|laptop
A#1: {thief} took my {item} from the café while I paid.
B: Did you report it?
A#2: I spent the afternoon with a very bored policeman.
B: Insurance?
A#3: They cover half. I am buying a lock the size of a dog.
? paraphrase 1 What was stolen from {A}?
? paraphrase 2 Did {A} go to the police?
? paraphrase 3 How much does {A} get back from the insurance?
? single 1 Where did {thief} take {A}'s {item}?
? single 2 With whom did {A} spend the afternoon after the {item} was taken?
? single 3 What lock is {A} buying?
`;
