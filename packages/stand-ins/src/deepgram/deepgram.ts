import type { FakeProtocol, FakeRequest, FakeSettings, Refusal } from '../fake-vendor.ts';
import { deepgramVoiceSocket } from './voice.ts';
import { fluxHandler } from './flux.ts';
import { novaHandler } from './nova.ts';
import { deepgramRefusal as refusal } from './refusal.ts';
import { deepgramModels } from '../voice-lists.ts';

const RATES = new Set(['8000', '16000', '24000', '44100', '48000']);
const MOST_KEYTERMS = 100;
/** Deepgram's streaming recognisers, `/v1/listen` and `/v2/listen`, and its voices, `/v1/speak`. */
export const fakeDeepgram: FakeProtocol = {
  name: 'deepgram',
  refusal: (status) => refusal(status),
  http({ path, method, headers }, { key }) {
    if (path !== '/v1/models' || method !== 'GET') return null;
    return isKnown(headers['authorization'], key) ? { status: 200, body: deepgramModels() } : refusal(401);
  },
  socket(request, settings) {
    if (request.path === '/v1/speak') {
      if (!isKnown(request.headers['authorization'], settings.key)) return refusal(401);
      return deepgramVoiceSocket(request.query);
    }
    const problem = refused(request, settings);
    if (problem !== null) return problem;
    const isFlux = request.path === '/v2/listen';
    return (connection) =>
      isFlux ? fluxHandler(connection, request.query) : novaHandler(connection, request.query);
  },
};

function isKnown(authorization: string | undefined, key: string | null): boolean {
  const given = /^Token (\S+)$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && (key === null || given === key);
}

function refused({ path, query, headers }: FakeRequest, { key }: Readonly<FakeSettings>): Refusal | null {
  if (!isKnown(headers['authorization'], key)) return refusal(401);
  if (path !== '/v1/listen' && path !== '/v2/listen') return refusal(404, 'Not found.');
  const model = query.get('model') ?? '';
  const isFlux = model.startsWith('flux-general-');
  if (!isFlux && !/^nova-[23]/.test(model)) return refusal(403);
  if (isFlux !== (path === '/v2/listen')) return refusal(400, `Model ${model} is not served here.`);
  const encoding = query.get('encoding') ?? '';
  if (!['linear16', 'mulaw'].includes(encoding) || !RATES.has(query.get('sample_rate') ?? '')) {
    return refusal(400, 'Unsupported encoding or sample_rate.');
  }
  if (query.getAll('keyterm').length > MOST_KEYTERMS) return refusal(400, 'Keyterm limit exceeded.');
  if (query.has('keyterm') && model.startsWith('nova-2')) return refusal(400, 'Keyterms need Nova-3.');
  return isFlux ? fluxProblem(query, model) : null;
}

const FLUX_REFUSES = ['language', 'smart_format', 'diarize', 'interim_results', 'endpointing', 'vad_events'];

function fluxProblem(query: URLSearchParams, model: string): Refusal | null {
  for (const name of FLUX_REFUSES) {
    if (query.has(name)) return refusal(400, `Unknown parameter ${name}.`);
  }
  if (query.has('language_hint') && model.endsWith('-en')) return refusal(400, 'language_hint needs multi.');
  const number = (name: string, fallback: number): number => Number(query.get(name) ?? fallback);
  const eot = number('eot_threshold', 0.7);
  const eager = number('eager_eot_threshold', 0.3);
  const timeout = number('eot_timeout_ms', 5_000);
  const fits = eot >= 0.5 && eot <= 1 && eager >= 0.3 && eager <= Math.min(eot, 0.9);
  return fits && timeout >= 500 && timeout <= 60_000 ? null : refusal(400, 'Threshold out of range.');
}
