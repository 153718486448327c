import { LANGUAGES } from '@callwright/language';
import { fixedVoices, type VendorVoice } from '../vendor-voice.ts';

const MEN =
  'shubh aditya rahul rohan amit dev ratan varun manan sumit kabir aayan ashutosh advait anand tarun sunny mani gokul vijay mohit rehan soham';
const WOMEN = 'ritu priya neha pooja simran kavya ishita shreya roopa tanya shruti suhani kavitha rupali';

/** The vendor has no list to read. */
export const sarvamVoices = (): readonly VendorVoice[] =>
  fixedVoices(
    'sarvam',
    [
      ['male', MEN],
      ['female', WOMEN],
    ],
    LANGUAGES.filter((language) => language.endsWith('-IN')),
    'Sarvam Bulbul v3: every Indian language.',
  );
