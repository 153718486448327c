import type { Language } from '@callwright/language';
import type { TtsProvider } from '../../providers/ports/voice.ts';
import { writeWav } from '@callwright/audio';
import { joined } from './speech-audio.ts';

const PREVIEW_RATE = 8000;
const PREVIEW_TIMEOUT_MS = 15_000;

/** The sentence of a voice preview. */
export const PREVIEW_SENTENCES: Readonly<Record<Language, string>> = {
  'en-US': 'Hello, thank you for taking my call. How can I help you today?',
  'en-GB': 'Good morning, thank you for taking my call. How may I help you today?',
  'en-AU': 'Good day, thank you for taking my call. How can I help you?',
  'en-IN': 'Hello, thank you for taking my call. How may I help you today?',
  'hi-IN': 'नमस्ते, कॉल उठाने के लिए धन्यवाद। मैं आपकी क्या मदद कर सकती हूँ?',
  'ta-IN': 'வணக்கம், அழைப்பை ஏற்றதற்கு நன்றி. நான் உங்களுக்கு எப்படி உதவலாம்?',
  'te-IN': 'నమస్కారం, కాల్ తీసుకున్నందుకు ధన్యవాదాలు. నేను మీకు ఎలా సహాయం చేయగలను?',
  'bn-IN': 'নমস্কার, কল ধরার জন্য ধন্যবাদ। আমি আপনাকে কীভাবে সাহায্য করতে পারি?',
  'mr-IN': 'नमस्कार, कॉल घेतल्याबद्दल धन्यवाद. मी तुम्हाला कशी मदत करू शकते?',
  'kn-IN': 'ನಮಸ್ಕಾರ, ಕರೆ ಸ್ವೀಕರಿಸಿದ್ದಕ್ಕೆ ಧನ್ಯವಾದಗಳು. ನಾನು ನಿಮಗೆ ಹೇಗೆ ಸಹಾಯ ಮಾಡಲಿ?',
  'ms-MY': 'Selamat sejahtera, terima kasih kerana menjawab panggilan saya. Apa yang boleh saya bantu?',
  'zh-CN': '您好，感谢您接听电话。请问有什么可以帮您？',
  'od-IN': 'ନମସ୍କାର, କଲ୍ ଉଠାଇଥିବାରୁ ଧନ୍ୟବାଦ। ମୁଁ ଆପଣଙ୍କୁ କିପରି ସାହାଯ୍ୟ କରିପାରିବି?',
  'pa-IN': 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਕਾਲ ਚੁੱਕਣ ਲਈ ਧੰਨਵਾਦ। ਮੈਂ ਤੁਹਾਡੀ ਕੀ ਮਦਦ ਕਰ ਸਕਦੀ ਹਾਂ?',
  'my-MM': 'မင်္ဂလာပါ၊ ဖုန်းကိုင်တဲ့အတွက် ကျေးဇူးတင်ပါတယ်။ ဘာများ ကူညီပေးရမလဲ။',
  'gu-IN': 'નમસ્તે, કૉલ ઉપાડવા બદલ આભાર. હું તમને કેવી રીતે મદદ કરી શકું?',
  'ar-AE': 'مرحباً، شكراً لك على الرد على مكالمتي. كيف يمكنني مساعدتك اليوم؟',
};

/**
 * A function that renders a voice preview in one of its languages as a WAV file: mono, 16 bit, 8 kHz, as on a phone
 * call. It rejects when the engine fails.
 */
export const previewRenderer =
  (tts: TtsProvider) =>
  async (voice: { readonly voiceKey: string }, language: Language): Promise<Buffer> => {
    const session = tts.open({ voiceKey: voice.voiceKey, language, speed: 1, sampleRate: PREVIEW_RATE });
    const timeout = AbortSignal.timeout(PREVIEW_TIMEOUT_MS);
    const chunks: Int16Array[] = [];
    try {
      await new Promise<void>((resolve, reject) => {
        timeout.addEventListener('abort', () => reject(new Error('voice preview took too long')));
        const speech = session.begin();
        speech.say(PREVIEW_SENTENCES[language], (event) => {
          if (event.type === 'audio') chunks.push(event.pcm);
          else if (event.type === 'done') resolve();
          else if (event.type === 'failed') reject(new Error(event.message));
        });
        speech.end();
      });
    } finally {
      session.close();
    }
    return writeWav({ sampleRate: PREVIEW_RATE, channels: 1 }, joined(chunks));
  };
