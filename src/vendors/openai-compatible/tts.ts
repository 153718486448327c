import type { Language } from '@callwright/language';
import type { TtsProvider } from '../../providers/ports/voice.ts';
import type { VendorSettings } from '../catalogue.ts';
import { speechTts, type SpeechApi, type SpeechLimits } from '../openai/speech.ts';

const KOKORO: Partial<Record<Language, string>> = {
  'en-GB': 'bf_emma',
  'en-AU': 'bf_emma',
  'hi-IN': 'hf_alpha',
  'zh-CN': 'zf_xiaobei',
};
const API: SpeechApi = {
  name: 'openai-compatible',
  model: 'kokoro',
  voice: (language) => KOKORO[language] ?? 'af_heart',
};

export const serverTts = (settings: VendorSettings, limits?: SpeechLimits): TtsProvider =>
  speechTts(API, settings, limits);
