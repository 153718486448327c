import type { Wording } from './wording.ts';

export const BENGALI: Wording = {
  phrases: {
    idleCheckIn: 'আপনি কি লাইনে আছেন?',
    idleGoodbye: 'আপনার কথা শুনতে পাচ্ছি না, তাই কলটা শেষ করছি। নমস্কার।',
    maxLengthGoodbye: 'দুঃখিত, আমাদের সময় শেষ। ধন্যবাদ, নমস্কার।',
    apology: 'দুঃখিত, একটু সমস্যা হয়েছে। আবার বলবেন?',
    technicalGoodbye: 'দুঃখিত, প্রযুক্তিগত সমস্যা হয়েছে। পরে আবার চেষ্টা করুন। নমস্কার।',
    didNotCatch: 'দুঃখিত, আমি বুঝতে পারিনি।',
    oneMoment: 'এক মুহূর্ত, অনুগ্রহ করে।',
  },
  backchannels: [
    'হ্যাঁ',
    'হ্যা',
    'হুম',
    'হুঁ',
    'আচ্ছা',
    'ঠিক আছে',
    'ঠিক',
    'ওকে',
    'ও',
    'বলুন',
    'haan',
    'accha',
    'thik ache',
  ],
  farewells: ['ধন্যবাদ', 'নমস্কার', 'বাই', 'থ্যাঙ্ক ইউ', 'dhonnobad', 'nomoshkar'],
  greetings: ['হ্যালো', 'নমস্কার', 'বলুন', 'হ্যাঁ বলুন', 'nomoshkar', 'bolun'],
  shortAnswers: ['হ্যাঁ', 'হ্যা', 'না', 'ঠিক আছে', 'এখন না', 'জানি না', 'haan', 'na', 'thik ache'],
};
