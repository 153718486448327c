const RATE = 48_000;
const SECONDS = 10;

/** A tone of 440 Hz as a WAV file, which Chromium plays in place of a microphone, again and again. */
export function wavFile(): Buffer {
  const samples = Int16Array.from({ length: RATE * SECONDS }, (_, n) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * 440 * n) / RATE)),
  );
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.byteLength, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([head, Buffer.from(samples.buffer)]);
}
