import type { Wording } from './wording.ts';

export const PUNJABI: Wording = {
  phrases: {
    idleCheckIn: 'ਕੀ ਤੁਸੀਂ ਲਾਈਨ ਤੇ ਹੋ?',
    idleGoodbye: 'ਮੈਨੂੰ ਤੁਹਾਡੀ ਆਵਾਜ਼ ਨਹੀਂ ਆ ਰਹੀ, ਇਸ ਲਈ ਮੈਂ ਕਾਲ ਇੱਥੇ ਖ਼ਤਮ ਕਰਦੀ ਹਾਂ। ਸਤ ਸ੍ਰੀ ਅਕਾਲ।',
    maxLengthGoodbye: 'ਮਾਫ਼ ਕਰਨਾ, ਸਾਡਾ ਸਮਾਂ ਪੂਰਾ ਹੋ ਗਿਆ ਹੈ। ਧੰਨਵਾਦ, ਸਤ ਸ੍ਰੀ ਅਕਾਲ।',
    apology: 'ਮਾਫ਼ ਕਰਨਾ, ਥੋੜ੍ਹੀ ਦਿੱਕਤ ਆਈ। ਕੀ ਤੁਸੀਂ ਫਿਰ ਦੱਸੋਗੇ?',
    technicalGoodbye: 'ਮਾਫ਼ ਕਰਨਾ, ਤਕਨੀਕੀ ਸਮੱਸਿਆ ਆ ਗਈ ਹੈ। ਕਿਰਪਾ ਕਰਕੇ ਬਾਅਦ ਵਿੱਚ ਕੋਸ਼ਿਸ਼ ਕਰੋ। ਸਤ ਸ੍ਰੀ ਅਕਾਲ।',
    didNotCatch: 'ਮਾਫ਼ ਕਰਨਾ, ਮੈਨੂੰ ਸਮਝ ਨਹੀਂ ਆਈ।',
    oneMoment: 'ਇੱਕ ਪਲ, ਕਿਰਪਾ ਕਰਕੇ।',
  },
  backchannels: [
    'ਹਾਂ',
    'ਹਾਂ ਜੀ',
    'ਹਾਂਜੀ',
    'ਜੀ',
    'ਹੂੰ',
    'ਅੱਛਾ',
    'ਠੀਕ',
    'ਠੀਕ ਹੈ',
    'ਓਕੇ',
    'ਦੱਸੋ',
    'haan',
    'haanji',
    'haan ji',
    'ji',
    'achha',
    'theek hai',
  ],
  farewells: ['ਧੰਨਵਾਦ', 'ਸ਼ੁਕਰੀਆ', 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ', 'ਬਾਏ', 'dhannvaad', 'shukriya', 'sat sri akal'],
  greetings: ['ਹੈਲੋ', 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ', 'ਹਾਂ ਜੀ', 'ਦੱਸੋ', 'sat sri akal', 'haanji'],
  shortAnswers: ['ਹਾਂ', 'ਹਾਂ ਜੀ', 'ਨਹੀਂ', 'ਨਹੀਂ ਜੀ', 'ਠੀਕ ਹੈ', 'ਪਤਾ ਨਹੀਂ', 'haan', 'haanji', 'nahi', 'theek hai'],
};
