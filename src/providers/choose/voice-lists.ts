import { LANGUAGES } from '@callwright/language';
import type { TtsVendorName } from '../../vendors/catalogue.ts';
import type { VendorSettings } from '../../vendors/catalogue.ts';
import { faultOfStatus, vendorFault, type VendorFault } from '../wire/fault.ts';
import { Fields } from '@callwright/fields';
import { kokoroVoice, openaiVoices, sarvamVoices } from '../../vendors/fixed-voices.ts';
import { genderOf, languagesOf, vendorVoice, type VendorVoice } from '../../vendors/vendor-voice.ts';

const LIMIT_MS = 5_000;
const LARGEST_BYTES = 8_000_000;
const MOST_PAGES = 20;
const PAGE = 100;
const CARTESIA_VERSION = '2026-03-01';

/** The vendor does not give its list. `fault` names the cause without the key. */
export class VoiceListError extends Error {
  readonly fault: VendorFault;
  constructor(fault: VendorFault) {
    super(fault.message);
    this.fault = fault;
  }
}

type Fetch = typeof globalThis.fetch;
type Get = (
  vendor: TtsVendorName,
  settings: VendorSettings,
  path: string,
  headers: Record<string, string>,
) => Promise<Fields>;

/**
 * The voices of a vendor that speak at least one of our languages. Rejects with VoiceListError. `fetch` applies the
 * address rules to the URL of a workspace.
 */
export async function listVendorVoices(
  vendor: TtsVendorName,
  settings: VendorSettings,
  fetch: Fetch = globalThis.fetch,
): Promise<readonly VendorVoice[]> {
  const get: Get = (...request) => requestList(fetch, ...request);
  const key = settings.apiKey ?? '';
  switch (vendor) {
    case 'elevenlabs':
      return elevenlabsVoices(await get(vendor, settings, '/v1/voices', { 'xi-api-key': key }));
    case 'cartesia':
      return cartesiaList(get, settings, { 'X-API-Key': key, 'Cartesia-Version': CARTESIA_VERSION });
    case 'deepgram':
      return deepgramVoices(await get(vendor, settings, '/v1/models', { authorization: `Token ${key}` }));
    case 'sarvam':
      return sarvamVoices();
    case 'openai':
      return openaiVoices();
    case 'openai-compatible':
    default: {
      const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
      const path = new URL(settings.baseUrl).pathname === '/' ? '/v1/audio/voices' : 'audio/voices';
      return kokoroVoices(await get(vendor, settings, path, headers), settings.languages);
    }
  }
}

async function requestList(
  fetch: Fetch,
  vendor: TtsVendorName,
  { baseUrl, apiKey }: VendorSettings,
  path: string,
  headers: Record<string, string>,
): Promise<Fields> {
  const hide = (fault: VendorFault): VoiceListError =>
    new VoiceListError(
      apiKey === null || apiKey === ''
        ? fault
        : { ...fault, message: fault.message.replaceAll(apiKey, '***') },
    );
  let status: number;
  let text: string;
  try {
    const url = new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(LIMIT_MS) });
    status = response.status;
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      parts.push(part);
      size += part.length;
      if (size > LARGEST_BYTES) throw new Error('the list is too long');
    }
    text = Buffer.concat(parts).toString('utf8');
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const detail = cause instanceof Error ? cause.message : '';
    throw hide(vendorFault(vendor, isLate ? 'timeout' : 'lost', detail));
  }
  if (status !== 200) throw hide(faultOfStatus(vendor, status, text));
  try {
    return Fields.parse(text);
  } catch {
    throw hide(vendorFault(vendor, 'rejected', 'its list of voices cannot be read'));
  }
}

const found = (voices: readonly (VendorVoice | null)[]): readonly VendorVoice[] =>
  voices.filter((voice) => voice !== null);

/** Verified languages; without them the language of the labels. The models speak them in any voice. */
const elevenlabsVoices = (list: Fields): readonly VendorVoice[] =>
  found(
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

async function cartesiaList(
  get: Get,
  settings: VendorSettings,
  headers: Record<string, string>,
): Promise<readonly VendorVoice[]> {
  const voices: (VendorVoice | null)[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const cursor: string = after === null ? '' : `&starting_after=${encodeURIComponent(after)}`;
    const list = await get('cartesia', settings, `/voices?limit=${PAGE}${cursor}`, headers);
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
  return found(voices);
}

const deepgramVoices = (list: Fields): readonly VendorVoice[] =>
  found(
    list.list('tts').map((model) => {
      const facts = model.of('metadata');
      const tags = facts.texts('tags');
      const accent = facts.text('accent');
      const isOurs = model.texts('languages').some((code) => code === 'en' || code.startsWith('en-'));
      const name = model.text('name');
      return vendorVoice('deepgram', {
        voice: model.text('canonical_name'),
        name: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
        gender: tags.includes('feminine') ? 'female' : tags.includes('masculine') ? 'male' : 'neutral',
        languages: isOurs ? languagesOf('en', accent) : [],
        description: [accent, facts.text('age'), ...tags].filter((word) => word !== '').join(', '),
        sampleUrl: facts.text('sample') || null,
      });
    }),
  );

/** Names, or objects with an id or a name. Other voices than Kokoro's speak what the operator says that they do. */
function kokoroVoices(list: Fields, served: readonly string[] = []): readonly VendorVoice[] {
  const names = [
    ...list.texts('voices'),
    ...list.list('voices').map((voice) => voice.text('id') || voice.text('name')),
  ];
  return found(
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
