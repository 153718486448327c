import { recogniserCode } from '../recogniser-languages.ts';
import type { VendorSettings } from '../catalogue.ts';
import { Fields } from '@callwright/fields';
import {
  socketUrl,
  type SttDialect,
  type SttVendorEvent,
  type SttVendor,
} from '../../providers/stt/dialect.ts';

/** Half of what streaming zipformers decode at once, so that larger pieces would delay words and smaller ones cost more. */
const CHUNK_MS = 160;
/** The rate of nearly all streaming models; the protocol does not negotiate it. */
const RATE = 16_000;

/** A streaming WebSocket server of sherpa-onnx: utterances end by its endpoint rules. */
export const sherpaStt = (settings: VendorSettings): SttVendor => ({
  name: 'sherpa',
  understands: (language) => recogniserCode('sherpa', settings.model, language, settings.languages) !== null,
  connect: () => dialect(settings),
});

function dialect(settings: VendorSettings): SttDialect {
  const segments = new Segments();
  let before = '';
  return {
    url: socketUrl(settings.baseUrl, '/').href,
    headers: {},
    model: null,
    format: { encoding: 'float32', rate: RATE, chunkMs: CHUNK_MS },
    greets: false,
    answers: 'sometimes',
    audio: (chunk) => chunk,
    receive(message) {
      // The server repeats its result after each step of decoding.
      const isRepeated = message === before || message === 'Done!';
      before = message;
      return isRepeated ? [{ type: 'alive' }] : segments.take(Fields.parse(message));
    },
    end: ['Done'],
  };
}

/** Results are cumulative within a segment; very old servers do not mark its end. */
class Segments {
  #segment = 0;
  #text = '';

  take(result: Fields): SttVendorEvent[] {
    const segment = result.number('segment') ?? 0;
    const text = result.text('text').trim();
    const events: SttVendorEvent[] = [];
    if (segment > this.#segment) {
      this.#segment = segment;
      events.push(...this.#end());
    }
    if (segment < this.#segment) return [{ type: 'alive' }];
    const isChanged = text !== this.#text;
    this.#text = text;
    if (result.flag('is_final') || result.flag('is_eof')) {
      events.push(...this.#end());
      this.#segment = segment + 1;
    } else if (isChanged && text !== '') events.push({ type: 'partial', text, audioMs: null });
    return events.length === 0 ? [{ type: 'alive' }] : events;
  }

  #end(): SttVendorEvent[] {
    const text = this.#text;
    this.#text = '';
    return text === '' ? [] : [{ type: 'final', text, confidence: null, audioMs: null }];
  }
}
