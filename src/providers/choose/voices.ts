import type { TtsVendorName, VendorSettings } from '../../vendors/catalogue.ts';
import type { TtsProvider } from '../ports/voice.ts';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import { protocolOf } from './protocols.ts';
import type { VendorReach } from '../wire/reach.ts';
import { cachedVoice, type SpokenClips } from '../tts/cached-voice.ts';
import { SocketTts } from '../tts/socket-tts.ts';
import type { TtsLimits } from '../tts/tts-connection.ts';

/** One speech vendor with its settings, as plain data. */
export interface VoiceChoice {
  readonly name: TtsVendorName;
  /** `model` is that of the voices. */
  readonly settings: VendorSettings;
}

/** `clips`: where fixed sentences are kept; absent: nowhere. */
export function createVoice(
  { name, settings }: VoiceChoice,
  { clips, ...limits }: TtsLimits & { readonly clips?: SpokenClips } = {},
): TtsProvider {
  const protocol = protocolOf(name, 'tts');
  const voice =
    'dialect' in protocol
      ? new SocketTts(protocol.dialect(settings), settings, limits)
      : protocol.open(settings, limits);
  return clips === undefined ? voice : cachedVoice(voice, settings, clips);
}

const TRY_MS = 5_000;

/** Says a word as a call would. Resolves with the time to its first audio in ms, or the fault. `reach`: the address rules. */
export async function tryVoice(choice: VoiceChoice, reach?: VendorReach): Promise<number | VendorFault> {
  const voice = createVoice(choice, {
    ...(reach === undefined ? {} : { reach }),
    connectMs: TRY_MS,
    greetingMs: TRY_MS,
  });
  const startedAt = performance.now();
  const voiceKey = `${choice.name}:${choice.settings.voice ?? ''}`;
  const result = await new Promise<number | VendorFault>((resolve) => {
    const timer = setTimeout(
      () => resolve(vendorFault(choice.name, 'timeout', `no speech within ${TRY_MS} ms`)),
      TRY_MS,
    );
    const isOwn = choice.settings.voice != null;
    const session = voice.open({
      voiceKey: isOwn ? voiceKey : '',
      language: 'en-US',
      speed: 1,
      sampleRate: 8000,
    });
    const speech = session.begin();
    speech.say('Hello.', (event) => {
      if (event.type === 'audio') resolve(Math.round(performance.now() - startedAt));
      else if (event.type === 'done') resolve(vendorFault(choice.name, 'rejected', 'it sends no speech'));
      else if (event.type === 'failed') {
        resolve(event.fault ?? vendorFault(choice.name, 'lost', event.message));
      } else return;
      clearTimeout(timer);
    });
    speech.end();
  });
  await voice.close();
  return result;
}
