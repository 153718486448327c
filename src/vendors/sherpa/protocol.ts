import { sherpaLocalStt, trySherpaLocal } from '../../offline/sherpa/recogniser.ts';
import { checkBySpeech } from '../../providers/stt/check-speech.ts';
import { createSocketStt } from '../../providers/stt/socket-stt.ts';
import type { VendorProtocol } from '../protocol.ts';
import { sherpaStt } from './stt.ts';

/** A server over WebSocket, or a model in this process. */
export const protocol: VendorProtocol = {
  stt: {
    open(settings, limits, log) {
      const { modelDir } = settings;
      return modelDir === undefined
        ? createSocketStt(sherpaStt(settings), settings, limits)
        : sherpaLocalStt({ ...settings, modelDir }, log);
    },
    check(settings, limits, speech) {
      const { modelDir } = settings;
      return modelDir === undefined
        ? checkBySpeech(createSocketStt(sherpaStt(settings), settings, limits), speech)
        : trySherpaLocal({ ...settings, modelDir }, speech);
    },
  },
};
