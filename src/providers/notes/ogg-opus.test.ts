import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decodeNote, NOTE_RATE } from './decode-note.ts';
import { readOggOpus } from './ogg-opus.ts';

const NOTE = readFileSync(new URL('../../../test/fixtures/voice-notes/monday.ogg', import.meta.url));

it('takes a recorded note apart into packets of 20 ms, and decodes it at 16 kHz', async () => {
  const note = readOggOpus(NOTE);
  expect(note).toMatchObject({ channels: 1 });
  const pcm = await decodeNote(NOTE);
  if (typeof pcm === 'string') throw new Error(pcm);
  const packets = note!.packets.length;
  expect(pcm.length / NOTE_RATE).toBeGreaterThan(packets * 0.02 - 0.1);
  expect(pcm.length / NOTE_RATE).toBeLessThanOrEqual(packets * 0.02);
  expect(Math.max(...pcm)).toBeGreaterThan(3_000);
});

it('finds no note in a file that is cut, has another codec or has two streams', async () => {
  expect(readOggOpus(NOTE.subarray(0, NOTE.length - 10))).toBeNull();
  const vorbis = Buffer.from(NOTE);
  vorbis.write('OpusHeaD', vorbis.indexOf('OpusHead'), 'latin1');
  expect(readOggOpus(vorbis)).toBeNull();
  const second = Buffer.from(NOTE);
  second.writeUInt32LE(7, 14);
  expect(readOggOpus(Buffer.concat([NOTE, second]))).toBeNull();
  expect(await decodeNote(Buffer.from('RIFF'))).toBe('unreadable');
});
