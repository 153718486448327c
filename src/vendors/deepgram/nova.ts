import type { VendorSettings } from '../catalogue.ts';
import { joinText } from '@callwright/turns';
import type { SttOptions, SttWord } from '../../providers/ports/recogniser.ts';
import { kindOfText, vendorFault } from '../../providers/wire/fault.ts';
import { Fields } from '@callwright/fields';
import { phoneFormat } from '../../providers/stt/wire-audio.ts';
import { deepgramHeaders, keyterms } from './request.ts';
import { socketUrl, timedWords, type SttDialect, type SttVendorEvent } from '../../providers/stt/dialect.ts';

const CHUNK_MS = 60;
/** Silence that ends a segment; our own end of speech flushes sooner. */
const ENDPOINTING_MS = '300';
const UTTERANCE_END_MS = '1000';

/** Deepgram Nova-3, `/v1/listen`: segments by silence. Segments are joined until the end of the utterance. */
export function novaDialect(
  settings: VendorSettings,
  model: string,
  language: string,
  { sampleRate, vocab }: Omit<SttOptions, 'onEvent'>,
): SttDialect {
  const url = socketUrl(settings.baseUrl, '/v1/listen');
  const format = phoneFormat(sampleRate, CHUNK_MS);
  const query = {
    model,
    language,
    encoding: format.encoding,
    sample_rate: String(format.rate),
    interim_results: 'true',
    endpointing: ENDPOINTING_MS,
    utterance_end_ms: UTTERANCE_END_MS,
    smart_format: 'true',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (model.startsWith('nova-3')) {
    for (const term of keyterms(vocab)) url.searchParams.append('keyterm', term);
  }
  const segments = new Segments();
  return {
    url: url.href.replaceAll('+', '%20'),
    headers: deepgramHeaders(settings),
    model,
    format,
    greets: false,
    answers: 'always',
    audio: (chunk) => chunk,
    speechStarted() {
      segments.wasHeard = false;
      return [];
    },
    speechEnded: () => ['{"type":"Finalize"}'],
    receive: (message) => [eventOf(Fields.parse(message), segments)],
    end: ['{"type":"CloseStream"}'],
  };
}

/** The finished segments of the open utterance. */
class Segments {
  #texts: string[] = [];
  #words: SttWord[] = [];
  #audioMs = 0;
  #confidence: number | null = null;
  /** A final was sent since speech began: an empty flush after it is no missed speech. */
  wasHeard = false;

  /** The utterance with a segment that may still change. */
  with(segment: { text: string; words?: SttWord[]; audioMs: number }) {
    const words = [...this.#words, ...(segment.words ?? [])];
    return {
      text: joinText([...this.#texts, segment.text]),
      audioMs: segment.audioMs,
      ...(words.length === 0 ? {} : { words }),
    };
  }

  add(segment: { text: string; words?: SttWord[]; audioMs: number }, confidence: number | null): void {
    if (segment.text !== '') this.#texts.push(segment.text);
    this.#words.push(...(segment.words ?? []));
    this.#audioMs = segment.audioMs;
    this.#confidence = confidence ?? this.#confidence;
  }

  /** The utterance, which ends here. */
  end(): SttVendorEvent | null {
    const whole = this.with({ text: '', audioMs: this.#audioMs });
    const confidence = this.#confidence;
    this.#texts = [];
    this.#words = [];
    this.#confidence = null;
    if (whole.text === '') return null;
    this.wasHeard = true;
    return { type: 'final', ...whole, confidence };
  }
}

function eventOf(message: Fields, segments: Segments): SttVendorEvent {
  switch (message.text('type')) {
    case 'Results':
      return resultEvent(message, segments);
    case 'UtteranceEnd':
      return segments.end() ?? { type: 'alive' };
    case 'Error': {
      // A refused Configure is not fatal.
      if (message.text('variant') === 'InvalidConfigureMessage') return { type: 'alive' };
      const detail = `${message.text('code')} ${message.text('description')}`;
      return { type: 'fault', fault: vendorFault('deepgram', kindOfText(detail) ?? 'lost', detail) };
    }
    default:
      return { type: 'alive' };
  }
}

function resultEvent(result: Fields, segments: Segments): SttVendorEvent {
  const [best = new Fields(null)] = result.of('channel').list('alternatives');
  const text = best.text('transcript').trim();
  const audioMs = (result.seconds('start') ?? 0) + (result.seconds('duration') ?? 0);
  const segment = { text, audioMs, ...timedWords(best) };
  if (!result.flag('is_final')) {
    const open = segments.with(segment);
    return open.text === '' ? { type: 'alive', audioMs } : { type: 'partial', ...open };
  }
  segments.add(segment, text === '' ? null : best.number('confidence'));
  const isOver = result.flag('speech_final') || result.flag('from_finalize');
  const isMissed = result.flag('from_finalize') && !segments.wasHeard;
  if (isOver) return segments.end() ?? (isMissed ? { type: 'nothing' } : { type: 'alive', audioMs });
  const open = segments.with({ text: '', audioMs });
  return open.text === '' ? { type: 'alive', audioMs } : { type: 'partial', ...open };
}
