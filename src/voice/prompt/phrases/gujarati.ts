import type { Wording } from './wording.ts';

export const GUJARATI: Wording = {
  phrases: {
    idleCheckIn: 'તમે લાઇન પર છો?',
    idleGoodbye: 'મને તમારો અવાજ સંભળાતો નથી, એટલે હું કૉલ અહીં પૂરો કરું છું. નમસ્તે.',
    maxLengthGoodbye: 'માફ કરશો, આપણો સમય પૂરો થયો છે. આભાર, નમસ્તે.',
    apology: 'માફ કરશો, થોડી તકલીફ થઈ. ફરીથી કહેશો?',
    technicalGoodbye: 'માફ કરશો, ટેકનિકલ સમસ્યા આવી છે. કૃપા કરી પછી પ્રયત્ન કરો. નમસ્તે.',
    didNotCatch: 'માફ કરશો, મને સમજાયું નહીં.',
    oneMoment: 'એક ક્ષણ, કૃપા કરીને.',
  },
  backchannels: [
    'હા',
    'હમ્મ',
    'હં',
    'અચ્છા',
    'સારું',
    'ઠીક',
    'ઠીક છે',
    'બરાબર',
    'ઓકે',
    'બોલો',
    'ha',
    'saru',
    'barabar',
    'thik che',
  ],
  farewells: ['આભાર', 'ધન્યવાદ', 'નમસ્તે', 'આવજો', 'બાય', 'aabhar', 'aavjo', 'namaste'],
  greetings: ['હેલો', 'હલો', 'નમસ્તે', 'બોલો', 'હા બોલો', 'namaste', 'bolo'],
  shortAnswers: ['હા', 'ના', 'ઠીક છે', 'બરાબર', 'અત્યારે નહીં', 'ખબર નથી', 'ha', 'na', 'khabar nathi'],
};
