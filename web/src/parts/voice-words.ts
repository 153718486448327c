import { t } from '../words/words.ts';

const GENDERS: Readonly<Record<string, string>> = { female: 'female', male: 'male', neutral: 'neutral' };

/** The gender of a voice, in the language of the reader. */
export const voiceGender = (gender: string): string => t(GENDERS[gender] ?? gender);

const OWN =
  'A voice of {kind} in the folder {folder} of this machine. Needs the package sherpa-onnx-node; without it espeak-ng speaks.';
const [BEFORE = '', BETWEEN = '', AFTER = ''] = OWN.split(/\{\w+\}/);

/**
 * What the service says of a voice, in the language of the reader: it describes its own voices in English, and so do the
 * catalogues of words. What a vendor says of its voices stays as the vendor wrote it.
 */
export function voiceDescription(description: string): string {
  const between = description.indexOf(BETWEEN, BEFORE.length);
  if (!description.startsWith(BEFORE) || between === -1 || !description.endsWith(AFTER))
    return t(description);
  return t(OWN, {
    kind: description.slice(BEFORE.length, between),
    folder: description.slice(between + BETWEEN.length, -AFTER.length),
  });
}
