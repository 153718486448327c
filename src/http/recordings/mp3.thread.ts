import { open } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import { createMp3Encoder } from 'wasm-media-encoders';
import { readWavLayout } from './wav-layout.ts';

/** Encodes one recording to MP3, piece by piece: memory does not grow with its length. */
const { wav, part } = workerData as { wav: string; part: string };
/** Sample frames read at a time: four seconds of a narrow-band call. */
const FRAMES = 32_768;

const input = await open(wav, 'r');
const output = await open(part, 'w', 0o600);
try {
  const head = Buffer.alloc(4096);
  const { bytesRead } = await input.read(head, 0, head.length, 0);
  const layout = readWavLayout(head.subarray(0, bytesRead), (await input.stat()).size);
  if (layout === null) throw new Error('not a 16-bit WAV');
  const { channels, dataStart, dataBytes } = layout;
  const encoder = await createMp3Encoder();
  encoder.configure({
    sampleRate: layout.sampleRate,
    channels,
    bitrate: channels === 2 ? 32 : 16,
  });
  const frameBytes = channels * 2;
  const bytes = Buffer.alloc(FRAMES * frameBytes);
  const planes = Array.from({ length: channels }, () => new Float32Array(FRAMES));
  let position = dataStart;
  const end = dataStart + dataBytes - (dataBytes % frameBytes);
  while (position < end) {
    const piece = await input.read(bytes, 0, Math.min(bytes.length, end - position), position);
    const frames = Math.floor(piece.bytesRead / frameBytes);
    if (frames === 0) break;
    for (let i = 0; i < frames; i += 1) {
      for (let c = 0; c < channels; c += 1)
        planes[c]![i] = bytes.readInt16LE((i * channels + c) * 2) / 32_768;
    }
    await output.write(encoder.encode(planes.map((plane) => plane.subarray(0, frames))));
    position += frames * frameBytes;
  }
  await output.write(encoder.finalize());
} finally {
  await input.close();
  await output.close();
}
