import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offerVoices, voices, type VoiceInfo } from '../../../src/providers/voices.ts';
import { catalogue, specDeps } from '../../../src/app/adapters.ts';
import { checkVoices, type VoiceChoice } from '../../../src/domain/agents/voice-catalogue.ts';
import type { Language } from '@callwright/language';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

const choiceOf = (voiceId: string, language: Language): VoiceChoice => ({
  voiceId,
  language,
  secondaryLanguage: null,
  secondaryVoiceId: null,
});

const previews: string[] = [];
let reader: Reader;
/** The voice whose model is not installed. */
let replaced = '';
beforeAll(async () => {
  reader = await createReader({
    isReplaced: (voiceId) => voiceId === replaced,
    renderPreview: (voiceId, language) => {
      previews.push(`${voiceId}/${language}`);
      return previews.length === 1
        ? Promise.reject(new Error('busy'))
        : Promise.resolve(Buffer.from('RIFFwave'));
    },
  });
});
afterAll(() => reader.api.close());

describe('voices', () => {
  it('lists all voices, or those of the requested languages', async () => {
    const all = await reader.get('/api/v0/agent/voices');
    expect(all.body['voices']).toHaveLength(voices().length);
    const some = await reader.get('/api/v0/agent/voices?language=ta-IN,%20zh-CN');
    const listed = some.body['voices'] as {
      languages: string[];
      voice_previews: Record<string, string>;
      gender: string;
    }[];
    expect(listed.length).toBeGreaterThan(1);
    for (const voice of listed) {
      expect(voice.languages.some((l) => l === 'ta-IN' || l === 'zh-CN')).toBe(true);
      expect(Object.keys(voice.voice_previews)).toEqual(voice.languages);
    }
    const unknown = await reader.get('/api/v0/agent/voices?language=xx');
    expect(unknown.status).toBe(422);
    expect(String(unknown.body['message'])).toMatch(/^language must list/);
  });

  it('have previews without a key, rendered once and again after a failure', async () => {
    const listed = (await reader.get('/api/v0/agent/voices')).body['voices'] as {
      voice_previews: Record<string, string>;
      image_url: string;
    }[];
    const path = new URL(Object.values(listed[0]!.voice_previews)[0]!).pathname;
    expect((await reader.get(path, { key: null })).status).toBe(500);
    for (let i = 0; i < 3; i += 1) {
      const answer = await reader.get(path, { key: null });
      expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
        200,
        'audio/wav',
        'RIFFwave',
      ]);
    }
    expect(previews).toHaveLength(2);
    const image = await reader.get(new URL(listed[0]!.image_url).pathname, { key: null });
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    for (const bad of [
      '/voices/x/preview/en-US.wav',
      path.replace('.wav', '.mp3'),
      path.replace(/[^/]+$/, '..%2f..%2fx.wav'),
      '/voices/x/image.svg',
    ]) {
      expect((await reader.get(bad, { key: null })).status).toBe(404);
    }
    expect(previews).toHaveLength(2);
  });

  it("include the operator's own, which agents may choose", async () => {
    const own: VoiceInfo = {
      id: '6a1b9c6e-3d0c-5b7e-9f51-0d8d3c1f2a77',
      name: 'Asha (mine)',
      languages: ['ta-IN'],
      gender: 'neutral',
      description: '',
      voiceKey: 'own:mine/asha:f3:ta-IN',
    };
    offerVoices(() => [own]);
    try {
      const { body } = await reader.get('/api/v0/agent/voices?language=ta-IN');
      // Before the voices of the catalogue: clients offer the first.
      expect((body['voices'] as unknown[])[0]).toEqual(
        expect.objectContaining({ id: own.id, name: own.name, languages: ['ta-IN'], gender: 'neutral' }),
      );
      expect(checkVoices(catalogue, choiceOf(own.id, 'ta-IN'))).toEqual({
        voiceId: own.id,
        secondaryVoiceId: null,
      });
      expect(() => checkVoices(catalogue, choiceOf(own.id, 'hi-IN'))).toThrow(/language/i);
      expect(specDeps.voiceKey(own.id, 'ta-IN')).toBe(own.voiceKey);
    } finally {
      offerVoices(() => []);
    }
    expect(() => checkVoices(catalogue, choiceOf(own.id, 'ta-IN'))).toThrow(/voice_id/);
  });

  it('have a preview that is not kept while another voice speaks for them', async () => {
    const listed = (await reader.get('/api/v0/agent/voices')).body['voices'] as {
      id: string;
      voice_previews: Record<string, string>;
    }[];
    const last = listed.at(-1)!;
    const path = new URL(Object.values(last.voice_previews)[0]!).pathname;
    const before = previews.length;
    const preview = async () => (await reader.get(path, { key: null })).headers['cache-control'];
    replaced = last.id;
    expect([await preview(), await preview()]).toEqual(['no-store', 'no-store']);
    replaced = '';
    expect([await preview(), await preview()]).toEqual(['public, max-age=86400', 'public, max-age=86400']);
    expect(previews).toHaveLength(before + 3);
  });
});
