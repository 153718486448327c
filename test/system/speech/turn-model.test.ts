import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smartTurn, trySmartTurn } from '../../../src/providers/turn/smart-turn.ts';
import type { SampleRate } from '@callwright/audio';
import type { TurnModel } from '../../../src/providers/ports/recogniser.ts';
import { voice } from '../../rigs/calls/virtual-session.ts';

/** Has the API of the package; a model is too large for the tests. */
const STAND_IN = join(import.meta.dirname, '../../helpers/audio/onnx-stand-in.cjs');

let path = '';
let folder = '';
const models: TurnModel[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turn-model-'));
  path = join(folder, 'model.onnx');
});
afterEach(async () => {
  await Promise.all(models.splice(0).map((model) => model.close()));
  rmSync(folder, { recursive: true });
});
const write = (model: object): void => writeFileSync(path, JSON.stringify(model));
function opened(model: object, deadlineMs = 5_000): TurnModel {
  write(model);
  const turn = smartTurn({ path, module: STAND_IN, deadlineMs });
  models.push(turn);
  return turn;
}
const turnOf = (parts: readonly Int16Array[], sampleRate: SampleRate = 8000) => {
  const pcm = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    pcm.set(part, at);
    at += part.length;
  }
  return { pcm, sampleRate, text: '' };
};
/** Asks until the model is loaded. */
async function judged(turn: TurnModel, parts: readonly Int16Array[]): Promise<number | null> {
  await expect.poll(() => turn.finished(turnOf([voice(100)])), { timeout: 60_000 }).not.toBeNull();
  return turn.finished(turnOf(parts));
}

describe('a turn model from a file', () => {
  it('judges the sound of a turn, outside the thread of the call', async () => {
    const turn = opened({ input: 'input_features', answer: 'energy' });
    expect(await judged(turn, [voice(1_500), new Int16Array(1_600)])).toBeGreaterThan(0.9);
    expect(await judged(turn, [voice(1_500)])).toBeLessThan(0.1);
    expect([turn.judges('hi-IN'), turn.judges('ta-IN')]).toEqual([true, false]);
  });

  it('says nothing when it is late, and nothing for more turns than it keeps up with', async () => {
    const turn = opened({ input: 'input_features', answer: [0.9], ms: 300 }, 100);
    await new Promise((resolve) => setTimeout(resolve, 700));
    const asked = Array.from({ length: 6 }, () => turn.finished(turnOf([voice(200)])));
    expect(await Promise.all(asked)).toEqual(Array(6).fill(null));
  });

  it.each([
    [
      'the package',
      { input: 'input_features', answer: [1] },
      'onnx-absent',
      /the package onnx-absent is not installed: npm/,
    ],
    ['another input', { input: 'audio', answer: [1] }, STAND_IN, /^TURN_MODEL has no input input_features$/],
    ['two answers', { input: 'input_features', answer: [1, 0] }, STAND_IN, /one probability$/],
    ['no probability', { input: 'input_features', answer: [3] }, STAND_IN, /one probability$/],
  ])('is refused with its reason: %s', async (_, model, module, reason) => {
    write(model);
    expect(await trySmartTurn(path, module)).toMatch(reason);
  });

  it('is refused when the file is none, and leaves turns to the rules', async () => {
    expect(await trySmartTurn(join(folder, 'absent.onnx'), STAND_IN)).toMatch(
      /^TURN_MODEL cannot be opened: ENOENT/,
    );
    const turn = smartTurn({ path: join(folder, 'absent.onnx'), module: STAND_IN });
    models.push(turn);
    expect(await turn.finished(turnOf([voice(200)]))).toBeNull();
  });

  it('is ready for the operator', async () => {
    write({ input: 'input_features', answer: [0.5] });
    expect(await trySmartTurn(path, STAND_IN)).toBeTypeOf('number');
  });
});
