import { silentLog, type Log } from '../../shared/log.ts';
import type { SttVendorName, VendorSettings } from '../../vendors/catalogue.ts';
import type { ChainDeps } from '../chain.ts';
import type { SttProvider } from '../ports/recogniser.ts';
import type { VendorFault } from '../wire/fault.ts';
import type { VendorReach } from '../wire/reach.ts';
import { assemblyaiStt } from '../../vendors/assemblyai/stt.ts';
import { ChainedRecogniser } from '../stt/chained.ts';
import { deepgramStt } from '../../vendors/deepgram/stt.ts';
import type { SttVendor } from '../stt/dialect.ts';
import { elevenlabsStt } from '../../vendors/elevenlabs/stt.ts';
import { openaiRealtimeStt } from '../../vendors/openai/stt.ts';
import { openaiUtteranceStt, tryUtterance } from '../../vendors/openai-compatible/stt.ts';
import { sarvamStt } from '../../vendors/sarvam/stt.ts';
import { sherpaLocalStt, trySherpaLocal } from '../../offline/sherpa/recogniser.ts';
import { sherpaStt } from '../../vendors/sherpa/stt.ts';
import { createSocketStt, type SocketLimits } from '../stt/socket-stt.ts';
import { tryVendor } from '../stt/try-vendor.ts';
import { voskStt } from '../../vendors/vosk/stt.ts';

/** One recogniser with its settings, as plain data. */
export interface RecogniserChoice {
  readonly name: SttVendorName;
  readonly settings: VendorSettings;
}

/** The recognisers; null: it hears an utterance at a time, over HTTP. */
const VENDORS: Readonly<Record<SttVendorName, ((settings: VendorSettings) => SttVendor) | null>> = {
  deepgram: deepgramStt,
  sarvam: sarvamStt,
  openai: openaiRealtimeStt,
  assemblyai: assemblyaiStt,
  elevenlabs: elevenlabsStt,
  'openai-compatible': null,
  vosk: voskStt,
  sherpa: sherpaStt,
};

export function createRecogniser(
  { name, settings }: RecogniserChoice,
  limits: SocketLimits = {},
  log: Log = silentLog,
): SttProvider {
  const vendor = VENDORS[name];
  const { modelDir } = settings;
  if (modelDir !== undefined) return sherpaLocalStt({ ...settings, modelDir }, log);
  return vendor === null
    ? openaiUtteranceStt(settings, limits.answerMs, limits.reach?.fetch)
    : createSocketStt(vendor(settings), settings, limits);
}

/** The chosen recognisers in order; `last` always works. */
export const createVendorStt = (
  choices: readonly RecogniserChoice[],
  last: SttProvider,
  deps: ChainDeps = {},
  log: Log = silentLog,
): SttProvider =>
  new ChainedRecogniser([...choices.map((choice) => createRecogniser(choice, {}, log)), last], deps);

/** Tries a recogniser as a call would. Resolves with the time until it answers in ms, or the fault. `reach`: the address rules. */
export function tryRecogniser(
  { name, settings }: RecogniserChoice,
  reach?: VendorReach,
): Promise<number | VendorFault> {
  const vendor = VENDORS[name];
  const { modelDir } = settings;
  if (modelDir !== undefined) return trySherpaLocal({ ...settings, modelDir });
  return vendor === null
    ? tryUtterance(settings, reach?.fetch)
    : tryVendor(vendor(settings), settings.apiKey, reach);
}
