import { describe, expect, it } from 'vitest';
import { asideIn } from './asides.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { phrasesOf } from './phrases.ts';

const of = (text: string, language: Language = 'en-US') => asideIn(text, phrasesOf(language));

describe('a line that answers no question', () => {
  it.each([
    'Sorry, can you say that again?',
    'What?',
    'Pardon?',
    'Pardon me?',
    'Who is this?',
    'Sorry, who is this?',
    'Hold on.',
    'Hold on a second, please.',
    'Just a moment please.',
    'Hello?',
    'Sorry, what?',
    'Sorry, what was that?',
    "I'm sorry, I didn't catch that.",
    'I did not quite hear you.',
    'Could you repeat the question, please?',
    'Can you speak up, please?',
    'What did you say?',
    'Excuse me, what did you say?',
    'Are you a robot?',
    'Why do you need to know that?',
    'Um, let me think.',
    'Where are you calling from?',
  ])('is asked back in English: %s', (line) => {
    expect(of(line)).not.toBeNull();
  });

  it.each([
    'I could not hear anything on the phone yesterday',
    'The washing machine does not hold the water',
    'I had to repeat the order twice',
    'Nobody would say who is responsible',
    'Hold on, it is Friday',
    'My name is Holden',
    'The line stopped for a second and came back',
    'What I want is a refund',
    'Friday',
    'The kitchen light flickers',
    'You asked me once again and again for my address',
    'No.',
    '',
  ])('is none with words of its own: %s', (line) => {
    expect(of(line)).toBeNull();
  });

  it.each<[Language, readonly string[]]>([
    ['hi-IN', ['माफ़ कीजिए, क्या आप फिर से कहेंगे?', 'क्या?', 'एक मिनट रुकिए', 'आप कौन बोल रहे हैं?', 'हैलो?']],
    ['mr-IN', ['माफ करा, पुन्हा सांगाल का?', 'काय?', 'जरा थांबा', 'तुम्ही कोण आहात?']],
    ['bn-IN', ['মাফ করবেন, আবার বলুন', 'কী?', 'একটু দাঁড়ান', 'আপনি কে?']],
    ['gu-IN', ['માફ કરશો, ફરીથી કહેશો?', 'શું?', 'એક મિનિટ', 'તમે કોણ છો?']],
    ['pa-IN', ['ਮਾਫ਼ ਕਰਨਾ, ਦੁਬਾਰਾ ਦੱਸੋ', 'ਕੀ?', 'ਇੱਕ ਮਿੰਟ', 'ਤੁਸੀਂ ਕੌਣ ਹੋ?']],
    ['od-IN', ['କ୍ଷମା କରିବେ, ପୁଣି କୁହନ୍ତୁ', 'କଣ?', 'ଗୋଟିଏ ମିନିଟ୍', 'ଆପଣ କିଏ?']],
    ['ta-IN', ['மன்னிக்கவும், திரும்ப சொல்லுங்க', 'என்ன?', 'ஒரு நிமிடம்', 'நீங்க யார்?']],
    ['te-IN', ['క్షమించండి, మళ్ళీ చెప్పండి', 'ఏంటి?', 'ఒక్క నిమిషం', 'మీరు ఎవరు?']],
    ['kn-IN', ['ಕ್ಷಮಿಸಿ, ಮತ್ತೆ ಹೇಳಿ', 'ಏನು?', 'ಒಂದು ನಿಮಿಷ', 'ನೀವು ಯಾರು?']],
    ['ms-MY', ['Maaf, boleh ulang sekali lagi?', 'Apa?', 'Tunggu sekejap ya', 'Siapa ini?']],
    ['zh-CN', ['不好意思，请再说一遍', '什么？', '等一下', '您是谁？']],
    ['my-MM', ['တောင်းပန်ပါတယ်၊ ပြန်ပြောပေးပါ', 'ဘာလဲ', 'ခဏစောင့်ပါ', 'ဘယ်သူလဲ']],
    ['ar-AE', ['عفوا، هل يمكنك أن تعيد مرة أخرى؟', 'ماذا؟', 'لحظة من فضلك', 'من معي؟']],
  ])('is asked back in %s', (language, lines) => {
    expect(lines.filter((line) => of(line, language) === null)).toEqual([]);
    expect(of('Sorry, can you say that again?', language)).toBe('repeat');
  });

  it.each(LANGUAGES)('is each phrase of asking back by itself in %s', (language) => {
    const { intents } = phrasesOf(language);
    const phrases = [intents.repeat, intents.hold, intents.who, intents.what, intents.hello].flat();
    const whole = phrases.flatMap((phrase) => (phrase === undefined ? [] : [phrase.replace(/^=/u, '')]));
    expect(whole.filter((phrase) => of(phrase, language) === null)).toEqual([]);
  });

  it.each<[Language, string]>([
    ['hi-IN', 'फिर से वही समस्या हो गई'],
    ['zh-CN', '水龙头又坏了，等一下午没人来'],
    ['ms-MY', 'Mesin basuh tak boleh pusing'],
    ['ar-AE', 'انتظرت ساعة في العيادة'],
    ['ta-IN', 'மீண்டும் தண்ணீர் வரவில்லை'],
  ])('is none with words of its own in %s', (language, line) => {
    expect(of(line, language)).toBeNull();
  });
});
