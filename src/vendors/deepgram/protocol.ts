import type { VendorProtocol } from '../protocol.ts';
import { deepgramStt } from './stt.ts';
import { deepgramTts } from './tts.ts';
import { deepgramVoices } from './voices.ts';

export const protocol: VendorProtocol = {
  stt: { dialect: deepgramStt },
  tts: { dialect: deepgramTts, voices: deepgramVoices },
};
