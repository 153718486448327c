import type { VendorProtocol } from '../protocol.ts';
import { cartesiaTts } from './tts.ts';
import { cartesiaVoices } from './voices.ts';

export const protocol: VendorProtocol = { tts: { dialect: cartesiaTts, voices: cartesiaVoices } };
