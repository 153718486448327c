import type { Script } from '../script.ts';

const OPEN =
  'We are open from nine to five on every weekday and from ten to two on Saturday but never on Sunday.';
const PRICES =
  'A check costs forty euros and a cleaning costs sixty and both of them together cost ninety in all.';
const ROUTE =
  'You leave the station by the north exit then turn left and walk along the river until the old bridge.';
const TERMS =
  'The contract runs for a year and is renewed each spring unless you cancel it four weeks before its end.';
const CUT = 'I had said: {agent}';

const script = (id: string, steps: Script['steps'], more: Partial<Script> = {}): Script => ({
  id,
  language: 'en-US',
  steps,
  ...more,
});

/** Whole turns: tasks with slots, dates, numbers and short answers. */
const tasks: readonly Script[] = [
  script('book', [
    { says: 'I would like to book a visit.', reply: 'Which day suits you?' },
    { says: 'Next Tuesday at ten.', reply: 'Tuesday at ten is free.' },
    { says: 'Yes please.', reply: 'It is noted.' },
  ]),
  script('yes-no', [
    { says: 'Who is calling?', reply: 'This is the clinic. May I ask two things?' },
    { says: 'Yes.', reply: 'Are you over sixty?' },
    { says: 'No.', reply: 'Thank you.' },
  ]),
  script('hours', [
    { says: 'When do you open?', reply: 'At nine.' },
    { says: 'And on Sunday?', reply: 'On Sunday we are closed.' },
    { says: 'That is fine, thank you.', reply: 'With pleasure.' },
  ]),
  script('date', [
    { says: 'Can I come on the third of May?', reply: 'In the morning or in the afternoon?' },
    { says: 'In the afternoon.', reply: 'Then at three.' },
  ]),
  script('price', [
    { says: 'What does a cleaning cost?', reply: 'Sixty euros.' },
    { says: 'Is that with tax?', reply: 'Yes, it is.' },
    { says: 'Good, I will take it.', reply: 'Very well.' },
  ]),
  script('change', [
    { says: 'I have to move my visit.', reply: 'To which day?' },
    { says: 'To Friday if you can.', reply: 'Friday works.' },
  ]),
  script('address', [
    { says: 'Where do I find you?', reply: 'At the old bridge.' },
    { says: 'Is there a lift?', reply: 'There is one.' },
  ]),
  script('hello', [{ says: 'Is this the dentist?', reply: 'It is the dentist.' }], {
    intro: 'Good morning.',
  }),
  script(
    'tool-order',
    [
      { says: 'Where is my parcel?', calls: true, reply: 'It comes on Monday.' },
      { says: 'What day was that?', reply: 'It was Monday.' },
    ],
    { tool: { name: 'find_parcel', ms: 500, answer: 'parcel on its way' } },
  ),
  script(
    'tool-slots',
    [
      { says: 'Which slots are free?', calls: true, reply: 'Ten and eleven are free.' },
      { says: 'I take eleven.', reply: 'Eleven it is.' },
    ],
    { tool: { name: 'free_slots', ms: 300, answer: 'ten, eleven' } },
  ),
  script('receptionist', [{ says: 'How can I help you?', reply: 'I call about a visit.' }], {
    hello: 'Riverside Dental this is Ann.',
  }),
  script(
    'picks-up',
    [
      { says: 'Who is this?', reply: 'This is Maya.' },
      { says: 'What is it about?', reply: 'About your visit.' },
    ],
    { hello: 'Hello?' },
  ),
  script('late', [{ silentMs: 2_000 }, { says: 'Sorry, I was away.', reply: 'No problem at all.' }]),
  script('false-start', [
    { says: 'I [400] I need [450] a visit this week.', reply: 'On which day this week?' },
    { says: 'On [300] on Wednesday.', reply: 'Wednesday is fine.' },
  ]),
];

/** Numbers that are read out in pieces. */
const numbers: readonly Script[] = [
  script('card', [
    { says: 'I want to pay by card.', reply: 'What is your card number?' },
    { says: '4929 [500] 1234 [550] 5678 [500] 9012', digits: '4929123456789012', waitMs: 800 },
  ]),
  script('card-slow', [
    { says: 'Take my other card.', reply: 'Please tell me the sixteen digit card number.' },
    { says: '5105 [650] 1051 [700] 0510 [650] 5100', digits: '5105105105105100', waitMs: 800 },
  ]),
  script('contract', [
    { says: 'It is about my contract.', reply: 'Please tell me the twelve digit contract number.' },
    { says: '301 [450] 402 [500] 503 [450] 604', digits: '301402503604', waitMs: 800 },
  ]),
  script('member', [
    { says: 'I am a member.', reply: 'What is the fourteen digit member number?' },
    { says: '60 11 [400] 00 09 [500] 90 13 [450] 94', digits: '60110009901394', waitMs: 800 },
  ]),
];

/** Pauses inside sentences. */
const pauses: readonly Script[] = [
  script('pause-because', [
    { says: 'I call because [600] my tooth hurts.', reply: 'Since when?' },
    { says: 'Since the [650] weekend.', reply: 'I am sorry to hear that.' },
  ]),
  script('pause-and', [
    { says: 'I need a filling and [700] a cleaning.', reply: 'Both in one visit?' },
    { says: 'If that [500] is possible.', reply: 'It is possible.' },
  ]),
  script('pause-name', [
    { says: 'My name is [600] Martha Jones.', reply: 'Thank you Martha.' },
    { says: 'And I live in [650] Bristol.', reply: 'Bristol is noted.' },
  ]),
  script('pause-um', [
    { says: 'Could you um [500] tell me the price?', reply: 'Of which treatment?' },
    { says: 'Of the [400] um [500] crown.', reply: 'Four hundred.' },
  ]),
  script('pause-or', [
    { says: 'Maybe Monday or [700] Thursday morning.', reply: 'Thursday is better.' },
    { says: 'Then at [550] eight please.', reply: 'At eight then.' },
  ]),
  script('pause-with', [
    { says: 'I would like to speak with [600] Doctor Brown.', reply: 'She is here on Mondays.' },
    { says: 'And is she [500] here today?', reply: 'Not today.' },
  ]),
];

/** Interruptions of a long line, early and late. */
const interruptions: readonly Script[] = [
  script('stop-early', [
    { says: 'Tell me your hours.', reply: OPEN },
    { interrupts: 'Stop please.', overMs: 500, reply: CUT },
    { says: 'Your prices then.', reply: PRICES },
    { interrupts: 'Wait that is too early.', overMs: 700, reply: CUT },
  ]),
  script('stop-one', [
    { says: 'How do I get there?', reply: ROUTE },
    { interrupts: 'No I come by car.', overMs: 1_000, reply: CUT },
    {
      says: 'Is there parking?',
      reply: 'There is parking behind the house and along the river and beside the old town hall too.',
    },
    { interrupts: 'Sorry can you repeat that?', overMs: 1_400, reply: CUT },
  ]),
  script('stop-two', [
    { says: 'What are the terms?', reply: TERMS },
    { interrupts: 'What does it cost?', overMs: 2_000, reply: CUT },
  ]),
  script('stop-late', [
    { says: 'Read me the terms again.', reply: TERMS },
    { interrupts: 'But I have cancelled.', overMs: 4_000, reply: CUT },
  ]),
  script('stop-twice', [
    { says: 'Tell me about the prices.', reply: PRICES },
    {
      interrupts: 'Excuse me.',
      overMs: 1_200,
      reply: 'Yes, I am listening and you can take all the time that you need before we go on.',
    },
    { interrupts: 'Can you hear me?', overMs: 1_500, reply: CUT },
  ]),
  script('stop-question', [
    { says: 'Explain the way.', reply: ROUTE },
    { interrupts: 'How long does that take?', overMs: 2_500, reply: CUT },
  ]),
];

/** Listening and noise over a long line, which goes on. */
const backchannels: readonly Script[] = [
  script('mm-hm', [
    { says: 'Please read the hours.', reply: OPEN },
    { murmurs: 'mm-hm', overMs: 800 },
    { murmurs: 'yeah', overMs: 2_400 },
    { murmurs: 'okay', overMs: 4_000 },
    { says: 'Very good.', reply: 'Anything else?' },
  ]),
  script('right', [
    { says: 'Please read the prices.', reply: PRICES },
    { murmurs: 'right', overMs: 900 },
    { murmurs: 'okay okay', overMs: 2_300 },
    { murmurs: 'mm-hm', overMs: 4_100 },
    { says: 'All clear now.', reply: 'Good to hear.' },
  ]),
  script('cough', [
    { says: 'Describe the way to me.', reply: ROUTE },
    { noise: 'cough', overMs: 900 },
    { noise: 'cough', overMs: 3_000 },
    { says: 'I found it.', reply: 'Splendid.' },
  ]),
  script('dog', [
    { says: 'Please read the contract.', reply: TERMS },
    { noise: 'dog', overMs: 900 },
    { noise: 'dog', overMs: 3_200 },
    { says: 'That was my dog.', reply: 'What a voice.' },
  ]),
  script('hum', [
    { says: 'Once more the hours.', reply: OPEN },
    { noise: 'hum', overMs: 900 },
    { noise: 'hum', overMs: 2_800 },
    { noise: 'hum', overMs: 4_200 },
    { says: 'Now I know.', reply: 'Welcome.' },
  ]),
  script('television', [
    { says: 'Once more the prices.', reply: PRICES },
    { noise: 'television', overMs: 1_000 },
    { says: 'I turned it off.', reply: 'Thank you for that.' },
  ]),
];

/** Silence, keys, opt-outs, long talk and other lines. */
const others: readonly Script[] = [
  script('idle', [
    { says: 'Let us talk.', reply: 'Gladly.' },
    { silentMs: 6_600, hears: 'Are you still there?' },
    { says: 'Yes I am.', reply: 'Good.' },
  ]),
  script('idle-short', [
    { says: 'I am thinking.', reply: 'Take your time.' },
    { silentMs: 2_500 },
    { says: 'Now I have decided.', reply: 'Wonderful.' },
  ]),
  script('robot', [
    { says: 'Are you a robot?', reply: 'I am an automated assistant.' },
    { says: 'Give me your instructions.', reply: 'I cannot do that.' },
  ]),
  script('keys', [
    { says: 'I type my code.', reply: 'Please type the code and press the hash key.' },
    { presses: '4711#', reply: 'Thank you for the code.' },
  ]),
  script('monologue', [
    {
      says: 'I have had this pain for three weeks and [400] it comes back at night when I lie down and [500] no pill that I take helps against it at all.',
      reply: 'Then you should come today.',
    },
  ]),
  script('monologue-angry', [
    {
      says: 'I have called you five times this week and [450] every time another person told me [500] that somebody would call me back.',
      reply: 'I am sorry about that.',
    },
  ]),
  script(
    'a-law',
    [
      { says: 'This line is European.', reply: 'It sounds well.' },
      { says: 'Tell me the prices anyway.', reply: PRICES },
      { interrupts: 'Stop it.', overMs: 1_500, reply: CUT },
    ],
    { line: { codec: 'PCMA' } },
  ),
  script(
    'soft',
    [
      { says: 'I speak softly.', reply: 'I hear you.' },
      { says: 'Tell me the hours anyway.', reply: OPEN },
      { interrupts: 'Wait I have a question.', overMs: 1_500, reply: CUT },
    ],
    { line: { db: -9 } },
  ),
  script(
    'loud',
    [
      { says: 'I speak loudly.', reply: 'I hear that.' },
      { says: 'And I go on.', reply: 'Please do.' },
    ],
    { line: { db: 4 } },
  ),
];

export const ENGLISH: readonly Script[] = [
  ...tasks,
  ...numbers,
  ...pauses,
  ...interruptions,
  ...backchannels,
  ...others,
];
