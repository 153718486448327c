import { findVoices } from '../../domain/agents/voice-catalogue.ts';
import { errors } from '../../errors.ts';
import { answers } from '../schemas/common.ts';
import { ListVoicesQuery, VoiceList } from '../schemas/voices.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';
import { toVoice } from '../wire/agents.ts';

/** GET /agent/voices. */
export function voiceRoutes(app: Server, deps: ServerDeps): void {
  app.get(
    '/agent/voices',
    {
      config: { rateClass: 'read', failure: 'voicesFailed' },
      schema: {
        operationId: 'listVoices',
        summary: 'Voices, optionally those that speak one of some languages',
        tags: ['Agents'],
        querystring: ListVoicesQuery,
        response: answers(VoiceList, 422),
      },
    },
    async ({ query }) => {
      const voices = findVoices(deps.voices, query.language ?? null);
      return { voices: voices.map((voice) => toVoice(voice, deps.link.publicUrl)) };
    },
  );
}

const CACHE = 'public, max-age=86400';

/** Public previews and images of voices: GET /voices/{id}/preview/{language}.wav and /voices/{id}/image.svg. */
export function voiceMediaRoutes(app: Server, deps: ServerDeps): void {
  // Renders each preview once; a failed rendering leaves the cache, so that the next request retries.
  const previews = new Map<string, Promise<Buffer>>();
  const preview = (voiceId: string, language: string): Promise<Buffer> => {
    const key = `${voiceId}/${language}`;
    const known = previews.get(key);
    if (known !== undefined) return known;
    const rendering = deps.renderPreview(voiceId, language);
    previews.set(key, rendering);
    rendering.catch(() => previews.delete(key));
    return rendering;
  };

  app.get<{ Params: { voice_id: string; file: string } }>(
    '/voices/:voice_id/preview/:file',
    { schema: { hide: true } },
    async (request, reply) => {
      const voice = deps.voices.byId(request.params.voice_id);
      const language = /^(.+)\.wav$/.exec(request.params.file)?.[1];
      const spoken = voice?.languages.find((l) => l === language);
      if (voice === undefined || spoken === undefined) throw errors.voiceNotFound();
      const wav = await preview(voice.id, spoken);
      return reply.header('cache-control', CACHE).type('audio/wav').send(wav);
    },
  );

  app.get<{ Params: { voice_id: string } }>(
    '/voices/:voice_id/image.svg',
    { schema: { hide: true } },
    async (request, reply) => {
      const voice = deps.voices.byId(request.params.voice_id);
      if (voice === undefined) throw errors.voiceNotFound();
      return reply.header('cache-control', CACHE).type('image/svg+xml').send(portrait(voice));
    },
  );
}

/** The image of a voice: its initial on a colour derived from its id. */
function portrait(voice: { id: string; name: string }): string {
  const hue = Number.parseInt(voice.id.slice(0, 4), 16) % 360;
  const initial = voice.name.replace(/[^\p{L}]/gu, '').slice(0, 1) || 'V';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96" role="img"><rect width="96" height="96" rx="48" fill="hsl(${hue} 45% 40%)"/><text x="48" y="62" font-family="sans-serif" font-size="40" fill="#fff" text-anchor="middle">${initial}</text></svg>`;
}
