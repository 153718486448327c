import type { ReadList } from '../protocol.ts';
import type { VendorSettings } from '../catalogue.ts';
import { genderOf, languagesOf, listed, vendorVoice, type VendorVoice } from '../vendor-voice.ts';

const VERSION = '2026-03-01';
const MOST_PAGES = 20;
const PAGE = 100;

export async function cartesiaVoices(
  { apiKey }: VendorSettings,
  read: ReadList,
): Promise<readonly VendorVoice[]> {
  const headers = { 'X-API-Key': apiKey ?? '', 'Cartesia-Version': VERSION };
  const voices: (VendorVoice | null)[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const cursor: string = after === null ? '' : `&starting_after=${encodeURIComponent(after)}`;
    const list = await read(`/voices?limit=${PAGE}${cursor}`, headers);
    for (const voice of list.list('data')) {
      const [country, language] = [voice.text('country'), voice.text('language')];
      voices.push(
        vendorVoice('cartesia', {
          voice: voice.text('id'),
          name: voice.text('name'),
          gender: genderOf(voice.text('gender')),
          languages: languagesOf(
            country === '' || language.includes('-') ? language : `${language}-${country}`,
          ),
          description: voice.text('description'),
          sampleUrl: voice.text('preview_file_url') || null,
        }),
      );
      after = voice.text('id');
    }
    after = list.text('next_page') || after;
    if (!list.flag('has_more') || after === null) break;
  }
  return listed(voices);
}
