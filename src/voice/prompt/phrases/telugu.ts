import type { Wording } from './wording.ts';

export const TELUGU: Wording = {
  phrases: {
    idleCheckIn: 'మీరు లైన్‌లో ఉన్నారా?',
    idleGoodbye: 'మీ మాట వినిపించడం లేదు, కాబట్టి కాల్ ముగిస్తున్నాను. నమస్కారం.',
    maxLengthGoodbye: 'క్షమించండి, మన సమయం ముగిసింది. ధన్యవాదాలు, నమస్కారం.',
    apology: 'క్షమించండి, చిన్న సమస్య వచ్చింది. మళ్ళీ చెప్పగలరా?',
    technicalGoodbye: 'క్షమించండి, సాంకేతిక సమస్య వచ్చింది. దయచేసి తర్వాత ప్రయత్నించండి. నమస్కారం.',
    didNotCatch: 'క్షమించండి, నాకు అర్థం కాలేదు.',
    oneMoment: 'ఒక్క క్షణం, దయచేసి.',
  },
  backchannels: ['అవును', 'ఊ', 'హా', 'సరే', 'ఓకే', 'ఓహ్', 'అలాగా', 'అలాగే', 'చెప్పండి', 'avunu', 'sare', 'alage'],
  farewells: ['ధన్యవాదాలు', 'నమస్కారం', 'బై', 'థాంక్యూ', 'dhanyavadalu', 'namaskaram'],
  greetings: ['హలో', 'నమస్కారం', 'చెప్పండి', 'namaskaram', 'cheppandi'],
  shortAnswers: ['అవును', 'కాదు', 'లేదు', 'సరే', 'వద్దు', 'తెలియదు', 'avunu', 'kaadu', 'ledu', 'vaddu'],
};
