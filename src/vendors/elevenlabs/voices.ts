import type { ReadList } from '../protocol.ts';
import type { VendorSettings } from '../catalogue.ts';
import { genderOf, languagesOf, listed, vendorVoice, type VendorVoice } from '../vendor-voice.ts';

/** A voice has its verified languages, or else the language of its labels; the models speak them in any voice. */
export async function elevenlabsVoices(
  { apiKey }: VendorSettings,
  read: ReadList,
): Promise<readonly VendorVoice[]> {
  const list = await read('/v1/voices', { 'xi-api-key': apiKey ?? '' });
  return listed(
    list.list('voices').map((voice) => {
      const labels = voice.of('labels');
      const accent = labels.text('accent');
      const verified = voice
        .list('verified_languages')
        .flatMap((one) =>
          languagesOf(one.text('locale') || one.text('language'), one.text('accent') || accent),
        );
      return vendorVoice('elevenlabs', {
        voice: voice.text('voice_id'),
        name: voice.text('name'),
        gender: genderOf(labels.text('gender')),
        languages: verified.length > 0 ? verified : languagesOf(labels.text('language') || 'en', accent),
        description: voice.text('description'),
        sampleUrl: voice.text('preview_url') || null,
      });
    }),
  );
}
