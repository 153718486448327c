import type { TtsSession } from '../../providers/ports/voice.ts';
import { inSpokenForms } from '../../session/spoken-forms.ts';
import { talkOf } from '../../session/settings.ts';
import { playCall } from '../play/play-call.ts';
import { timingOf } from '../play/timing.ts';
import { placeOf } from '../run.ts';
import { callerVoice, synthesised } from './caller-voice.ts';
import type { SoundRun } from './sound-run.ts';
import type { Studio } from './studio.ts';

const TIMING = timingOf('offline');
const RATE = 8_000;

/**
 * Has the sentences of both sides synthesised before the calls begin, so that many calls do not wait for each other's voices:
 * those that the same calls say by text. Others are synthesised when they are said.
 */
export async function warmVoices(
  run: Pick<SoundRun, 'parts' | 'seed' | 'calls'>,
  { providers, usualVoice }: Pick<Studio, 'providers' | 'usualVoice'>,
): Promise<void> {
  const known = new Set<string>();
  const warm = async (tts: TtsSession, voice: object, texts: readonly string[]): Promise<void> => {
    for (const text of texts) {
      const key = JSON.stringify([voice, text]);
      if (known.has(key)) continue;
      known.add(key);
      // The call that says it reports a voice that fails.
      await synthesised(tts, text).catch(() => undefined);
    }
    tts.close();
  };
  for (const call of run.calls) {
    const { part, seed } = placeOf(run, call);
    const { spec } = part.agent;
    const { persona, language = spec.agent.language } = part.scenario;
    const { agent, caller } = await playCall({ ...part, seed, timing: TIMING });
    const { voice } = talkOf(spec, providers.stt, RATE);
    const own = callerVoice(persona, language, usualVoice);
    const texts = (sounds: readonly { readonly text: string }[]): string[] => sounds.map(({ text }) => text);
    await Promise.all([
      warm(inSpokenForms(providers.tts.open(voice), spec.agent), voice, texts(agent)),
      warm(providers.tts.open(own), own, texts(caller)),
    ]);
  }
}
