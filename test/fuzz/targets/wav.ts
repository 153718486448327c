import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWavLayout, repairWav } from '../../../src/recordings/wav-file.ts';
import { wavStream } from '../../../src/offline/speech/wav-stream.ts';
import { WAV_HEADER_BYTES, parseWav, writeWav } from '@callwright/audio';
import { mutateBytes } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const pcm = Int16Array.from({ length: 200 }, (_, at) => at * 100 - 2500);
const STEREO = writeWav({ sampleRate: 8000, channels: 2 }, pcm);
const MONO = writeWav({ sampleRate: 22_050, channels: 1 }, pcm);
const chunk = Buffer.from('LIST\u0003\0\0\0abc\0', 'latin1');
const CORPUS = [
  STEREO,
  MONO,
  Buffer.concat([MONO.subarray(0, 36), chunk, MONO.subarray(36)]),
  Buffer.concat([STEREO.subarray(0, 40), Buffer.alloc(4), STEREO.subarray(44)]),
  STEREO.subarray(0, WAV_HEADER_BYTES),
];

const file: Target = {
  name: 'wav-file',
  nightly: 6_000,
  make: (dice) => mutateBytes(dice.pick(CORPUS), CORPUS, dice),
  run(input) {
    const read = parseWav(input);
    if (read.ok) {
      must(read.pcm.length * 2 <= input.length, 'more samples than bytes');
      must(read.sampleRate > 0 && read.channels > 0, 'no rate or no channel');
    }
    const layout = readWavLayout(input, input.length);
    must(
      layout === null || layout.dataStart + layout.dataBytes <= Math.max(input.length, layout.dataStart),
      'samples beyond the end of the file',
    );
  },
};

/** Created by the first input. */
let folder: string | null = null;

const repair: Target = {
  name: 'wav-repair',
  nightly: 500,
  make: (dice) => mutateBytes(dice.pick(CORPUS), CORPUS, dice),
  async run(input) {
    folder ??= mkdtempSync(join(tmpdir(), 'callwright-fuzz-'));
    const path = join(folder, 'recording.wav');
    writeFileSync(path, input);
    const first = await repairWav(path);
    const repaired = readFileSync(path);
    if (first === null) {
      must(repaired.equals(input), 'a file that is no recording is changed');
      return;
    }
    must(repaired.length === input.length, 'the repair changes the length of the file');
    must(
      first.bytes <= input.length && first.durationMs >= 0,
      `${first.bytes} bytes, ${first.durationMs} ms`,
    );
    must(Number.isFinite(first.durationMs), 'no duration');
    const second = await repairWav(path);
    must(JSON.stringify(second) === JSON.stringify(first), 'a second repair finds another duration');
    must(readFileSync(path).equals(repaired), 'a second repair changes the file');
    const layout = readWavLayout(repaired, repaired.length);
    must(layout !== null && layout.dataBytes >= 0, 'a repaired recording has no layout');
  },
  close: async () => {
    if (folder !== null) rmSync(folder, { recursive: true });
    folder = null;
  },
};

/** The first byte is the size of the pieces. */
const stream: Target = {
  name: 'wav-stream',
  nightly: 20_000,
  make: (dice) => Buffer.concat([dice.bytes(1), mutateBytes(MONO, CORPUS, dice)]),
  run(input) {
    const parse = wavStream();
    const step = 1 + (input[0] ?? 0);
    const bytes = input.subarray(1);
    let samples = 0;
    let isOver = false;
    for (let at = 0; at < bytes.length; at += step) {
      const piece = parse(bytes.subarray(at, at + step));
      must(!isOver || piece.type === 'malformed', 'a malformed stream continues');
      isOver ||= piece.type === 'malformed';
      if (piece.type === 'samples') samples += piece.pcm.length;
    }
    must(samples * 2 <= bytes.length, `${samples} samples of ${bytes.length} bytes`);
  },
};

export const WAV_TARGETS: readonly Target[] = [file, repair, stream];
