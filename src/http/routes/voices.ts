import { findVoices } from '../../domain/agents/find-voices.ts';
import { errors } from '../../errors.ts';
import { answers } from '../schemas/common.ts';
import { ListVoicesQuery, VoiceList } from '../schemas/voices.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';
import { portrait } from '../portrait.ts';

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
    async (request) => ({ voices: findVoices(deps, request.query.language ?? null) }),
  );
}

const CACHE = 'public, max-age=86400';

/** What voices look and sound like, without a key: GET /voices/{id}/preview/{language}.wav and /voices/{id}/image.svg. */
export function voiceMediaRoutes(app: Server, deps: ServerDeps): void {
  // Rendered once: a failed rendering is forgotten, so that the next request tries again.
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
