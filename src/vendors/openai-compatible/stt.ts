import type { Language } from '@callwright/language';
import { recogniserCode } from '../recogniser-languages.ts';
import type { VendorSettings } from '../catalogue.ts';
import { writeWav } from '@callwright/audio';
import type { SttEvent, SttOptions, SttProvider, SttSession } from '../../providers/ports/recogniser.ts';
import { faultOfStatus, vendorFault, type VendorFault } from '../../providers/wire/fault.ts';
import { redact } from '../../providers/wire/redact.ts';
import { Fields } from '@callwright/fields';
import { joinedPcm, utteranceBuffer } from '../../providers/stt/utterance.ts';

const NAME = 'openai-compatible';
const LIMIT_MS = 2_000;
/** Shorter sound (and the silence that ends it) is noise, from which such models invent words. */
const SHORTEST_MS = 230;
/** A pause up to this length, as within and between words, continues an utterance; the buffer keeps as much. */
const JOIN_MS = 240;
/** Whisper models leave out a word that the audio begins with. */
const PREROLL_MS = 600;
const LONGEST_JOINED_MS = 12_000;
const LONGEST_PROMPT = 800;
const TAKES_KEYWORDS = 'gpt-transcribe';
const LARGEST_ANSWER = 200_000;
/** What Whisper models write for noise, besides remarks in brackets. */
const INVENTED = new Set(['thanks for watching', 'thank you for watching', 'subtitles by', 'you']);

function isInvented(text: string): boolean {
  const plain = text.toLowerCase().replaceAll(/[.!]/g, '').trim();
  const isRemark = /^[[(]/.test(plain) && /[\])]$/.test(plain);
  return isRemark || INVENTED.has(plain);
}

type Fetch = typeof globalThis.fetch;
/** `fetch` applies the address rules to the URL of a workspace. */
interface Server {
  readonly settings: VendorSettings;
  readonly fetch: Fetch;
}

const codeOf = ({ model, languages }: VendorSettings, language: Language): string | null =>
  recogniserCode('openai-compatible', model, language, languages);

/** Any server with OpenAI's transcription request: hears an utterance at a time. */
export function openaiUtteranceStt(
  settings: VendorSettings,
  limitMs = LIMIT_MS,
  fetch: Fetch = globalThis.fetch,
): SttProvider {
  return {
    name: NAME,
    understands: (language) => codeOf(settings, language) !== null,
    open: (options) => openSession({ settings, fetch }, options, limitMs),
    close: () => Promise.resolve(),
  };
}

/** Speech up to a pause. */
interface Utterance {
  readonly pcm: Int16Array<ArrayBuffer>;
  readonly startedSince: number;
  /** Audio time of its end. */
  readonly endedMs: number;
  /** Its request; aborted when the speech continues. */
  readonly request: AbortController;
  /** The speech is complete: its words may be reported. */
  settle(): void;
  readonly settled: Promise<void>;
}

function openSession(server: Server, options: SttOptions, limitMs: number): SttSession {
  const { settings } = server;
  const { sampleRate, onEvent } = options;
  const buffer = utteranceBuffer(sampleRate, PREROLL_MS);
  const running = new AbortController();
  let audioMs = 0;
  let sentMs = 0;
  let startedSince = 0;
  let isClosed = false;
  /** The last utterance while speech may continue it, and the one that it continues. */
  let last: Utterance | null = null;
  let joined: Utterance | null = null;
  /** Results are reported in the order of the utterances. */
  let before: Promise<void> = Promise.resolve();

  const emit = (event: SttEvent): void => {
    if (!isClosed) onEvent(event);
  };
  const settleLast = (): void => {
    last?.settle();
    last = null;
  };
  const hear = (utterance: Utterance, at: number): void => {
    const { pcm, request, settled, endedMs } = utterance;
    const startedAt = performance.now();
    const isShort = at - utterance.startedSince < SHORTEST_MS;
    if (!isShort) sentMs += (pcm.length * 1000) / sampleRate;
    const signal = AbortSignal.any([running.signal, request.signal]);
    const result = isShort
      ? Promise.resolve('')
      : transcribe(server, options, wavOf(pcm, sampleRate), limitMs, signal);
    const done = result.then(
      (text) => ({ text, fault: null }),
      (fault: unknown) => ({ text: '', fault: faultOf(fault, settings) }),
    );
    before = before.then(async () => {
      const [{ text, fault }] = await Promise.all([done, settled]);
      if (request.signal.aborted) return;
      const now = at + Math.round(performance.now() - startedAt);
      if (fault !== null) {
        const { message, retryable } = fault;
        emit({ type: 'failed', message, retryable, at: now, fault });
      } else if (text === '') emit({ type: 'nothing', at: now });
      else emit({ type: 'final', text, confidence: null, audioMs: endedMs, at: now });
    });
  };
  return {
    write(frame) {
      buffer.write(frame);
      audioMs += (frame.length * 1000) / sampleRate;
      if (last !== null && audioMs - last.endedMs > JOIN_MS) settleLast();
    },
    speechStarted(at) {
      joined = last;
      last = null;
      // A buffer that is full has no place for more.
      if (joined !== null && joined.pcm.length > (LONGEST_JOINED_MS * sampleRate) / 1000) {
        joined.settle();
        joined = null;
      }
      joined?.request.abort();
      joined?.settle();
      startedSince = joined?.startedSince ?? at;
      buffer.begin();
    },
    speechEnded(at) {
      const own = buffer.end();
      if (own === null || isClosed) return;
      const pcm = joined === null ? own : joinedPcm(joined.pcm, own);
      joined = null;
      const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
      last = { pcm, startedSince, endedMs: audioMs, request: new AbortController(), settle, settled };
      hear(last, at);
    },
    expect: () => undefined,
    usage: () => [{ vendor: NAME, model: settings.model, audioMs: Math.round(sentMs) }],
    close() {
      isClosed = true;
      running.abort();
      settleLast();
    },
  };
}

/** Vendors take 16 bits at the call's rate. */
const wavOf = (pcm: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(writeWav({ sampleRate, channels: 1 }, pcm));

class Refused extends Error {
  readonly fault: VendorFault;
  constructor(fault: VendorFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** The words of an utterance; empty: none. Throws `Refused` and errors of the network. */
async function transcribe(
  { settings, fetch }: Server,
  { language, vocab }: { readonly language: Language; readonly vocab: readonly string[] },
  wav: Uint8Array<ArrayBuffer>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([wav], { type: 'audio/wav' }), 'utterance.wav');
  if (settings.model !== null) form.set('model', settings.model);
  const code = codeOf(settings, language);
  if (code !== null) form.set('language', code);
  form.set('response_format', 'json');
  form.set('temperature', '0');
  const prompt = vocab.join(', ').slice(0, LONGEST_PROMPT);
  // This model takes the words themselves.
  if (settings.model === TAKES_KEYWORDS)
    for (const word of vocab.slice(0, 100)) form.append('keywords[]', word);
  else if (prompt !== '') form.set('prompt', prompt);
  const limit = AbortSignal.timeout(limitMs);
  // Encoded here: a fetch of another implementation does not know this FormData.
  const encoded = new Response(form);
  const response = await fetch(requestUrl(settings.baseUrl), {
    method: 'POST',
    body: await encoded.arrayBuffer(),
    headers: {
      'content-type': encoded.headers.get('content-type') ?? '',
      ...(settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` }),
    },
    redirect: 'error',
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
  });
  const body = (await response.text()).slice(0, LARGEST_ANSWER);
  if (!response.ok) throw new Refused(faultOfStatus(NAME, response.status, detailOf(body)));
  const text = Fields.parse(body).text('text').trim();
  return isInvented(text) ? '' : text;
}

/** `/v1` is the usual path; a URL with a path has its own. */
const requestUrl = (baseUrl: string): string => {
  const path = new URL(baseUrl).pathname === '/' ? '/v1' : '';
  return `${baseUrl}${path}/audio/transcriptions`;
};

function detailOf(body: string): string {
  try {
    const answer = Fields.parse(body);
    return answer.of('error').text('message') || answer.text('error') || answer.text('detail');
  } catch {
    return body;
  }
}

function faultOf(error: unknown, { apiKey }: Pick<VendorSettings, 'apiKey'>): VendorFault {
  const fault = plainFaultOf(error);
  return { ...fault, message: redact(fault.message, [apiKey]) };
}

function plainFaultOf(error: unknown): VendorFault {
  if (error instanceof Refused) return error.fault;
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  if (isTimeout) return vendorFault(NAME, 'timeout', 'no answer to an utterance');
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return vendorFault(NAME, 'lost', code || (cause instanceof Error ? cause.message : ''));
}
