import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language, conversationPhrases } from '@callwright/language';
import type { Expected } from '../ports.ts';
import { Said } from '../said.ts';
import { closureOf } from './closure.ts';

const closure = (
  text: string,
  language: Language = 'en-US',
  expected: Expected | null = null,
  question = '',
) => closureOf(Said.of(text), { ...conversationPhrases(language), language }, expected, question);

describe('words of the caller', () => {
  it.each(['yes', 'No thank you', 'okay', 'Goodbye.'])('%j is an answer', (text) =>
    expect(closure(text)).toBe('answer'),
  );

  it.each([
    'I want to book a table.',
    'When?',
    'my number is 9876543210.',
    'yes it is',
    'yes I am',
    'yes you can',
    'no I did not',
    'no I am not',
    "no I don't",
    'yes I would like to',
    'I think so',
    "I don't think so",
  ])('%j are complete', (text) => expect(closure(text)).toBe('complete'));

  it.each([
    'What time do you open?',
    'Is it open today?',
    'Hello, can I bring my dog?',
    '请问你们几点开门？',
    'आप कब खुलते हैं?',
    'متى تفتحون في الصباح؟',
  ])('%j are a whole question', (text) => {
    const language = /\p{Script=Han}/u.test(text) ? 'zh-CN' : /[ऀ-ॿ]/u.test(text) ? 'hi-IN' : 'en-US';
    expect(closure(text, language)).toBe('question');
  });

  it.each([
    'What time?',
    'Hello?',
    'I come on Tuesday, right?',
    'Can you tell me?',
    'Well, do you know?',
    'Who is it for?',
    'मैं कल आऊँ, ना?',
  ])('%j are a question to which more may be added', (text) => {
    expect(closure(text, text.startsWith('म') ? 'hi-IN' : 'en-US')).toBe('complete');
  });

  it.each([
    'I want to book a table and',
    'I want to book a table and.',
    'it is',
    'yes my name is',
    'yes and it is',
    'I was thinking,',
    'well...',
  ])('%j are the middle of a sentence', (text) => expect(closure(text)).toBe('unfinished'));

  it.each([
    'my number is nine eight seven',
    'nine eight',
    '987',
    'so',
    'it is spelled k u m a r',
    'Tuesday maybe',
  ])('%j may go on', (text) => expect(closure(text)).toBe('open'));

  it.each([
    'um',
    'let me check',
    'Okay, let me see.',
    'yes hold on',
    'my number is, um',
    'just a minute please',
    'ek minute',
  ])('%j ask to wait', (text) => expect(closure(text)).toBe('waiting'));

  it.each(['can you hold on?', 'It takes one minute.', "I can't wait."])('%j do not ask to wait', (text) =>
    expect(closure(text)).not.toBe('waiting'),
  );

  it.each(['I want to book a table', 'tomorrow morning', '9876543210', 'flat two'])(
    '%j are neither',
    (text) => expect(closure(text)).toBe('default'),
  );

  it.each([
    ['hi-IN', 'मुझे कल आना है और', 'unfinished'],
    ['hi-IN', 'मुझे कल आना है।', 'complete'],
    ['hi-IN', 'जी हाँ', 'answer'],
    ['hi-IN', 'मेरा नंबर नौ आठ', 'open'],
    ['hi-IN', 'मेरा नंबर ९८७', 'open'],
    ['hi-IN', 'haan par', 'unfinished'],
    ['hi-IN', 'हाँ एक मिनट', 'waiting'],
    ['hi-IN', 'haan ek minute', 'waiting'],
    ['ta-IN', 'ஒரு நிமிஷம்', 'waiting'],
    ['te-IN', 'ఒక్క నిమిషం', 'waiting'],
    ['bn-IN', 'এক মিনিট', 'waiting'],
    ['mr-IN', 'एक मिनिट थांबा', 'waiting'],
    ['kn-IN', 'ಒಂದು ನಿಮಿಷ', 'waiting'],
    ['gu-IN', 'એક મિનિટ', 'waiting'],
    ['pa-IN', 'ਇੱਕ ਮਿੰਟ', 'waiting'],
    ['od-IN', 'ଗୋଟିଏ ମିନିଟ୍', 'waiting'],
    ['ms-MY', 'sekejap ya', 'waiting'],
    ['my-MM', 'ခဏလေး', 'waiting'],
    ['zh-CN', '好的，请稍等', 'waiting'],
    ['ar-AE', 'لحظة من فضلك', 'waiting'],
    ['zh-CN', '我想订位然后', 'unfinished'],
    ['zh-CN', '我想订位。', 'complete'],
    ['ta-IN', 'நாளைக்கு வரணும் ஆனால்', 'unfinished'],
    ['ar-AE', 'أريد موعدا لكن', 'unfinished'],
    ['ar-AE', 'متى؟', 'complete'],
  ] as const)('are judged in %s: %j', (language, text, wanted) => {
    expect(closure(text, language)).toBe(wanted);
  });

  it('are an answer when they match the expected one', () => {
    const expected: Expected = { kinds: ['choice'], phrases: ['the red one'] };
    expect(closure('the red one', 'en-US', { ...expected, kinds: ['free'] })).toBe('answer');
    expect(closure('next tuesday', 'en-US', { kinds: ['date'], phrases: [] })).toBe('answer');
    expect(closure('next tuesday or', 'en-US', { kinds: ['date'], phrases: [] })).toBe('unfinished');
    expect(closure('nine', 'en-US', { kinds: ['number'], phrases: [] })).toBe('answer');
    expect(closure('nine', 'en-US', { kinds: ['digits'], phrases: [] })).toBe('dictating');
    expect(closure('it would be on tuesday I guess', 'en-US', { kinds: ['date'], phrases: [] })).toBe(
      'default',
    );
  });

  it('are whole when they introduce the name that was asked for', () => {
    const name: Expected = { kinds: ['name'], phrases: [] };
    for (const text of ['My name is Robert', "My name's Anna Maria", "It's Thomas", 'I am Susan Miller'])
      expect(closure(text, 'en-US', name)).toBe('complete');
    expect(closure('My name is', 'en-US', name)).toBe('unfinished');
    expect(closure('My name is Robert and', 'en-US', name)).toBe('unfinished');
    expect(closure('My name is Robert', 'en-US')).toBe('default');
    expect(closure('My name is on the letter that you sent', 'en-US', name)).toBe('default');
  });

  it('"I am" is the answer to a question of yes or no, and else the start of a sentence', () => {
    expect(closure('I am', 'en-US', null, 'Are you the owner of the car?')).toBe('complete');
    expect(closure('I am', 'en-US', null, 'How old is the car?')).toBe('open');
  });

  it.each(LANGUAGES)('are an answer when they mean yes or no in %s', (language) => {
    for (const answer of conversationPhrases(language).shortAnswers)
      expect(closure(answer, language)).toBe('answer');
  });
});

describe('a dictated number', () => {
  const phone = 'May I have your phone number?';
  const card = 'Please tell me your card number.';

  it.each<[string, string, string]>([
    ['a phone number of ten digits', phone, 'nine eight seven six five four three two one zero'],
    ['double and triple', phone, 'nine double eight triple six five four three two'],
    ['pairs', phone, 'ninety eight seventy six fifty four thirty two ten'],
    ['a country code', phone, 'plus one four one five five five five oh one double three'],
    ['sixteen digits of a card', card, '4111 1111 1111 1111'],
    ['a code of the length named', 'Please read me the six digit code.', 'four five six one two three'],
    ['the last four', 'What are the last four digits?', '4 5 6 7'],
  ])('is complete at its last digit: %s', (_what, question, text) => {
    expect(closure(text, 'en-US', null, question)).toBe('complete');
    const short = text.split(' ').slice(0, -1).join(' ');
    expect(['dictating', 'open']).toContain(closure(short, 'en-US', null, question));
    expect(closure(text.split(' ').slice(0, 3).join(' '), 'en-US', null, question)).toBe('dictating');
  });

  it('is one turn of sixteen digits, wherever the caller pauses', () => {
    const digits = 'four one one one two two two two three three three three four four four four'.split(' ');
    for (let n = 1; n < 15; n++) {
      expect(closure(digits.slice(0, n).join(' '), 'en-US', null, card)).toBe('dictating');
    }
    // Fifteen are a card of American Express.
    expect(closure(digits.slice(0, 15).join(' '), 'en-US', null, card)).toBe('open');
    expect(closure(digits.join(' '), 'en-US', null, card)).toBe('complete');
  });

  it('waits for the rest of a national number that starts like the country code', () => {
    expect(closure('9198765432', 'en-IN', null, phone)).toBe('open');
    expect(closure('919876543210', 'en-IN', null, phone)).toBe('complete');
  });

  it('stays open while digits of unknown length come in pieces', () => {
    expect(closure('4111 1111 1111')).toBe('open');
    expect(closure('12', 'en-US', null, 'What is your order number?')).toBe('dictating');
  });

  it('of unknown length may be over from four digits on, and below ten', () => {
    const order = 'What is your order number?';
    for (const [text, wanted] of [
      ['four two seven', 'dictating'],
      ['four two seven one', 'number'],
      ['A B four two', 'number'],
      ['4271', 'number'],
      ['four two seven one nine three five five two', 'number'],
      ['four two seven one nine three five five two one', 'open'],
    ] as const) {
      expect([text, closure(text, 'en-US', null, order)]).toEqual([text, wanted]);
      expect([text, closure(text, 'en-US', { kinds: ['digits'], phrases: [] })]).toEqual([text, wanted]);
    }
  });

  it('is complete at the length that the brain names, whatever the question says', () => {
    const expected: Expected = { kinds: ['digits'], phrases: [], digits: 7 };
    expect(closure('four two seven one nine three', 'en-US', expected, 'And the number?')).toBe('dictating');
    expect(closure('four two seven one nine three five', 'en-US', expected, 'And the number?')).toBe(
      'complete',
    );
  });

  it.each<[Language, string, string]>([
    ['hi-IN', 'आपका मोबाइल नंबर क्या है?', 'नौ आठ सात छह पाँच चार तीन दो एक शून्य'],
    ['hi-IN', 'आपका मोबाइल नंबर क्या है?', 'nau aath saat chhe paanch char teen do ek zero'],
    ['ta-IN', 'உங்கள் மொபைல் எண் என்ன?', 'ஒன்பது எட்டு ஏழு ஆறு ஐந்து நான்கு மூன்று இரண்டு ஒன்று பூஜ்யம்'],
    ['te-IN', 'మీ ఫోన్ నంబర్ చెప్పండి?', 'తొమ్మిది ఎనిమిది ఏడు ఆరు ఐదు నాలుగు మూడు రెండు ఒకటి సున్నా'],
    ['bn-IN', 'আপনার মোবাইল নম্বর কী?', 'নয় আট সাত ছয় পাঁচ চার তিন দুই এক শূন্য'],
    ['mr-IN', 'तुमचा मोबाईल नंबर काय आहे?', 'नऊ आठ सात सहा पाच चार तीन दोन एक शून्य'],
    ['kn-IN', 'ನಿಮ್ಮ ಮೊಬೈಲ್ ಸಂಖ್ಯೆ ಏನು?', 'ಒಂಬತ್ತು ಎಂಟು ಏಳು ಆರು ಐದು ನಾಲ್ಕು ಮೂರು ಎರಡು ಒಂದು ಸೊನ್ನೆ'],
    ['gu-IN', 'તમારો મોબાઇલ નંબર શું છે?', 'નવ આઠ સાત છ પાંચ ચાર ત્રણ બે એક શૂન્ય'],
    ['pa-IN', 'ਤੁਹਾਡਾ ਮੋਬਾਈਲ ਨੰਬਰ ਕੀ ਹੈ?', 'ਨੌਂ ਅੱਠ ਸੱਤ ਛੇ ਪੰਜ ਚਾਰ ਤਿੰਨ ਦੋ ਇੱਕ ਜ਼ੀਰੋ'],
    ['od-IN', 'ଆପଣଙ୍କ ମୋବାଇଲ ନମ୍ବର କଣ?', 'ନଅ ଆଠ ସାତ ଛଅ ପାଞ୍ଚ ଚାରି ତିନି ଦୁଇ ଏକ ଶୂନ'],
    [
      'ms-MY',
      'Apakah nombor telefon anda?',
      'kosong satu dua tiga empat lima enam tujuh lapan sembilan satu',
    ],
    ['zh-CN', '您的手机号码是多少？', '一三八零零一三八零零零'],
    ['my-MM', 'ဖုန်းနံပါတ် ဘယ်လောက်ပါလဲ?', 'သုညကိုးလေးငါးခြောက်ခုနစ်ရှစ်တစ်နှစ်သုံးလေး'],
    ['ar-AE', 'ما هو رقم هاتفك؟', 'صفر خمسة صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة'],
  ])(
    'is complete at its last digit in %s after "%s", and unfinished before: %s',
    (language, question, text) => {
      expect(closure(text, language, null, question)).toBe('complete');
      const half = /\s/.test(text)
        ? text.split(' ').slice(0, 5).join(' ')
        : text.slice(0, language === 'my-MM' ? 'သုညကိုးလေး'.length : 5);
      expect(closure(half, language, null, question)).toBe('dictating');
    },
  );
});

describe('a spelled name', () => {
  it.each<[string, string]>([
    ['k u', 'dictating'],
    ['Kumar, K U M', 'dictating'],
    ['Kumar, K U M A R', 'complete'],
    ['it is r a j e s h', 'open'],
    ['double s', 'dictating'],
  ])('%j is %s', (text, wanted) => {
    expect(closure(text, 'en-US', { kinds: ['name'], phrases: [] }, 'Could you spell your name?')).toBe(
      wanted,
    );
  });
});
