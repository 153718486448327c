import type { VendorSettings } from '../catalogue.ts';
import type { Language } from '@callwright/language';
import type { TtsOptions } from '../../providers/ports/voice.ts';
import { kindOfText, vendorFault, type FaultKind } from '../../providers/wire/fault.ts';
import { Fields } from '@callwright/fields';
import { socketUrl } from '../../providers/stt/dialect.ts';
import {
  voiceOf,
  type TimedWord,
  type TtsDialect,
  type TtsVendorEvent,
  type TtsVendor,
} from '../../providers/tts/dialect.ts';
import { formatFor, wireMs } from '../../providers/tts/speech-decoder.ts';

const MODEL = 'eleven_flash_v2_5';
/** Rachel, one of the vendor's default voices. */
const VOICE = '21m00Tcm4TlvDq8ikWAM';
const CODES: Partial<Record<Language, string>> = {
  'en-US': 'en',
  'en-GB': 'en',
  'en-AU': 'en',
  'en-IN': 'en',
  'hi-IN': 'hi',
  'ta-IN': 'ta',
  'ms-MY': 'ms',
  'zh-CN': 'zh',
  'ar-AE': 'ar',
};
/** The vendor closes a connection with more, cancelled ones that are not over included. */
const MOST_CONTEXTS = 5;
const IDLE_SECONDS = 180;

/** ElevenLabs, several contexts on a connection. A connection has one voice and one language. */
export const elevenlabsTts = (settings: VendorSettings): TtsVendor => {
  const model = settings.model ?? MODEL;
  const addressOf = (options: TtsOptions): URL => {
    const voice = voiceOf('elevenlabs', options.voiceKey) ?? settings.voice ?? VOICE;
    const url = socketUrl(
      settings.baseUrl,
      `/v1/text-to-speech/${encodeURIComponent(voice)}/multi-stream-input`,
    );
    const { searchParams } = url;
    searchParams.set('model_id', model);
    searchParams.set('output_format', options.sampleRate === 8000 ? 'ulaw_8000' : 'pcm_16000');
    const code = CODES[options.language];
    if (code !== undefined && model.endsWith('_v2_5')) searchParams.set('language_code', code);
    searchParams.set('auto_mode', 'true');
    searchParams.set('sync_alignment', 'true');
    searchParams.set('inactivity_timeout', String(IDLE_SECONDS));
    return url;
  };
  return {
    name: 'elevenlabs',
    model,
    speaks: (language) => CODES[language] !== undefined,
    key: (options) => addressOf(options).href,
    connect: (options) => dialect(addressOf(options).href, settings.apiKey ?? '', options),
  };
};

/** One context on the wire. The vendor's alignment says which signs a chunk of audio holds. */
interface Context {
  /** Signs, without spaces, that are left of each sentence; the oldest first. */
  readonly left: number[];
  audioMs: number;
  word: string;
  wordEndMs: number;
}

interface Sign {
  readonly text: string;
  /** In the chunk. */
  readonly endMs: number;
}

const signsOf = (text: string): number => text.replaceAll(/\s/gu, '').length;

function dialect(url: string, apiKey: string, options: TtsOptions): TtsDialect {
  const format = formatFor(options.sampleRate);
  const contexts = new Map<string, Context>();
  const to = (context: string, fields: object): string => JSON.stringify({ ...fields, context_id: context });

  const audioEvents = (name: string, bytes: Uint8Array, message: Fields): TtsVendorEvent[] => {
    const context = contexts.get(name);
    if (context === undefined) return [{ type: 'alive' }];
    const chunkMs = wireMs(bytes.length, format);
    const events: TtsVendorEvent[] = [];
    let sent = 0;
    for (const { words, endMs } of sentencesOf(context, alignment(message), chunkMs)) {
      if (words.length > 0) events.push({ type: 'words', context: name, words });
      const cut = endMs === null ? bytes.length : byteAt(endMs, bytes.length, chunkMs);
      if (cut > sent) events.push({ type: 'audio', context: name, bytes: bytes.subarray(sent, cut) });
      sent = Math.max(sent, cut);
      if (endMs !== null) events.push({ type: 'sentence_done', context: name });
    }
    context.audioMs += chunkMs;
    return events;
  };

  return {
    url,
    headers: { 'xi-api-key': apiKey },
    format,
    greets: false,
    contexts: MOST_CONTEXTS,
    say(name, text, { speed }) {
      const context = contexts.get(name);
      const opening: string[] = [];
      if (context === undefined) {
        contexts.set(name, { left: [signsOf(text)], audioMs: 0, word: '', wordEndMs: 0 });
        const voice_settings = { speed: Math.min(1.2, Math.max(0.7, speed)) };
        opening.push(to(name, { text: ' ', voice_settings }));
      } else context.left.push(signsOf(text));
      return [...opening, to(name, { text: `${text} `, flush: true })];
    },
    end: (name) => [to(name, { close_context: true })],
    cancel(name) {
      contexts.delete(name);
      return [to(name, { close_context: true })];
    },
    keepAlive: (name) => (name === null ? [] : [to(name, { text: '' })]),
    receive(text) {
      const message = Fields.parse(text.toString('utf8'));
      const name = message.text('contextId') || message.text('context_id');
      if (message.has('error') || message.has('code')) return [faultEvent(message)];
      const bytes = Buffer.from(message.text('audio'), 'base64');
      const events = bytes.length === 0 ? [] : audioEvents(name, bytes, message);
      if (message.flag('isFinal') || message.flag('is_final')) {
        contexts.delete(name);
        events.push({ type: 'context_done', context: name });
      }
      return events.length === 0 ? [{ type: 'alive' }] : events;
    },
    closeFault: (code, reason) =>
      code === 1008 ? vendorFault('elevenlabs', kindOfText(reason) ?? 'rejected', reason) : null,
    bye: [JSON.stringify({ close_socket: true })],
  };
}

/** The parts of a chunk: one for each sentence that it holds signs of. `endMs`: where the sentence ends in the chunk. */
function sentencesOf(
  context: Context,
  signs: readonly Sign[],
  chunkMs: number,
): { words: TimedWord[]; endMs: number | null }[] {
  const parts: { words: TimedWord[]; endMs: number | null }[] = [];
  let words: TimedWord[] = [];
  const endWord = (): void => {
    if (context.word !== '') words.push({ text: context.word, endMs: context.wordEndMs });
    context.word = '';
  };
  const last = signs.findLastIndex(({ text }) => signsOf(text) > 0);
  for (const [i, { text, endMs }] of signs.entries()) {
    const count = signsOf(text);
    if (count === 0) {
      endWord();
      continue;
    }
    context.word += text;
    context.wordEndMs = context.audioMs + Math.min(endMs, chunkMs);
    const [left] = context.left;
    if (left === undefined) continue;
    context.left[0] = left - count;
    if (left > count) continue;
    endWord();
    context.left.shift();
    parts.push({ words, endMs: i === last ? chunkMs : Math.min(endMs, chunkMs) });
    words = [];
  }
  if (parts.at(-1)?.endMs !== chunkMs) parts.push({ words, endMs: null });
  return parts;
}

/** Signs with their times; sources disagree on the names of the fields. */
function alignment(message: Fields): Sign[] {
  const given = message.of('alignment');
  const starts = numbers(given, 'charStartTimesMs', 'char_start_times_ms');
  const lengths = numbers(given, 'charDurationsMs', 'charsDurationsMs', 'char_durations_ms');
  return given.texts('chars').map((text, i) => ({ text, endMs: (starts[i] ?? 0) + (lengths[i] ?? 0) }));
}

const numbers = (fields: Fields, ...names: readonly string[]): number[] =>
  names.map((name) => fields.numbers(name)).find(({ length }) => length > 0) ?? [];

/** The first byte after a time in the chunk, between two samples. */
const byteAt = (ms: number, bytes: number, chunkMs: number): number =>
  chunkMs === 0 ? bytes : Math.min(bytes, 2 * Math.round(((ms / chunkMs) * bytes) / 2));

/** Names of the vendor's errors. */
const KINDS: readonly (readonly [RegExp, FaultKind])[] = [
  [/auth|api_key|permission/i, 'key'],
  [/quota|credit|payment/i, 'credit'],
  [/max_active_conversations|too_many|concurren|rate_limit|system_busy/i, 'limit'],
];

function faultEvent(message: Fields): TtsVendorEvent {
  const name = message.text('error');
  const detail = message.text('message') || name;
  const known = KINDS.find(([sign]) => sign.test(name))?.[1];
  const kind = known ?? kindOfText(detail) ?? (message.number('code') === 1011 ? 'lost' : 'rejected');
  // The limit of a connection: a further one works.
  const retryable = kind === 'lost' || name === 'max_active_conversations';
  return { type: 'fault', context: null, fault: vendorFault('elevenlabs', kind, detail, { retryable }) };
}
