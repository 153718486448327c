import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../languages.ts';
import { readAloud } from './read-aloud.ts';

const spoken = (text: string, language: Language): string => readAloud(text, language).text;

/** Money, a date and a time of day, as each language says them. */
const FORMS: Readonly<Record<Language, readonly [money: string, date: string, time: string]>> = {
  'en-US': ['150 thousand rupees and 50 paise', 'March 15th, 2026', '2:30 PM'],
  'en-GB': ['150 thousand rupees and 50 paise', '15th of March 2026', '2:30 PM'],
  'en-AU': ['150 thousand rupees and 50 paise', '15th of March 2026', '2:30 PM'],
  'en-IN': ['1 lakh 50 thousand rupees and 50 paise', '15th of March 2026', '2:30 PM'],
  'hi-IN': ['1 लाख 50 हज़ार रुपये 50 पैसे', '15 मार्च 2026', 'दोपहर 2 बजकर 30 मिनट'],
  'ta-IN': ['1 லட்சம் 50 ஆயிரம் ரூபாய் 50 பைசா', '15 மார்ச் 2026', 'மதியம் 2 மணி 30 நிமிடம்'],
  'te-IN': ['1 లక్షల 50 వేల రూపాయలు 50 పైసలు', '15 మార్చి 2026', 'మధ్యాహ్నం 2 గంటల 30 నిమిషాలకు'],
  'bn-IN': ['1 লাখ 50 হাজার টাকা 50 পয়সা', '15 মার্চ 2026', 'দুপুর 2টা 30 মিনিট'],
  'mr-IN': ['1 लाख 50 हजार रुपये 50 पैसे', '15 मार्च 2026', 'दुपारी 2 वाजून 30 मिनिटांनी'],
  'kn-IN': ['1 ಲಕ್ಷ 50 ಸಾವಿರ ರೂಪಾಯಿ 50 ಪೈಸೆ', '15 ಮಾರ್ಚ್ 2026', 'ಮಧ್ಯಾಹ್ನ 2 ಗಂಟೆ 30 ನಿಮಿಷ'],
  'ms-MY': ['150 ribu rupee 50 paise', '15 Mac 2026', 'pukul 2 30 minit petang'],
  'zh-CN': ['15万点5卢比', '二零二六年三月15日', '下午2点30分'],
  'od-IN': ['1 ଲକ୍ଷ 50 ହଜାର ଟଙ୍କା 50 ପଇସା', '15 ମାର୍ଚ୍ଚ 2026', 'ଅପରାହ୍ନ 2ଟା 30 ମିନିଟ'],
  'pa-IN': ['1 ਲੱਖ 50 ਹਜ਼ਾਰ ਰੁਪਏ 50 ਪੈਸੇ', '15 ਮਾਰਚ 2026', 'ਦੁਪਹਿਰ 2 ਵੱਜ ਕੇ 30 ਮਿੰਟ'],
  'my-MM': ['1 သိန်း 5 သောင်း ဒသမ 5 ရူပီး', '2026 မတ် 15 ရက်', 'နေ့လယ် 2 နာရီ 30 မိနစ်'],
  'gu-IN': ['1 લાખ 50 હજાર રૂપિયા 50 પૈસા', '15 માર્ચ 2026', 'બપોરે 2 વાગીને 30 મિનિટે'],
  'ar-AE': ['150 ألف روبية و 50 بيسة', '15 مارس 2026', 'الساعة 2 و 30 دقيقة ظهرا'],
};

describe.each(LANGUAGES)('what is read aloud in %s', (language) => {
  const [money, date, time] = FORMS[language];

  it('has money, dates and times as people say them', () => {
    expect(spoken('₹1,50,000.50', language)).toBe(money);
    expect(spoken('2026-03-15', language)).toBe(date);
    expect(spoken('14:30', language)).toBe(time);
  });

  it('has telephone numbers and identifiers digit by digit', () => {
    const [phone, id] = ['9876543210', 'AB-12345'].map((text) => spoken(text, language));
    const han = ['九八七六五，四三二幺零', 'A B, 幺二三四五'];
    const others = ['9 8 7 6 5, 4 3 2 1 0', 'A B, 1 2 3 4 5'];
    expect([phone, id]).toEqual(language === 'zh-CN' ? han : others);
  });

  it('leaves no sign of a currency or percentage', () => {
    expect(spoken('$20.50 €3 £1,250 15% RM 9 AED 5 ¥7', language)).not.toMatch(/[$€£¥%]|\bRM\b|AED/);
  });
});

describe('reading aloud', () => {
  it.each<[Language, string, string]>([
    [
      'en-US',
      'It costs $1,250.50 or $0.99 or $1.',
      'It costs 1 thousand 250 dollars and 50 cents or 99 cents or 1 dollar.',
    ],
    ['en-US', 'on 3/4/2026', 'on March 4th, 2026'],
    [
      'en-US',
      'We open at 9:05 AM. Come at 2:30 p.m. or 4 PM.',
      'We open at 9:05 AM. Come at 2:30 PM or 4 PM.',
    ],
    ['en-US', 'at 9:05 a.m.', 'at 9:05 AM.'],
    ['en-US', 'from $5k to $2.5M', 'from 5 thousand dollars to 2 point 5 million dollars'],
    ['en-US', 'your ZIP is 94107', 'your ZIP is 9 4 1 0 7'],
    ['en-US', 'call +1 (415) 555-0123', 'call 1, 4 1 5 5 5, 5 0 1 2 3'],
    ['en-US', '(415) 555-0123', '4 1 5 5 5, 5 0 1 2 3'],
    ['en-GB', 'on 3/4/2026', 'on 3rd of April 2026'],
    ['en-US', 'your code is 482913', 'your code is 4 8 2 9 1 3'],
    ['en-US', 'order number 4521', 'order number 4 5 2 1'],
    ['en-IN', '₹2.5 lakh', '2 point 5 lakh rupees'],
    ['en-IN', 'call +91 98765 43210', 'call 9 1, 9 8 7 6 5, 4 3 2 1 0'],
    ['en-IN', '₹3,25,00,000', '3 crore 25 lakh rupees'],
    ['en-US', '2,345,678 people', '2 million 345 thousand 678 people'],
    ['hi-IN', 'ओटीपी 4821', 'ओटीपी 4 8 2 1'],
    ['hi-IN', '१५०००० लोग', '1 लाख 50 हज़ार लोग'],
    ['zh-CN', '10,500元', '1万零500元'],
    ['hi-IN', '12:00 AM', 'रात 12 बजे'],
  ])('in %s: %j is %j', (language, text, said) => {
    expect(spoken(text, language)).toBe(said);
  });

  it.each([
    '25:70',
    '31/02/2026',
    '1/2 cup',
    '3-4 days',
    '3 (2024-2025)',
    '12-34-56',
    'version 1.2.3',
    '192.168.1.1',
    'in 2026',
    'room 150',
    'COVID-19',
  ])('leaves %j', (text) => {
    expect(spoken(text, 'en-US')).toBe(text);
  });

  it('maps places in the spoken text to the written one', () => {
    const written = 'Pay ₹1,50,000 by Friday';
    const form = readAloud(written, 'en-IN');
    expect(form.text).toBe('Pay 1 lakh 50 thousand rupees by Friday');
    const places = [3, 10, form.text.indexOf(' by'), form.text.length].map((end) =>
      written.slice(0, form.writtenEnd(end)),
    );
    expect(places).toEqual(['Pay', 'Pay ', 'Pay ₹1,50,000', written]);
  });

  it('is total, and its places never run backwards', () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ maxLength: 8 }),
        fc.nat().map(String),
        fc.constantFrom('₹', ',', '.', ':', '-', '/', '%', ' ', '$', 'AB'),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...LANGUAGES), (parts, language) => {
        const written = parts.join('');
        const form = readAloud(written, language);
        let before = 0;
        for (let end = 0; end <= form.text.length; end++) {
          const at = form.writtenEnd(end);
          expect(at).toBeGreaterThanOrEqual(before);
          before = at;
        }
        expect(before).toBe(written.length);
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});
