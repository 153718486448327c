import type { VendorSettings } from '../catalogue.ts';
import type { SttOptions } from '../../providers/ports/recogniser.ts';
import { kindOfText, vendorFault } from '../../providers/wire/fault.ts';
import { Fields } from '@callwright/fields';
import { phoneFormat } from '../../providers/stt/wire-audio.ts';
import { timedWords } from '../../providers/stt/dialect.ts';
import { deepgramHeaders, keyterms } from './request.ts';
import { socketUrl, type SttDialect, type SttVendorEvent } from '../../providers/stt/dialect.ts';

/** The vendor's advice for chunks. */
const CHUNK_MS = 80;
/** Confidence at which a turn ends, and at which a reply is prepared. */
const THRESHOLDS = { eot: '0.7', eager: '0.5' } as const;
/** Silence that ends any turn; the turn machine waits no longer either. */
const LONGEST_PAUSE_MS = '2000';

/** Deepgram Flux, `/v2/listen`: the recogniser that decides on the meaning whether the caller's turn is over. */
export function fluxDialect(
  settings: VendorSettings,
  model: string,
  hints: readonly string[],
  { sampleRate, vocab }: Omit<SttOptions, 'onEvent'>,
): SttDialect {
  const url = socketUrl(settings.baseUrl, '/v2/listen');
  const format = phoneFormat(sampleRate, CHUNK_MS);
  url.searchParams.set('model', model);
  url.searchParams.set('encoding', format.encoding);
  url.searchParams.set('sample_rate', String(format.rate));
  url.searchParams.set('eot_threshold', THRESHOLDS.eot);
  url.searchParams.set('eager_eot_threshold', THRESHOLDS.eager);
  url.searchParams.set('eot_timeout_ms', LONGEST_PAUSE_MS);
  for (const hint of hints) url.searchParams.append('language_hint', hint);
  for (const term of keyterms(vocab)) url.searchParams.append('keyterm', term);
  return {
    // A plus sign is not a space to this server.
    url: url.href.replaceAll('+', '%20'),
    headers: deepgramHeaders(settings),
    model,
    format,
    greets: true,
    answers: 'always',
    audio: (chunk) => chunk,
    receive: (message) => [eventOf(Fields.parse(message))],
    end: ['{"type":"CloseStream"}'],
  };
}

function eventOf(message: Fields): SttVendorEvent {
  switch (message.text('type')) {
    case 'Connected':
      return { type: 'ready' };
    case 'TurnInfo':
      return turnEvent(message);
    case 'Error': {
      const detail = `${message.text('code')} ${message.text('description')}`;
      return { type: 'fault', fault: vendorFault('deepgram', kindOfText(detail) ?? 'lost', detail) };
    }
    default:
      return { type: 'alive' };
  }
}

function turnEvent(info: Fields): SttVendorEvent {
  const turn = String(info.number('turn_index') ?? 0);
  const text = info.text('transcript').trim();
  if (info.text('event') === 'TurnResumed') return { type: 'resumed', turn };
  const audioMs = info.seconds('audio_window_end');
  if (text === '')
    return info.text('event') === 'EndOfTurn' ? { type: 'nothing' } : { type: 'alive', audioMs };
  const [language] = info.texts('languages');
  const heard = {
    text,
    turn,
    audioMs,
    ...timedWords(info),
    ...(language === undefined ? {} : { language }),
  };
  switch (info.text('event')) {
    case 'EndOfTurn':
      return { type: 'final', ...heard, confidence: confidenceOf(info), endpoint: 'certain' };
    case 'EagerEndOfTurn':
      return { type: 'eager', ...heard };
    default:
      return { type: 'partial', ...heard };
  }
}

/** The mean confidence of the words. */
function confidenceOf(info: Fields): number | null {
  const values = info.list('words').flatMap((word) => word.number('confidence') ?? []);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
