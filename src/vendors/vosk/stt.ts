import { recogniserCode } from '../recogniser-languages.ts';
import type { VendorSettings } from '../catalogue.ts';
import { Fields } from '@callwright/fields';
import { socketUrl, timedWords, type SttDialect, type SttVendor } from '../../providers/stt/dialect.ts';

const CHUNK_MS = 100;
/** What every published model takes: at another rate the server refuses each piece of audio. */
const RATE = 16_000;

/** A vosk-server of the operator: one language a server, utterances end by its own rules. */
export const voskStt = (settings: VendorSettings): SttVendor => ({
  name: 'vosk',
  understands: (language) => recogniserCode('vosk', settings.model, language, settings.languages) !== null,
  connect: () => dialect(settings),
});

function dialect(settings: VendorSettings): SttDialect {
  /** One answer per audio message, so answers acknowledge audio. */
  let answered = 0;
  return {
    url: socketUrl(settings.baseUrl, '/').href,
    headers: {},
    model: null,
    format: { encoding: 'linear16', rate: RATE, chunkMs: CHUNK_MS },
    greets: false,
    answers: 'always',
    begin: () => [JSON.stringify({ config: { sample_rate: RATE, words: true, max_alternatives: 0 } })],
    audio: (chunk) => chunk,
    receive(message) {
      const answer = Fields.parse(message);
      const audioMs = ++answered * CHUNK_MS;
      const partial = answer.text('partial').trim();
      if (partial !== '') return [{ type: 'partial', text: partial, audioMs }];
      const text = answer.text('text').trim();
      if (text === '') return [{ type: 'alive', audioMs }];
      const found = answer.list('result');
      const confidences = found.flatMap((word) => word.number('conf') ?? []);
      const sum = confidences.reduce((before, value) => before + value, 0);
      const confidence = confidences.length === 0 ? null : sum / confidences.length;
      return [{ type: 'final', text, confidence, audioMs, ...timedWords(answer, 'result') }];
    },
    // The server compares this text as a string.
    end: ['{"eof" : 1}'],
  };
}
