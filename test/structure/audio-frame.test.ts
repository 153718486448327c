import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The walk of one audio frame, as ARCHITECTURE.md has it. */
const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const section = read('ARCHITECTURE.md').split('## One audio frame')[1]?.split('\n## ')[0] ?? '';
const walk = [...section.matchAll(/^\| \d+ +\| `([^`]+)`/gmu)].map(([, path]) => path ?? '');

/** Files beside the way, with what they take instead of the frame itself; ARCHITECTURE.md names them. */
const BESIDE: Readonly<Record<string, string>> = {
  'packet.ts': 'the header of a packet',
  'opus.ts': 'packets of Opus, in the place of decode and outbound-stream',
  'telephone-event.ts': 'packets of keys',
  'rtcp-session.ts': 'RTCP',
  'dtmf-detector.ts': 'keys as tones',
  'recorder.ts': 'a copy for the recording',
  'bridge.ts': 'the other leg of a transfer',
  'transfer-leg.ts': 'the other leg of a transfer',
  'person.ts': 'the microphone of a person who takes the call over',
  'answering.ts': 'who answered, at the start of a call',
  'speech-track.ts': 'a copy for the places of words that the voice does not give',
  'turn-judge.ts': 'a copy for the model of turn ends',
  'frame-ring.ts': 'a copy for the recogniser that takes over',
  'onnx-tensors.ts': 'the model file of the voice detector',
};
/** A parameter that takes audio of one frame or packet. */
const TAKES_AUDIO =
  /\b(?:pcm|frame|src|samples|payload|bytes): (?:Int16Array|Uint8Array|Buffer|Float32Array)\b/u;

describe('the way of one audio frame', () => {
  it('has at most 15 files of fewer than 400 lines', () => {
    expect(walk.length).toBeGreaterThan(10);
    expect(walk.length).toBeLessThanOrEqual(15);
    for (const path of walk) expect([path, read(path).split('\n').length < 400]).toEqual([path, true]);
  });

  it('names the files beside it', () => {
    for (const file of Object.keys(BESIDE)) expect(section).toContain(file.replace('.ts', ''));
  });

  it('leads through no other file of the session or of RTP that its files call with audio', () => {
    const others = walk.flatMap((path) => {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const imports = [...read(path).matchAll(/^import (?!type )[^;]*? from '\.\/([\w-]+\.ts)';$/gmu)];
      return imports.map(([, file]) => `${folder}${file}`).filter((file) => existsSync(new URL(file, root)));
    });
    const met = others.filter((file) => !Object.hasOwn(BESIDE, file.slice(file.lastIndexOf('/') + 1)));
    const carriers = met.filter((file) => !walk.includes(file) && TAKES_AUDIO.test(read(file)));
    expect([...new Set(carriers)]).toEqual([]);
  });
});
