import type { HeardCheck } from '../providers/stt/check-speech.ts';
import type { SttVendor } from '../providers/stt/dialect.ts';
import type { SocketLimits } from '../providers/stt/socket-stt.ts';
import type { OpenS2sVendor } from '../providers/s2s/dialect.ts';
import type { TtsLimits } from '../providers/tts/tts-connection.ts';
import type { TtsVendor } from '../providers/tts/dialect.ts';
import type { OpenVendorModel } from '../providers/llm/vendor-model.ts';
import type { Fields } from '@callwright/fields';
import type { VendorFault } from '../providers/wire/fault.ts';
import type { Log } from '../shared/log.ts';
import type { SttProvider } from '../providers/ports/recogniser.ts';
import type { TtsProvider } from '../providers/ports/voice.ts';
import type { VendorSettings } from './catalogue.ts';
import type { VendorVoice } from './vendor-voice.ts';

/** A recogniser: a dialect over WebSocket, or a provider with a check. */
export type RecogniserProtocol =
  | { readonly dialect: (settings: VendorSettings) => SttVendor }
  | {
      readonly open: (settings: VendorSettings, limits: SocketLimits, log: Log) => SttProvider;
      /** Speaks a sentence to it, as `checkBySpeech` does. `speech`: another one, for tests. */
      readonly check: (
        settings: VendorSettings,
        limits: SocketLimits,
        speech?: Int16Array,
      ) => Promise<HeardCheck | VendorFault>;
    };

/** Reads a list of the vendor over HTTP; `path` is relative to its base URL. */
export type ReadList = (path: string, headers: Readonly<Record<string, string>>) => Promise<Fields>;

/** Voices: a dialect over WebSocket or a provider, and the list of voices. */
export type VoiceProtocol = (
  | { readonly dialect: (settings: VendorSettings) => TtsVendor }
  | { readonly open: (settings: VendorSettings, limits: TtsLimits) => TtsProvider }
) & {
  readonly voices: (
    settings: VendorSettings,
    read: ReadList,
  ) => readonly VendorVoice[] | Promise<readonly VendorVoice[]>;
};

/** How to speak with one vendor, in the parts that its description names. */
export interface VendorProtocol {
  readonly stt?: RecogniserProtocol;
  readonly llm?: OpenVendorModel;
  readonly tts?: VoiceProtocol;
  readonly s2s?: OpenS2sVendor;
}
