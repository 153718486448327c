import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installedModel } from './installed.ts';

it('finds a model by its folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'models-'));
  try {
    mkdirSync(join(folder, 'a-model'));
    const found = installedModel(folder, 'a-model');
    expect([found?.id, found?.folder, found?.file('net.onnx')]).toEqual([
      'a-model',
      join(folder, 'a-model'),
      join(folder, 'a-model', 'net.onnx'),
    ]);
    expect([installedModel(folder, 'another'), installedModel(join(folder, 'absent'), 'a-model')]).toEqual([
      null,
      null,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
