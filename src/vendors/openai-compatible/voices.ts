import { LANGUAGES, type Language } from '@callwright/language';
import type { ReadList } from '../protocol.ts';
import type { VendorSettings } from '../catalogue.ts';
import { listed, titled, vendorVoice, type VendorVoice } from '../vendor-voice.ts';

const KOKORO: Readonly<Record<string, readonly Language[]>> = {
  a: ['en-US'],
  b: ['en-GB', 'en-AU', 'en-IN'],
  h: ['hi-IN'],
  z: ['zh-CN'],
};

/** A Kokoro voice by its name, such as `af_heart`: language, gender, name; null: another kind of name. */
export function kokoroVoice(voice: string): VendorVoice | null {
  const [, language = '', gender = '', name = ''] = /^([abhz])([fm])_([a-z0-9]+)$/.exec(voice) ?? [];
  return vendorVoice('openai-compatible', {
    voice,
    name: titled(name),
    gender: gender === 'f' ? 'female' : 'male',
    languages: KOKORO[language] ?? [],
    description: 'Kokoro, on a server of the operator.',
  });
}

/** Lists names, or objects with an id or a name. The operator's setting has the languages of voices other than Kokoro's. */
export async function serverVoices(
  { apiKey, baseUrl, languages: served = [] }: VendorSettings,
  read: ReadList,
): Promise<readonly VendorVoice[]> {
  const path = new URL(baseUrl).pathname === '/' ? '/v1/audio/voices' : 'audio/voices';
  const list = await read(path, (apiKey ?? '') === '' ? {} : { authorization: `Bearer ${apiKey ?? ''}` });
  const names = [
    ...list.texts('voices'),
    ...list.list('voices').map((voice) => voice.text('id') || voice.text('name')),
  ];
  return listed(
    names.map(
      (voice) =>
        kokoroVoice(voice) ??
        vendorVoice(
          'openai-compatible',
          { voice, name: voice, gender: 'neutral', languages: served.length === 0 ? [] : LANGUAGES },
          served,
        ),
    ),
  );
}
