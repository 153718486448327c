import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { EarThreads } from '../../src/offline/words/ears.ts';
import { earModels } from '../../src/offline/words/models.ts';
import { localWords } from '../../src/offline/words/recogniser.ts';
import type { SttProvider } from '../../src/providers/ports/recogniser.ts';
import { createVadProvider } from '../../src/providers/vad/provider.ts';
import { hearLine } from '../helpers/audio/hear-line.ts';
import { sidesOf } from '../helpers/audio/line-audio.ts';
import { wordErrorRate } from '../helpers/audio/word-errors.ts';
import { createAgent, place, provisionWith, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';
import { recordingOf } from '../helpers/sip/phone-service.ts';

/** Longer than what a callee may cover with its own words. */
const INTRO =
  'Good morning. I am calling about your visit on Tuesday at ten in the morning. We have moved, so please come to our new office on Main Street, next to the library.';
const MODELS_DIR = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
let ears: EarThreads;
let stt: SttProvider;
let service: Service;
beforeAll(async () => {
  const model = earModels((id) => installedModel(MODELS_DIR, id))('en-US');
  if (model === null) throw new Error(`${MODELS_DIR} holds no recogniser: run callwright models get`);
  ears = new EarThreads();
  await ears.load(model);
  stt = localWords(
    (port) => ears.connect(port, model),
    () => model,
  );
  service = await startService({ provision: provisionWith({}), env: { MODELS_DIR } });
});
afterAll(() => Promise.all([service?.dispose(), ears?.close()]));

describe('a call without a key', () => {
  it('has an agent whose natural voice the recogniser of words understands on the line', async () => {
    const { body } = await service.request('GET', '/api/v0/agent/voices?language=en-US');
    const claire = body.voices.find((voice: { name: string }) => voice.name === 'Claire');
    const agentId = await createAgent(service, { voice_id: claire.id, intro_message: INTRO });
    const call = await whenOver(service, await place(service, agentId, '+14155550123'), 100_000);
    const said = transcriptOf(call)
      .flatMap(({ bot }) => bot ?? [])
      .join(' ');
    const { agent } = sidesOf(await recordingOf(call));
    const { text } = await hearLine(stt, createVadProvider(), { text: said, pcm: agent });
    expect(service.output()).not.toContain('a natural voice cannot be used');
    expect(wordErrorRate([{ said, heard: text }]), `${said} / ${text}`).toBeLessThanOrEqual(0.15);
  }, 240_000);
});
