import { voices } from '../../src/providers/voices.ts';
import { kokoroVoice } from '../../src/vendors/openai-compatible/voices.ts';
import { openaiVoices } from '../../src/vendors/openai/voices.ts';
import { sarvamVoices } from '../../src/vendors/sarvam/voices.ts';

/** What the service says of voices in its own words; other vendors describe theirs in their answers. */
export const VOICE_DESCRIPTIONS: readonly string[] = [
  ...new Set(
    [...voices(), ...openaiVoices(), ...sarvamVoices(), kokoroVoice('af_heart')].flatMap((voice) =>
      voice === null ? [] : [voice.description],
    ),
  ),
];
