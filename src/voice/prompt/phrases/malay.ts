import type { Wording } from './wording.ts';

export const MALAY: Wording = {
  phrases: {
    idleCheckIn: 'Adakah anda masih di talian?',
    idleGoodbye: 'Saya tidak dapat mendengar anda, jadi saya tamatkan panggilan ini. Selamat tinggal.',
    maxLengthGoodbye: 'Maaf, masa kita sudah tamat. Terima kasih, selamat tinggal.',
    apology: 'Maaf, ada sedikit masalah. Boleh ulang sekali lagi?',
    technicalGoodbye: 'Maaf, ada masalah teknikal. Sila cuba lagi nanti. Selamat tinggal.',
    didNotCatch: 'Maaf, saya kurang faham.',
    oneMoment: 'Sila tunggu sebentar.',
  },
  backchannels: [
    'ya',
    'yalah',
    'ha',
    'haah',
    'oh',
    'ok',
    'baik',
    'baiklah',
    'betul',
    'faham',
    'oo',
    'okay',
    'hmm',
  ],
  farewells: ['terima kasih', 'selamat tinggal', 'jumpa lagi', 'bai', 'sama sama'],
  greetings: ['helo', 'hello', 'ya', 'assalamualaikum', 'selamat pagi', 'selamat petang'],
  shortAnswers: ['ya', 'tidak', 'tak', 'tak nak', 'boleh', 'tak boleh', 'baik', 'tak tahu', 'betul', 'bukan'],
};
