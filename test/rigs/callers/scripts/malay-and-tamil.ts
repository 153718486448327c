import type { Script } from '../script.ts';

const HOURS = 'Kami buka dari pukul sembilan hingga pukul lima pada setiap hari kecuali hari Ahad.';
const FEES = 'Pemeriksaan berharga empat puluh ringgit dan pembersihan enam puluh ringgit sahaja.';
const CUT = 'Saya kata: {agent}';

const malay = (id: string, steps: Script['steps']): Script => ({
  id,
  language: 'ms-MY',
  intro: 'Helo.',
  steps,
});
const tamil = (id: string, steps: Script['steps']): Script => ({
  id,
  language: 'ta-IN',
  intro: 'வணக்கம்.',
  steps,
});

/** Languages of a recogniser that neither ends turns nor sends words quickly. */
export const MALAY_AND_TAMIL: readonly Script[] = [
  malay('ms-book', [
    { says: 'Saya mahu buat temu janji.', reply: 'Hari apa?' },
    { says: 'Hari Selasa.', reply: 'Baiklah.' },
  ]),
  malay('ms-pause', [
    { says: 'Saya sakit dan [600] demam juga.', reply: 'Sejak bila?' },
    { says: 'Sejak [500] semalam.', reply: 'Datang hari ini.' },
  ]),
  malay('ms-stop', [
    { says: 'Bila anda buka?', reply: HOURS },
    { interrupts: 'Tunggu sekejap saya sibuk.', overMs: 1_200, reply: CUT },
  ]),
  malay('ms-ya', [
    { says: 'Berapa harganya?', reply: FEES },
    { murmurs: 'ya', overMs: 1_000 },
    { murmurs: 'baik', overMs: 2_800 },
    { says: 'Terima kasih banyak.', reply: 'Sama sama.' },
  ]),
  malay('ms-harga', [
    { says: 'Adakah tempat letak kereta?', reply: 'Ada di belakang.' },
    { says: 'Bagus sekali.', reply: 'Jumpa nanti.' },
  ]),
  tamil('ta-book', [
    { says: 'நேரம் வேண்டும்.', reply: 'எந்த நாள்?' },
    { says: 'நாளை காலை.', reply: 'சரி.' },
  ]),
  tamil('ta-yes', [
    { says: 'யார் நீங்கள்?', reply: 'நான் மாயா.' },
    { says: 'ஆமாம்.', reply: 'நன்றி.' },
  ]),
];
