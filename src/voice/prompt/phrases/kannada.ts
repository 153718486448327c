import type { Wording } from './wording.ts';

export const KANNADA: Wording = {
  phrases: {
    idleCheckIn: 'ನೀವು ಲೈನ್‌ನಲ್ಲಿ ಇದ್ದೀರಾ?',
    idleGoodbye: 'ನಿಮ್ಮ ಧ್ವನಿ ಕೇಳಿಸುತ್ತಿಲ್ಲ, ಆದ್ದರಿಂದ ಕರೆಯನ್ನು ಮುಗಿಸುತ್ತೇನೆ. ನಮಸ್ಕಾರ.',
    maxLengthGoodbye: 'ಕ್ಷಮಿಸಿ, ನಮ್ಮ ಸಮಯ ಮುಗಿದಿದೆ. ಧನ್ಯವಾದಗಳು, ನಮಸ್ಕಾರ.',
    apology: 'ಕ್ಷಮಿಸಿ, ಸ್ವಲ್ಪ ತೊಂದರೆ ಆಯಿತು. ಮತ್ತೊಮ್ಮೆ ಹೇಳುತ್ತೀರಾ?',
    technicalGoodbye: 'ಕ್ಷಮಿಸಿ, ತಾಂತ್ರಿಕ ತೊಂದರೆ ಆಗಿದೆ. ದಯವಿಟ್ಟು ನಂತರ ಪ್ರಯತ್ನಿಸಿ. ನಮಸ್ಕಾರ.',
    didNotCatch: 'ಕ್ಷಮಿಸಿ, ನನಗೆ ಅರ್ಥವಾಗಲಿಲ್ಲ.',
    oneMoment: 'ಒಂದು ಕ್ಷಣ, ದಯವಿಟ್ಟು.',
  },
  backchannels: ['ಹೌದು', 'ಹಾಂ', 'ಹೂಂ', 'ಹಾ', 'ಸರಿ', 'ಓಕೆ', 'ಓಹ್', 'ಹೌದಾ', 'ಹೇಳಿ', 'haudu', 'houdu', 'sari'],
  farewells: ['ಧನ್ಯವಾದ', 'ಧನ್ಯವಾದಗಳು', 'ನಮಸ್ಕಾರ', 'ಬೈ', 'ಥ್ಯಾಂಕ್ ಯು', 'dhanyavada', 'namaskara'],
  greetings: ['ಹಲೋ', 'ನಮಸ್ಕಾರ', 'ಹೇಳಿ', 'namaskara', 'heli'],
  shortAnswers: ['ಹೌದು', 'ಇಲ್ಲ', 'ಬೇಡ', 'ಸರಿ', 'ಗೊತ್ತಿಲ್ಲ', 'haudu', 'illa', 'beda', 'gottilla'],
};
