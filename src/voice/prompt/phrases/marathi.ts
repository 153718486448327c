import type { Wording } from './wording.ts';

export const MARATHI: Wording = {
  phrases: {
    idleCheckIn: 'तुम्ही लाईनवर आहात का?',
    idleGoodbye: 'मला तुमचा आवाज येत नाही, म्हणून मी कॉल इथेच संपवते. नमस्कार.',
    maxLengthGoodbye: 'माफ करा, आपली वेळ संपली आहे. धन्यवाद, नमस्कार.',
    apology: 'माफ करा, थोडी अडचण आली. पुन्हा सांगाल का?',
    technicalGoodbye: 'माफ करा, तांत्रिक अडचण आली आहे. कृपया नंतर प्रयत्न करा. नमस्कार.',
    didNotCatch: 'माफ करा, मला समजले नाही.',
    oneMoment: 'कृपया एक क्षण थांबा.',
  },
  backchannels: [
    'हो',
    'हं',
    'हम्म',
    'बरं',
    'बर',
    'अच्छा',
    'ठीक',
    'ठीक आहे',
    'ओके',
    'बोला',
    'ho',
    'bara',
    'thik aahe',
    'achha',
  ],
  farewells: ['धन्यवाद', 'नमस्कार', 'बाय', 'थँक्यू', 'dhanyavaad', 'namaskar'],
  greetings: ['हॅलो', 'हेलो', 'नमस्कार', 'बोला', 'हो बोला', 'namaskar', 'bola'],
  shortAnswers: ['हो', 'नाही', 'नको', 'ठीक आहे', 'आत्ता नाही', 'माहीत नाही', 'ho', 'nahi', 'nako'],
};
