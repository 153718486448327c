import { findVoices, type Voice } from '../../domain/agents/voice-catalogue.ts';
import { errors } from '../../errors.ts';
import { isLanguage } from '@callwright/language';
import { answers } from '../common/schemas.ts';
import { ListVoicesQuery, VoiceList } from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { toVoice } from '../agents/wire.ts';

type VoicesRouteDeps = Pick<ServerDeps, 'voices' | 'vendorVoices' | 'link' | 'renderPreview' | 'isReplaced'>;

/** GET /agent/voices. */
export function voiceRoutes(app: Server, deps: VoicesRouteDeps): void {
  app.get(
    '/agent/voices',
    {
      config: { rateClass: 'read', failure: 'voicesFailed' },
      schema: {
        operationId: 'listVoices',
        summary: 'Voices, optionally those that speak one of some languages',
        description: 'The id of a voice is the voice_id of an agent.',
        tags: ['Agents'],
        querystring: ListVoicesQuery,
        response: answers(VoiceList, 422),
      },
    },
    async ({ query, caller: { workspaceId } }) => {
      const known = (await deps.vendorVoices?.list(workspaceId)) ?? deps.voices;
      const voices = findVoices(known, query.language ?? null);
      const ownerOf = ({ id }: Voice) => (deps.voices.byId(id) === undefined ? workspaceId : null);
      return { voices: voices.map((voice) => toVoice(voice, deps.link, ownerOf(voice))) };
    },
  );
}

const CACHE = 'public, max-age=86400';
/** Previews of vendors' voices that stay in memory; the oldest leave first. */
const MOST_PREVIEWS = 200;

/** Public previews and images of voices: GET /voices/{id}/preview/{language}.wav and /voices/{id}/image.svg. */
export function voiceMediaRoutes(app: Server, deps: VoicesRouteDeps): void {
  // Renders each preview once; a failed rendering leaves the cache, so that the next request retries.
  const previews = new Map<string, Promise<Buffer>>();
  const vendorPreviews = new Map<string, Promise<Buffer>>();
  const once = (
    kept: Map<string, Promise<Buffer>>,
    key: string,
    render: () => Promise<Buffer>,
  ): Promise<Buffer> => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const rendering = render();
    kept.set(key, rendering);
    rendering.catch(() => kept.delete(key));
    return rendering;
  };

  /** The workspace whose vendor's voice a link names; null: the link names none. */
  const workspaceOf = async (voiceId: string, token: string | undefined): Promise<string | null> => {
    const named = token === undefined ? null : await deps.link.read('voice', token);
    return named?.id === voiceId ? named.workspaceId : null;
  };

  const vendorPreview = async (voiceId: string, language: string, token: string | undefined) => {
    const workspaceId = await workspaceOf(voiceId, token);
    if (workspaceId === null || !isLanguage(language)) throw errors.voiceNotFound();
    const wav = await once(vendorPreviews, `${workspaceId}/${voiceId}/${language}`, async () => {
      const rendered = (await deps.vendorVoices?.preview(workspaceId, voiceId, language)) ?? null;
      if (rendered === null) throw errors.voiceNotFound();
      return rendered;
    });
    for (const oldest of vendorPreviews.keys()) {
      if (vendorPreviews.size <= MOST_PREVIEWS) break;
      vendorPreviews.delete(oldest);
    }
    return wav;
  };

  app.get<{ Params: { voice_id: string; file: string }; Querystring: { token?: string } }>(
    '/voices/:voice_id/preview/:file',
    { schema: { hide: true } },
    async (request, reply) => {
      const { voice_id: id, file } = request.params;
      const voice = deps.voices.byId(id);
      const language = /^(.+)\.wav$/.exec(file)?.[1] ?? '';
      const spoken = voice?.languages.find((l) => l === language);
      if (voice !== undefined && spoken === undefined) throw errors.voiceNotFound();
      if (voice !== undefined && deps.isReplaced?.(voice.id) === true) {
        // Its own preview follows as soon as its model is installed.
        const wav = await deps.renderPreview(voice.id, language);
        return reply.header('cache-control', 'no-store').type('audio/wav').send(wav);
      }
      const wav =
        voice === undefined
          ? await vendorPreview(id, language, request.query.token)
          : await once(previews, `${voice.id}/${language}`, () => deps.renderPreview(voice.id, language));
      return reply.header('cache-control', CACHE).type('audio/wav').send(wav);
    },
  );

  app.get<{ Params: { voice_id: string }; Querystring: { token?: string } }>(
    '/voices/:voice_id/image.svg',
    { schema: { hide: true } },
    async (request, reply) => {
      const { voice_id: id } = request.params;
      const owner = deps.voices.byId(id) === undefined ? await workspaceOf(id, request.query.token) : null;
      const known = owner === null ? deps.voices : await deps.vendorVoices?.list(owner);
      const voice = known?.byId(id);
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
