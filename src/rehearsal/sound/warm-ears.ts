import { isEnglish, type Language } from '@callwright/language';
import type { SttProvider } from '../../providers/ports/recogniser.ts';
import { callerVoice, synthesised } from './caller-voice.ts';
import type { SoundParts } from './sound-run.ts';
import type { Studio } from './studio.ts';

const RATE = 8_000;
const FRAME = 160;
/** A recogniser that has not answered by then is not waited for: calls show what it hears. */
const LIMIT_MS = 60_000;

/** Has the recogniser hear a word in the language of each agent, so that its models are loaded before the calls begin. */
export async function warmEars(
  { parts }: Pick<SoundParts, 'parts'>,
  { providers, recogniser, usualVoice }: Pick<Studio, 'providers' | 'recogniser' | 'usualVoice'>,
): Promise<void> {
  if (recogniser === 'given') return;
  for (const language of new Set(parts.map(({ agent }) => agent.spec.agent.language))) {
    if (!providers.stt.understands(language)) continue;
    const tts = providers.tts.open(callerVoice({}, language, usualVoice));
    const word = isEnglish(language) ? 'Hello.' : '1';
    const sound = await synthesised(tts, word).catch(() => []);
    tts.close();
    await hear(providers.stt, language, sound);
  }
}

function hear(stt: SttProvider, language: Language, sound: readonly Int16Array[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      session.close();
      resolve();
    };
    const timer = setTimeout(end, LIMIT_MS);
    const session = stt.open({
      language,
      secondaryLanguage: null,
      sampleRate: RATE,
      vocab: [],
      onEvent: ({ type }) => {
        if (type !== 'partial') queueMicrotask(end);
      },
    });
    session.speechStarted(0);
    for (const pcm of sound)
      for (let at = 0; at + FRAME <= pcm.length; at += FRAME) session.write(pcm.subarray(at, at + FRAME), 0);
    session.speechEnded(0);
  });
}
