import { checkBySpeech } from '../../providers/stt/check-speech.ts';
import type { VendorProtocol } from '../protocol.ts';
import { serverModel } from './llm.ts';
import { openaiUtteranceStt } from './stt.ts';
import { serverTts } from './tts.ts';
import { serverVoices } from './voices.ts';

/** The check waits longer than a call: a server may load its model first. */
const TRY_MS = 20_000;

export const protocol: VendorProtocol = {
  stt: {
    open: (settings, { answerMs, reach }) => openaiUtteranceStt(settings, answerMs, reach?.fetch),
    check: (settings, { reach }, speech) =>
      checkBySpeech(openaiUtteranceStt(settings, TRY_MS, reach?.fetch), speech, TRY_MS),
  },
  llm: serverModel,
  tts: {
    open: (settings, { reach }) => serverTts(settings, reach === undefined ? {} : { fetch: reach.fetch }),
    voices: serverVoices,
  },
};
