import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openScratchFolder } from './engines.ts';

it('removes the scratch folders of dead processes and keeps everything else', () => {
  const parent = mkdtempSync(join(tmpdir(), 'callwright-scratch-test-'));
  const dead = 'callwright-voice-4194999-abc';
  const others = [
    `callwright-voice-${process.pid}-mine`,
    'callwright-voice-words',
    'callwright-voice-',
    'other',
  ];
  for (const name of [dead, ...others]) mkdirSync(join(parent, name));
  const made = openScratchFolder(parent);
  expect(existsSync(made)).toBe(true);
  expect(readdirSync(parent).sort()).toEqual([...others, made.slice(parent.length + 1)].sort());
  rmSync(parent, { recursive: true });
});
