import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstalledModel } from '../../../src/offline/models/installed.ts';
import type { EngineEvent } from '../../../src/offline/speech/engines.ts';
import { hibariEngine } from '../../../src/offline/speech/hibari/engine.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'no-voice-'));
  await writeFile(join(folder, 'ort.wasm.bundle.min.mjs'), 'export const env = { wasm: {} };\n');
  await writeFile(join(folder, 'ort-wasm-simd-threaded.wasm'), 'no program');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SENTENCE = { voice: 'heart', text: 'Hello there.', speed: 1 };

/** An engine on models of this folder, whatever its files are. */
function engineOn(models: string | null) {
  const faults: string[] = [];
  let now = 0;
  const find = (id: string): InstalledModel | null =>
    models === null ? null : { id, folder: models, file: (name) => join(models, name) };
  const engine = hibariEngine({ find, onFault: (message) => faults.push(message), now: () => now });
  const speak = () =>
    new Promise<EngineEvent>((resolve) => {
      engine.run(SENTENCE, resolve);
    });
  return {
    engine,
    faults,
    speak,
    at: (ms: number) => {
      now = ms;
    },
  };
}

describe('a natural voice whose files cannot be used', () => {
  it('leaves its sentences to the engine behind, and is tried again after a minute', async () => {
    const { engine, faults, speak, at } = engineOn(folder);
    expect(engine.isUsable('heart')).toBe(true);
    expect(await Promise.all([speak(), speak()])).toEqual([{ type: 'missing' }, { type: 'missing' }]);
    expect(faults).toHaveLength(1);
    expect(engine.isUsable('heart')).toBe(false);
    at(59_999);
    expect(engine.isUsable('heart')).toBe(false);
    at(60_000);
    expect(engine.isUsable('heart')).toBe(true);
    await engine.close();
    expect(engine.isUsable('heart')).toBe(false);
  });

  it('is not used while it is not installed', async () => {
    const { engine, faults, speak } = engineOn(null);
    expect(engine.isUsable('heart')).toBe(false);
    engine.warm('heart');
    expect(await speak()).toEqual({ type: 'missing' });
    expect(faults).toEqual([]);
    await engine.close();
  });

  it('sends no event of a sentence that was stopped', async () => {
    const { engine, speak } = engineOn(folder);
    const events: EngineEvent[] = [];
    engine.run(SENTENCE, (event) => events.push(event)).stop();
    await speak();
    expect(events).toEqual([]);
    await engine.close();
  });

  it('ends while it loads', async () => {
    const { engine, faults } = engineOn(folder);
    engine.warm('heart');
    await engine.close();
    expect(faults).toEqual([]);
  });
});
