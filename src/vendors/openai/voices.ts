import { LANGUAGES } from '@callwright/language';
import { fixedVoices, type VendorVoice } from '../vendor-voice.ts';

const WOMEN = 'marin alloy coral nova sage shimmer';
const MEN = 'cedar ash ballad echo fable onyx verse';

/** The vendor has no list to read. */
export const openaiVoices = (): readonly VendorVoice[] =>
  fixedVoices(
    'openai',
    [
      ['female', WOMEN],
      ['male', MEN],
    ],
    LANGUAGES,
    'OpenAI: follows the language of the text; best in English.',
  );
