import type { Language } from '@callwright/language';
import { recogniserCode } from '../recogniser-languages.ts';
import type { VendorSettings } from '../catalogue.ts';
import type { SttOptions } from '../../providers/ports/recogniser.ts';
import { vendorFault, type FaultKind, type VendorFault } from '../../providers/wire/fault.ts';
import { Fields } from '@callwright/fields';
import { phoneFormat } from '../../providers/stt/wire-audio.ts';
import {
  socketUrl,
  type SttDialect,
  type SttVendorEvent,
  type SttVendor,
} from '../../providers/stt/dialect.ts';

/** Chunks below 50 ms close the connection. */
const CHUNK_MS = 60;
const PRO = 'universal-3-5-pro';
const WHISPER = 'whisper-rt';

const codeOf = (model: string | null, language: Language): string | null =>
  recogniserCode('assemblyai', model, language);
const LONGEST_TERM = 50;
const MOST_TERMS = 100;

/** AssemblyAI's Universal-Streaming: it ends turns itself. */
export const assemblyaiStt = (settings: VendorSettings): SttVendor => ({
  name: 'assemblyai',
  understands: (language) => codeOf(settings.model, language) !== null,
  connect: (options) => dialect(settings, options),
});

function dialect(
  settings: VendorSettings,
  { language, secondaryLanguage, sampleRate, vocab }: Omit<SttOptions, 'onEvent'>,
): SttDialect {
  const url = socketUrl(settings.baseUrl, '/v3/ws');
  const format = phoneFormat(sampleRate, CHUNK_MS);
  const model = settings.model ?? (codeOf(PRO, language) === null ? WHISPER : PRO);
  const query: Record<string, string> = {
    speech_model: model,
    sample_rate: String(format.rate),
    encoding: format.encoding === 'mulaw' ? 'pcm_mulaw' : 'pcm_s16le',
  };
  if (model.startsWith('universal-3')) {
    const spoken = [language, ...(secondaryLanguage === null ? [] : [secondaryLanguage])];
    const codes = spoken.flatMap((one) => codeOf(model, one) ?? []);
    query['language_codes'] = JSON.stringify([...new Set(codes)]);
  }
  const terms = vocab.filter((term) => term.length <= LONGEST_TERM).slice(0, MOST_TERMS);
  if (terms.length > 0) query['keyterms_prompt'] = JSON.stringify(terms);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  /** A finished turn may come again with punctuation. */
  let ended = -1;
  return {
    url: url.href,
    headers: { authorization: settings.apiKey ?? '' },
    model,
    format,
    greets: true,
    answers: 'sometimes',
    audio: (chunk) => chunk,
    receive(text) {
      const message = Fields.parse(text);
      switch (message.text('type')) {
        case 'Begin':
          return [{ type: 'ready' }];
        case 'Turn': {
          const order = message.number('turn_order') ?? 0;
          if (order <= ended) return [{ type: 'alive' }];
          const event = turnEvent(message, String(order));
          if (message.flag('end_of_turn')) ended = order;
          return [event];
        }
        case 'Error': {
          const fault = errorFault(message.number('error_code') ?? 0, message.text('error'));
          return [fault === null ? { type: 'alive' } : { type: 'fault', fault }];
        }
        default:
          return [{ type: 'alive' }];
      }
    },
    closeFault: errorFault,
    end: ['{"type":"Terminate"}'],
  };
}

function turnEvent(message: Fields, turn: string): SttVendorEvent {
  const words = message.list('words').flatMap((word) => {
    const [startMs, endMs] = [word.number('start'), word.number('end')];
    const text = word.text('text');
    return startMs === null || endMs === null || text === '' ? [] : [{ text, startMs, endMs }];
  });
  const isOver = message.flag('end_of_turn');
  // The transcript may hold final words only; the words hold all.
  const spoken = words.map((word) => word.text).join(' ');
  const transcript = message.text('transcript').trim();
  const text = isOver ? transcript || spoken : spoken || transcript;
  if (text === '') return { type: isOver ? 'nothing' : 'alive' };
  const language = message.text('language_code');
  const heard = {
    text,
    turn,
    audioMs: words.at(-1)?.endMs ?? null,
    ...(words.length === 0 ? {} : { words }),
    ...(language === '' ? {} : { language }),
  };
  if (!isOver) return { type: 'partial', ...heard };
  return {
    type: 'final',
    ...heard,
    confidence: message.number('end_of_turn_confidence'),
    endpoint: 'certain',
  };
}

/** The vendor's numbers are the codes of errors and of the close that follows. */
const CODES: Readonly<Record<number, FaultKind>> = {
  1008: 'key',
  3005: 'lost',
  3006: 'rejected',
  3007: 'rejected',
  3008: 'lost',
  3009: 'limit',
  4000: 'rejected',
  4001: 'key',
  4002: 'credit',
  4003: 'credit',
  4029: 'limit',
  4031: 'lost',
  4102: 'limit',
};

function errorFault(code: number, detail: string): VendorFault | null {
  const kind = CODES[code];
  return kind === undefined ? null : vendorFault('assemblyai', kind, `${detail} (code ${code})`);
}
