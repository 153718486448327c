import { describe, expect, it } from 'vitest';
import type { Language } from './languages.ts';
import { expectedOfLine } from './expected-line.ts';

const kindsOf = (question: string, language: Language) => expectedOfLine(question, language)?.kinds;

describe('a question in another language than English', () => {
  it.each([
    ['hi-IN', 'आपको हमारी सेवा कैसी लगी?'],
    ['hi-IN', 'आपकी समस्या क्या है?'],
    ['mr-IN', 'आमची सेवा कशी वाटली?'],
    ['gu-IN', 'તમારી સમસ્યા શું છે?'],
    ['pa-IN', 'ਤੁਹਾਡੀ ਸਮੱਸਿਆ ਕੀ ਹੈ?'],
    ['bn-IN', 'আমাদের সেবা কেমন লাগল?'],
    ['od-IN', 'ଆମ ସେବା କେମିତି ଲାଗିଲା?'],
    ['ta-IN', 'எங்கள் சேவை எப்படி இருந்தது?'],
    ['te-IN', 'మా సేవ ఎలా ఉంది?'],
    ['kn-IN', 'ನಮ್ಮ ಸೇವೆ ಹೇಗೆ ಇತ್ತು?'],
    ['ms-MY', 'Bagaimana perkhidmatan kami?'],
    ['zh-CN', '您觉得我们的服务怎么样？'],
    ['my-MM', 'ကျွန်မတို့ ဝန်ဆောင်မှု ဘယ်လိုလဲ?'],
    ['ar-AE', 'ما رأيك في خدمتنا؟'],
  ] as const)('in %s asks for own words: %s', (language, question) => {
    expect(kindsOf(question, language)).toEqual(['free']);
  });

  it.each([
    ['hi-IN', 'क्या आप शुक्रवार को आ सकते हैं?'],
    ['hi-IN', 'क्या आपका कोई सवाल है?'],
    ['gu-IN', 'શું તમે આવી શકશો?'],
    ['pa-IN', 'ਕੀ ਤੁਸੀਂ ਆ ਸਕਦੇ ਹੋ?'],
    ['bn-IN', 'আপনি কি আসতে পারবেন?'],
    ['ta-IN', 'நீங்கள் வர முடியுமா?'],
    ['te-IN', 'మీరు రాగలరా?'],
    ['kn-IN', 'ನೀವು ಬರಬಹುದೇ?'],
    ['ms-MY', 'Bolehkah anda datang?'],
    ['zh-CN', '您有什么问题吗？'],
    ['ar-AE', 'هل يمكنك الحضور؟'],
  ] as const)('in %s asks for yes or no: %s', (language, question) => {
    expect(kindsOf(question, language)).toEqual(['yes_no']);
  });
});
