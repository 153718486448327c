import type { VendorSettings } from '../catalogue.ts';
import type { TtsProvider } from '../../providers/ports/voice.ts';
import { speechTts, type SpeechApi, type SpeechLimits } from './speech.ts';

const API: SpeechApi = { name: 'openai', model: 'gpt-4o-mini-tts', voice: () => 'marin' };

export const openaiTts = (settings: VendorSettings, limits?: SpeechLimits): TtsProvider =>
  speechTts(API, settings, limits);
