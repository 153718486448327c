import type { AnswerKind, Intent } from '@callwright/language';

/** How callers answer one kind of question, and what each line means: yes, no, unknown, or a value. */
export const ANSWERS: readonly {
  readonly answer: AnswerKind;
  readonly choices?: readonly string[];
  readonly lines: readonly (readonly [line: string, meaning: string])[];
}[] = [
  {
    answer: 'yes_no',
    lines: [
      ...(
        "yes|yes please|yeah|yep|yup|sure|sure thing|of course|absolutely|definitely|certainly|correct|that's correct|that's right|right|ok|okay|" +
        'alright|fine|fine by me|sounds good|sounds great|that works|that works for me|works for me|that suits me|that would be great|' +
        "that'd be lovely|go ahead|go for it|please do|by all means|why not|you bet|I do|I am|I have|I did|I will|I can|I would|I would love to|" +
        "I'd like that|I think so|I guess so|I suppose so|I believe so|yes it is|it is|exactly|indeed|speaking|this is she|that's me|" +
        "no problem|not a problem|I don't mind|I'd be happy to|gladly|uh huh|mhm|very much so|perfect|yes I can make it|I'll be there|" +
        "count me in|let's do it|let's do that|oh yes|um yes I think so|well yes|yeah that's fine|all good|it does|we do|we are"
      )
        .split('|')
        .map((line) => [line, 'yes'] as const),
      ...(
        "no|nope|nah|no thanks|no thank you|not really|not yet|not today|never|I don't|I do not|I don't think so|I'm afraid not|" +
        "I'd rather not|I can't|I cannot|I can't make it|I won't|I haven't|I didn't|I'm not|unfortunately not|no way|absolutely not|certainly not|" +
        "of course not|definitely not|that's wrong|that's not right|that's not correct|no that's incorrect|negative|it isn't|it's not|it doesn't|" +
        "we don't|we are not|no sorry Tuesday doesn't work for me|Tuesday doesn't suit me|that doesn't work for me|I won't be able to come|" +
        "I have to say no|no I'm good|hardly|I couldn't|not at the moment|I'm unable to|sorry but no|no can do"
      )
        .split('|')
        .map((line) => [line, 'no'] as const),
      ..."I'm not sure|I don't know|maybe|perhaps|it depends|I can't say|I have no idea|hard to say|possibly|I'll have to think about it|not sure yet"
        .split('|')
        .map((line) => [line, 'unknown'] as const),
    ],
  },
  {
    answer: 'date',
    lines: [
      ['Tuesday', 'Tuesday'],
      ['on Tuesday please', 'Tuesday'],
      ['how about Thursday', 'Thursday'],
      ['could we do Friday instead', 'Friday'],
      ['Tuesday does not work but Thursday does', 'Thursday'],
      ['not Monday, Wednesday', 'Wednesday'],
      ['anything but Monday, say Wednesday', 'Wednesday'],
      ['no, Friday is better', 'Friday'],
      ['next Friday', 'next Friday'],
      ['tomorrow', 'tomorrow'],
      ['the day after tomorrow', 'day after tomorrow'],
      ['today if possible', 'today'],
      ['on the twenty first', 'the 21st'],
      ['the fifth of May', 'May 5'],
      ['May the fifth', 'May 5'],
      ['the third', 'the 3rd'],
      ['next week', 'next week'],
      ['the weekend', 'weekend'],
      ['any day is fine', 'any day'],
      ["I don't care, whenever", 'any day'],
      ['Monday morning', 'Monday morning'],
      ['tomorrow at seven pm', 'tomorrow at 7 pm'],
      ['Sunday at half past ten', 'Sunday half past ten'],
    ],
  },
  {
    answer: 'time',
    lines: [
      ['at three', "3 o'clock"],
      ['three pm', '3 pm'],
      ["three o'clock", "3 o'clock"],
      ['half past two', 'half past two'],
      ['quarter to nine', 'quarter to nine'],
      ['ten thirty', '10:30'],
      ['ten fifteen in the morning', '10:15 in the morning'],
      ['in the morning', 'morning'],
      ['around noon', 'noon'],
      ['five in the evening', '5 in the evening'],
      ['after lunch', 'afternoon'],
      ['any time', 'any time'],
      ['whenever suits you', 'any time'],
      ['not before four', "4 o'clock"],
    ],
  },
  {
    answer: 'number',
    lines: [
      ['three', '3'],
      ['there are four of us', '4'],
      ['just the two of us', '2'],
      ['just me', '1'],
      ['only myself', '1'],
      ['a couple', '2'],
      ['a dozen', '12'],
      ['two hundred and fifty', '250'],
      ['about twelve hundred', '1200'],
      ['fifteen I think', '15'],
      ['none', '0'],
      ['zero', '0'],
      ['my wife and I', '2'],
      ['not three, four', '4'],
    ],
  },
  {
    answer: 'digits',
    lines: [
      ['nine eight double seven oh', '98770'],
      ['triple five one', '5551'],
      ["it's 98765 43210", '9876543210'],
      ['four two seven', '427'],
      ['twenty four thirty one', '2431'],
      ['one hundred five', '105'],
    ],
  },
  {
    answer: 'name',
    lines: [
      ['John', 'John'],
      ['my name is john smith', 'John Smith'],
      ["it's Anna", 'Anna'],
      ["I'm Peter", 'Peter'],
      ['the name is Bond', 'Bond'],
      ['this is Sarah speaking', 'Sarah'],
      ['Sarah with an h', 'Sarah'],
      ['Smith, S M I T H', 'Smith'],
      ['Anna, that is A N N A', 'Anna'],
      ['you can call me Joe', 'Joe'],
      ['S M I T H', 'Smith'],
      ['yes it is Maria Lopez', 'Maria Lopez'],
      ['under the name of Miller', 'Miller'],
      ['Miller please', 'Miller'],
    ],
  },
  {
    answer: 'choice',
    choices: ['morning', 'evening'],
    lines: [
      ['the morning', 'morning'],
      ['evening would be better', 'evening'],
      ['not the morning, the evening', 'evening'],
      ['the first one', 'morning'],
      ['the second', 'evening'],
      ['the latter', 'evening'],
      ["I don't mind", 'unknown'],
      ['either is fine', 'unknown'],
    ],
  },
];

/** Lines that answer no question, by what the caller wants; null: nothing of the kind. */
export const ASIDES: readonly (readonly [line: string, intent: Intent | null])[] = [
  ['why do you need that', 'why_asked'],
  ['what do you need that for', 'why_asked'],
  ['why do you want to know', 'why_asked'],
  ['what is that for', 'why_asked'],
  ['why are you asking', 'why_asked'],
  ['is that really necessary', 'why_asked'],
  ['say that again', 'repeat'],
  ['can you repeat that please', 'repeat'],
  ["sorry I didn't catch that", 'repeat'],
  ['come again', 'repeat'],
  ['pardon me', 'repeat'],
  ['what was the question', 'repeat'],
  ['could you speak more slowly', 'repeat'],
  ['who is this', 'who'],
  ['who am I talking to', 'who'],
  ["who's calling", 'who'],
  ['where are you calling from', 'who'],
  ['what is this about', 'why'],
  ['why are you calling', 'why'],
  ['hold on', 'hold'],
  ['hang on a second', 'hold'],
  ['one moment please', 'hold'],
  ['let me get a pen', 'hold'],
  ['let me think about it', 'hold'],
  ['give me a minute', 'hold'],
  ['are you a robot', 'robot'],
  ['can I talk to a human', 'human'],
  ['stop calling me', 'stop_calling'],
  ["I'm not interested", 'not_interested'],
  ['wrong number', 'wrong_person'],
  ['you have the wrong number', 'wrong_person'],
  ['call me back tomorrow', 'later'],
  ['not now thanks', 'later'],
  ["I'm driving", 'later'],
  ['goodbye', 'goodbye'],
  ['okay bye', 'goodbye'],
  ['bye for now', 'goodbye'],
  ['that is all thanks', 'goodbye'],
  ["that's all I needed", 'goodbye'],
  ['I have to go', 'goodbye'],
  ['do not say goodbye yet', null],
  ['no sorry, Tuesday does not work for me', null],
  ['I have to go to work on Tuesday', null],
  ['I need to leave at five', null],
  ['it is not for me, it is for my son', null],
  ['I said goodbye to sugar', null],
];
