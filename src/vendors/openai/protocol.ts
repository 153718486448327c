import type { VendorProtocol } from '../protocol.ts';
import { openaiModel } from './llm.ts';
import { openaiS2s } from './s2s.ts';
import { openaiRealtimeStt } from './stt.ts';
import { openaiTts } from './tts.ts';
import { openaiVoices } from './voices.ts';

export const protocol: VendorProtocol = {
  stt: { dialect: openaiRealtimeStt },
  llm: openaiModel,
  tts: {
    open: (settings, { reach }) => openaiTts(settings, reach === undefined ? {} : { fetch: reach.fetch }),
    voices: openaiVoices,
  },
  s2s: openaiS2s,
};
