import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sherpaLocalStt, trySherpaLocal } from '../../../src/offline/sherpa/recogniser.ts';
import { sherpaModel } from '../../../src/offline/sherpa/model.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { SttProvider } from '../../../src/providers/ports/recogniser.ts';
import { codedSpeech } from '@callwright/stand-ins';
import { VendorCaller } from '../../helpers/vendors/vendor-caller.ts';

/** Has the API of the package; a model is too large for the tests. */
const STAND_IN = join(import.meta.dirname, '../../helpers/audio/sherpa-stand-in.cjs');
const SPEECH = codedSpeech('One two.', 8000);
const TRANSDUCER = ['tokens.txt', 'encoder.onnx', 'encoder.int8.onnx', 'decoder.onnx', 'joiner.onnx'];

let folder = '';
const providers: SttProvider[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sherpa-model-'));
});
afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
  rmSync(folder, { recursive: true });
});
const fill = (names: readonly string[]): void =>
  names.forEach((name) => writeFileSync(join(folder, name), ''));
function provider(module = STAND_IN): SttProvider {
  const made = sherpaLocalStt({ modelDir: folder, languages: ['en'] }, silentLog, module);
  providers.push(made);
  return made;
}

describe('sherpa-onnx in the process', () => {
  it.each([8000, 16_000] as const)(
    'hears utterances of calls at %d Hz, each in its own stream',
    async (rate) => {
      fill(TRANSDUCER);
      const stt = provider();
      // The thread loads while they speak: audio as fast as it can be written would be more than it may lag behind.
      const called = () => new VendorCaller(stt, { rate, paceMs: 5 });
      const [first, second] = [called(), called()];
      await Promise.all([first.say('One two.'), second.silence(500)]);
      expect(await first.has(({ type }) => type === 'final')).toMatchObject({ text: 'yes no' });
      await second.say('Word.');
      expect(await second.has(({ type }) => type === 'final')).toMatchObject({ text: 'yes' });
      expect(first.texts('partial').at(0)).toBe('yes');
      const final = first.events.find(({ type }) => type === 'final');
      expect(final?.type === 'final' && final.audioMs).toBeGreaterThan(500);
      expect(first.session.usage?.()).toMatchObject([{ vendor: 'sherpa-onnx', model: null }]);
      expect([stt.understands('en-IN'), stt.understands('hi-IN')]).toEqual([true, false]);
      first.session.close();
      second.session.close();
    },
  );

  it.each([
    ['the package', TRANSDUCER, 'sherpa-onnx-absent', 'the package sherpa-onnx-absent is not installed: npm'],
    ['the tokens', ['model.onnx'], STAND_IN, 'tokens.txt is missing in SHERPA_MODEL_DIR'],
    ['a network', ['tokens.txt', 'encoder.onnx'], STAND_IN, 'SHERPA_MODEL_DIR has no decoder, joiner'],
  ])('says that %s is missing, in a call and to the operator', async (_, names, module, message) => {
    fill(names);
    const caller = new VendorCaller(provider(module));
    const failed = await caller.has(({ type }) => type === 'failed');
    expect(failed).toMatchObject({ message: expect.stringContaining(message), retryable: false });
    expect(await trySherpaLocal({ modelDir: folder }, SPEECH, module)).toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it('is ready for the operator, and names a folder that is not there', async () => {
    fill(TRANSDUCER);
    expect(await trySherpaLocal({ modelDir: folder }, SPEECH, STAND_IN)).toMatchObject({ heard: 'yes no' });
    expect(await trySherpaLocal({ modelDir: join(folder, 'absent') }, SPEECH, STAND_IN)).toMatchObject({
      message: expect.stringContaining('the folder of SHERPA_MODEL_DIR cannot be read'),
    });
  });

  it('takes the smaller form of a network, or a single CTC network', () => {
    fill(TRANSDUCER);
    expect(sherpaModel(folder).config.modelConfig['transducer']).toMatchObject({
      encoder: join(folder, 'encoder.int8.onnx'),
    });
    for (const name of TRANSDUCER.slice(1)) rmSync(join(folder, name));
    fill(['ctc.onnx']);
    expect(sherpaModel(folder).config.modelConfig['zipformer2Ctc']).toEqual({
      model: join(folder, 'ctc.onnx'),
    });
  });
});
