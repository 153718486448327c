import type { Wording } from './wording.ts';

export const TAMIL: Wording = {
  phrases: {
    idleCheckIn: 'நீங்கள் லைனில் இருக்கிறீர்களா?',
    idleGoodbye: 'உங்கள் குரல் கேட்கவில்லை, அதனால் அழைப்பை முடிக்கிறேன். வணக்கம்.',
    maxLengthGoodbye: 'மன்னிக்கவும், நமது நேரம் முடிந்துவிட்டது. நன்றி, வணக்கம்.',
    apology: 'மன்னிக்கவும், ஒரு சிறு சிக்கல். மீண்டும் சொல்ல முடியுமா?',
    technicalGoodbye: 'மன்னிக்கவும், தொழில்நுட்பச் சிக்கல் உள்ளது. பிறகு முயற்சி செய்யுங்கள். வணக்கம்.',
    didNotCatch: 'மன்னிக்கவும், எனக்குப் புரியவில்லை.',
    oneMoment: 'ஒரு நிமிடம், தயவுசெய்து.',
  },
  backchannels: [
    'ஆமா',
    'ஆமாம்',
    'ம்ம்',
    'ம்',
    'சரி',
    'ஓகே',
    'ஓ',
    'அப்படியா',
    'சொல்லுங்க',
    'aama',
    'aamaam',
    'sari',
    'seri',
  ],
  farewells: ['நன்றி', 'வணக்கம்', 'பை', 'nandri', 'vanakkam'],
  greetings: ['ஹலோ', 'வணக்கம்', 'சொல்லுங்க', 'vanakkam', 'sollunga'],
  shortAnswers: ['ஆமா', 'ஆமாம்', 'இல்லை', 'இல்ல', 'சரி', 'வேண்டாம்', 'தெரியாது', 'aama', 'illai', 'illa', 'vendam'],
};
