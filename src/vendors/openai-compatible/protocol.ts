import type { VendorProtocol } from '../protocol.ts';
import { serverModel } from './llm.ts';
import { openaiUtteranceStt, tryUtterance } from './stt.ts';
import { serverTts } from './tts.ts';
import { serverVoices } from './voices.ts';

export const protocol: VendorProtocol = {
  stt: {
    open: (settings, { answerMs, reach }) => openaiUtteranceStt(settings, answerMs, reach?.fetch),
    check: (settings, reach) => tryUtterance(settings, reach?.fetch),
  },
  llm: serverModel,
  tts: {
    open: (settings, { reach }) => serverTts(settings, reach === undefined ? {} : { fetch: reach.fetch }),
    voices: serverVoices,
  },
};
