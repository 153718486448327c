import type { VendorProtocol } from '../protocol.ts';
import { elevenlabsStt } from './stt.ts';
import { elevenlabsTts } from './tts.ts';
import { elevenlabsVoices } from './voices.ts';

export const protocol: VendorProtocol = {
  stt: { dialect: elevenlabsStt },
  tts: { dialect: elevenlabsTts, voices: elevenlabsVoices },
};
