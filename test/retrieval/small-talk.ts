/** Exchanges that answer nothing, put around the scenes. */
export const smallTalk: readonly (readonly string[])[] = [
  ['Hey {B}! How are you?', 'Hi {A}, can not complain. You?', 'Busy, but good busy.'],
  ['{B}, are you awake?', 'Barely. What is up, {A}?', 'Nothing, I just wanted to hear a voice.'],
  [
    'What a grey week.',
    'I have forgotten what the sun looks like.',
    'Soup weather, then.',
    'Always soup weather with you, {A}.',
  ],
  ['Did you see the news?', 'I stopped looking. It ruins my breakfast.', 'Wise.'],
  ['Long time no talk, {B}!', 'Far too long. My fault, work ate me alive.', 'No apologies needed, friend.'],
  ['I am on the train, so I may disappear in a tunnel.', 'As long as you come out again.', 'No promises.'],
  ['Anything planned for the weekend?', 'Laundry, a walk, maybe a film if I stay awake.', 'We are so wild.'],
  [
    'Your message made me laugh out loud in a meeting.',
    'Good. Meetings need it.',
    'My boss did not think so.',
  ],
  ['Can you believe it is almost the end of the month?', 'Time is a strange animal, {A}.'],
  ['Thanks for listening the other day.', 'Any time, {A}. You would do the same.', 'I would, with cake.'],
  [
    'The bus was late again, forty minutes in the rain.',
    'You should learn to love the bike.',
    'I love being dry.',
  ],
  ['My plants are still alive, in case you wondered.', 'I did wonder. Which ones?', 'The plastic ones.'],
  ['I slept ten hours.', 'Who are you and what have you done with {A}?', 'I feel like a new person.'],
  ['Have you eaten?', 'A biscuit counts, right?', 'It does not, {B}. Go and eat.'],
  ['Talk soon?', 'Soon! Take care of yourself, {A}.', 'You too, {B}. Hugs.'],
  ['I have to run, the doorbell.', 'Go, go. Later!'],
  ['It was good to catch up.', 'It always is. Say hello to everyone.', 'I will.'],
  [
    'Remember the summer when we did nothing at all?',
    'Best summer of my life.',
    'We should book one of those again.',
  ],
];
