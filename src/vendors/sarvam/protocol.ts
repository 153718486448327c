import type { VendorProtocol } from '../protocol.ts';
import { sarvamStt } from './stt.ts';
import { sarvamTts } from './tts.ts';
import { sarvamVoices } from './voices.ts';

export const protocol: VendorProtocol = {
  stt: { dialect: sarvamStt },
  tts: { dialect: sarvamTts, voices: sarvamVoices },
};
