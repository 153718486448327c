import { describe, expect, it } from 'vitest';
import { ENGLISH_HELD_OUT } from '../../../test/fixtures/scripts/english-held-out.ts';
import { HELD_OUT_AGAIN } from '../../../test/fixtures/scripts/held-out-again.ts';
import { DEVELOPING } from '../../../test/fixtures/scripts/native-developing.ts';
import { HELD_OUT, ROMANISED_HELD_OUT } from '../../../test/fixtures/scripts/native-held-out.ts';
import { LANGUAGES, type Language } from '@callwright/language';
import { compile } from './compile.ts';
import { wordingFor } from './wording.ts';

/** What an agent says of a script of this one line; an empty text ends the call. */
function saidOf(line: string, language: Language = 'en-US'): string[] {
  const { steps } = compile({
    prompt: '',
    sections: [{ title: 'Conversation Script', content: `1. ${line}` }],
    introMessage: 'Hello.',
    agentName: '',
    wording: wordingFor(language),
  });
  return steps.flatMap((step) => ('text' in step ? [step.text] : 'question' in step ? [step.question] : []));
}

const bare = (text: string): string => text.replace(/[.।。?？؟!]+$/u, '');
const FOREIGN = LANGUAGES.filter((language) => !language.startsWith('en-'));

it('the sets have every language beside English', () => {
  expect(Object.keys(DEVELOPING).toSorted()).toEqual(FOREIGN.toSorted());
  expect(Object.keys(HELD_OUT).toSorted()).toEqual(FOREIGN.toSorted());
});

describe.each([
  ['developing', DEVELOPING],
  ['held-out', HELD_OUT],
  ['second held-out', HELD_OUT_AGAIN],
])('a script of the %s sentences', (_, set) => {
  const all = (kind: 'instructions' | 'speech') =>
    FOREIGN.flatMap((language) => (set[language]?.[kind] ?? []).map((line) => [language, line] as const));

  it.each(all('instructions'))('in %s does not have the agent say "%s"', (language, line) => {
    // It says nothing, asks in words of its own, or ends the call.
    const own = ['', ...Object.values(wordingFor(language).script.ask)];
    expect(own).toEqual(expect.arrayContaining(saidOf(line, language)));
  });

  it.each(all('speech'))('in %s has the agent say "%s"', (language, line) => {
    expect(saidOf(line, language).map(bare)).toEqual([bare(line)]);
  });
});

const ROMANISED = {
  instructions: [
    'Customer se vinamrata se baat karein.',
    'Unka naam aur phone number poochein.',
    'Hamesha chhote jawab dein.',
    'Premium plan bechne ki koshish karein.',
    'Jawab ka intezar karein.',
    'Agar woh naraz hain to baat badal dein.',
  ],
  speech: [
    'Aapka appointment shukravar ko hai.',
    'Hum aapko ek message bhejenge.',
    'Delivery is hafte free hai.',
    'Kya aap kal aa sakte hain?',
    'Maaf kijiye, awaaz saaf nahi aayi.',
  ],
};

describe.each([
  ['developing', ROMANISED],
  ['held-out', ROMANISED_HELD_OUT],
])('a script of the %s sentences of Hindi in Latin letters', (_, { instructions, speech }) => {
  it.each(instructions)('does not have the agent say "%s"', (line) => {
    const own = ['', ...Object.values(wordingFor('hi-IN').script.ask)];
    expect(own).toEqual(expect.arrayContaining(saidOf(line, 'hi-IN')));
  });

  it.each(speech)('has the agent say "%s"', (line) => {
    expect(saidOf(line, 'hi-IN').map(bare)).toEqual([bare(line)]);
  });
});

describe('what a script has the agent tell', () => {
  it.each([
    ['hi-IN', 'ग्राहक को बताएं कि उनका ऑर्डर भेज दिया गया है।', 'आपका ऑर्डर भेज दिया गया है'],
    ['hi-IN', 'Customer ko batayein ki unka order bhej diya gaya hai.', 'Aapka order bhej diya gaya hai'],
    ['mr-IN', 'त्यांना सांगा की त्यांची ऑर्डर निघाली आहे.', 'तुमची ऑर्डर निघाली आहे'],
    ['gu-IN', 'તેમને જણાવો કે તેમનો ઓર્ડર મોકલાયો છે.', 'તમારો ઓર્ડર મોકલાયો છે'],
    ['pa-IN', 'ਉਨ੍ਹਾਂ ਨੂੰ ਦੱਸੋ ਕਿ ਉਨ੍ਹਾਂ ਦਾ ਆਰਡਰ ਭੇਜਿਆ ਗਿਆ ਹੈ।', 'ਤੁਹਾਡਾ ਆਰਡਰ ਭੇਜਿਆ ਗਿਆ ਹੈ'],
    ['bn-IN', 'গ্রাহককে জানান যে তাদের অর্ডার পাঠানো হয়েছে।', 'আপনার অর্ডার পাঠানো হয়েছে'],
    ['ta-IN', 'அவர்களின் ஆர்டர் அனுப்பப்பட்டுள்ளது என்று சொல்லுங்கள்.', 'உங்கள் ஆர்டர் அனுப்பப்பட்டுள்ளது'],
    ['te-IN', 'వారి ఆర్డర్ పంపబడింది అని చెప్పండి.', 'మీ ఆర్డర్ పంపబడింది'],
    ['kn-IN', 'ಅವರ ಆರ್ಡರ್ ಕಳುಹಿಸಲಾಗಿದೆ ಎಂದು ತಿಳಿಸಿ.', 'ನಿಮ್ಮ ಆರ್ಡರ್ ಕಳುಹಿಸಲಾಗಿದೆ'],
    ['ms-MY', 'Beritahu pelanggan bahawa pesanan mereka telah dihantar.', 'Pesanan anda telah dihantar'],
    ['zh-CN', '告诉客户他们的订单已发货。', '您的订单已发货'],
  ] as const)('in %s is said to the caller: %s', (language, line, told) => {
    expect(saidOf(line, language).map(bare)).toEqual([told]);
  });
});

describe('conditions of a script', () => {
  it.each([
    ['hi-IN', 'अगर ग्राहक नाराज़ है, तो कहें: "मुझे खेद है।"'],
    ['zh-CN', '如果客户生气，说：“非常抱歉给您添麻烦了。”'],
    ['bn-IN', 'যদি গ্রাহক রেগে যান, তাহলে বলুন: "আমি দুঃখিত।"'],
  ] as const)('in %s that the agent cannot check keep their lines from being said: %s', (language, line) => {
    expect(saidOf(line, language)).toEqual([]);
  });
});

describe.each([
  ['held-out', ENGLISH_HELD_OUT],
  ['second held-out', HELD_OUT_AGAIN['en-US'] ?? { instructions: [], speech: [] }],
])('an English script of the %s sentences', (_, { instructions, speech }) => {
  it.each(instructions)('does not have the agent say "%s"', (line) => {
    const said = saidOf(line).join(' ');
    expect(said).not.toContain(line.split(' ').slice(0, 3).join(' '));
  });

  it.each(instructions.filter((line) => !/^(?:Close with|Finish)/.test(line)))(
    'does not end the call at "%s"',
    (line) => {
      expect(saidOf(line)).not.toContain('');
    },
  );

  /** Lines about customers are taken for instructions, and so are subjects joined by "and". */
  const isLeftOut = (line: string): boolean => /customers|^Cash and cards/.test(line);

  it.each(speech.filter((line) => !isLeftOut(line)))('has the agent say "%s"', (line) => {
    expect(saidOf(line)).toEqual([line]);
  });

  it.each(speech.filter(isLeftOut))('leaves out "%s"', (line) => {
    expect(saidOf(line)).toEqual([]);
  });
});
