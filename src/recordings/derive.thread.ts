import { open, type FileHandle } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { createMp3Encoder } from 'wasm-media-encoders';
import { setThreadPriority } from '../shared/thread-priority.ts';
import { link } from '../shared/threads/remote.ts';
import { PeakMeter } from './peaks.ts';
import { readWavLayout, type WavLayout } from './wav-file.ts';

setThreadPriority('bulk');
/** A thread that streams recordings into MP3s or waveforms with constant memory. */
export interface DeriveApi {
  derive(wav: string, part: string, kind: 'mp3' | 'peaks'): Promise<void>;
}
/** Sample frames per read: four seconds at 8 kHz. */
const FRAMES = 32_768;

async function* pieces(input: FileHandle, layout: WavLayout): AsyncGenerator<Buffer, void, undefined> {
  const frameBytes = layout.channels * 2;
  const bytes = Buffer.alloc(FRAMES * frameBytes);
  let position = layout.dataStart;
  const end = layout.dataStart + layout.dataBytes - (layout.dataBytes % frameBytes);
  while (position < end) {
    const { bytesRead } = await input.read(bytes, 0, Math.min(bytes.length, end - position), position);
    const whole = bytesRead - (bytesRead % frameBytes);
    if (whole === 0) return;
    yield bytes.subarray(0, whole);
    position += whole;
  }
}

async function toMp3(input: FileHandle, layout: WavLayout, output: FileHandle): Promise<void> {
  const { channels } = layout;
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: layout.sampleRate, channels, bitrate: channels === 2 ? 32 : 16 });
  const planes = Array.from({ length: channels }, () => new Float32Array(FRAMES));
  for await (const piece of pieces(input, layout)) {
    const frames = piece.length / (channels * 2);
    for (let i = 0; i < frames; i += 1) {
      for (let c = 0; c < channels; c += 1) {
        planes[c]![i] = piece.readInt16LE((i * channels + c) * 2) / 32_768;
      }
    }
    await output.write(encoder.encode(planes.map((plane) => plane.subarray(0, frames))));
  }
  await output.write(encoder.finalize());
}

async function toPeaks(input: FileHandle, layout: WavLayout, output: FileHandle): Promise<void> {
  const meter = new PeakMeter(layout);
  for await (const piece of pieces(input, layout)) meter.write(piece);
  await output.write(JSON.stringify(meter.finish()));
}

async function derive(wav: string, part: string, kind: 'mp3' | 'peaks'): Promise<void> {
  const input = await open(wav, 'r');
  const output = await open(part, 'w', 0o600);
  try {
    const head = Buffer.alloc(4096);
    const { bytesRead } = await input.read(head, 0, head.length, 0);
    const layout = readWavLayout(head.subarray(0, bytesRead), (await input.stat()).size);
    if (layout === null) throw new Error('not a 16-bit WAV');
    await (kind === 'mp3' ? toMp3 : toPeaks)(input, layout, output);
  } finally {
    await input.close();
    await output.close();
  }
}

if (parentPort !== null) link<object, never, DeriveApi>(parentPort).serve({ api: { derive } });
