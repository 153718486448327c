import type { ReadList } from '../protocol.ts';
import type { VendorSettings } from '../catalogue.ts';
import { languagesOf, listed, titled, vendorVoice, type VendorVoice } from '../vendor-voice.ts';

/** The models of Aura, each of which is a voice. */
export async function deepgramVoices(
  { apiKey }: VendorSettings,
  read: ReadList,
): Promise<readonly VendorVoice[]> {
  const list = await read('/v1/models', { authorization: `Token ${apiKey ?? ''}` });
  return listed(
    list.list('tts').map((model) => {
      const facts = model.of('metadata');
      const tags = facts.texts('tags');
      const accent = facts.text('accent');
      const isEnglish = model.texts('languages').some((code) => code === 'en' || code.startsWith('en-'));
      return vendorVoice('deepgram', {
        voice: model.text('canonical_name'),
        name: titled(model.text('name')),
        gender: tags.includes('feminine') ? 'female' : tags.includes('masculine') ? 'male' : 'neutral',
        languages: isEnglish ? languagesOf('en', accent) : [],
        description: [accent, facts.text('age'), ...tags].filter((word) => word !== '').join(', '),
        sampleUrl: facts.text('sample') || null,
      });
    }),
  );
}
