import type { Script } from '../script.ts';

const HOURS = 'हम रोज़ नौ बजे से पाँच बजे तक खुले हैं और शनिवार को दस से दो।';
const FEES = 'जाँच के चालीस रुपये हैं और सफ़ाई के साठ और दोनों के नब्बे।';
const CUT = 'मैंने कहा: {agent}';

const script = (id: string, steps: Script['steps'], more: Partial<Script> = {}): Script => ({
  id,
  language: 'hi-IN',
  intro: 'नमस्ते।',
  steps,
  ...more,
});

/** Hindi, in its own script and in Latin letters, as recognisers write it. */
export const HINDI: readonly Script[] = [
  script('hi-book', [
    { says: 'मुझे समय चाहिए।', reply: 'कौन सा दिन?' },
    { says: 'मंगलवार को।', reply: 'ठीक है।' },
  ]),
  script('hi-yes', [
    { says: 'आप कौन हैं?', reply: 'मैं क्लिनिक से हूँ।' },
    { says: 'जी हाँ।', reply: 'धन्यवाद।' },
  ]),
  script('hi-pause', [
    { says: 'मुझे दर्द है और [600] बुखार भी है।', reply: 'कब से?' },
    { says: 'कल [500] शाम से।', reply: 'आज आइए।' },
  ]),
  script('hi-stop', [
    { says: 'Samay bataiye.', reply: HOURS },
    { interrupts: 'Ruko ye galat hai.', overMs: 1_200, reply: CUT },
  ]),
  script('hi-no', [
    { says: 'Fees bataiye.', reply: FEES },
    { interrupts: 'Nahi suniye.', overMs: 1_800, reply: CUT },
  ]),
  script('hi-haan', [
    { says: 'Phir se samay bataiye.', reply: HOURS },
    { murmurs: 'haan', overMs: 900 },
    { murmurs: 'achha', overMs: 2_600 },
    { murmurs: 'theek hai', overMs: 4_200 },
    { says: 'Samajh gaya bhai.', reply: 'बहुत अच्छा।' },
  ]),
  script('hi-number', [
    { says: 'Mera khata dekhiye.', reply: 'Please tell me the twelve digit account number.' },
    { says: '918 [450] 273 [500] 645 [450] 546', digits: '918273645546', waitMs: 800 },
  ]),
  script('hi-cough', [
    { says: 'Phir se fees bataiye.', reply: FEES },
    { noise: 'cough', overMs: 1_000 },
    { murmurs: 'hmm', overMs: 2_800 },
    { says: 'Shukriya ji.', reply: 'नमस्ते जी।' },
  ]),
];
