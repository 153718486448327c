import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeVendor, fakeTranscriptions, startFakeVendor } from '@callwright/stand-ins';
import { toUsage } from '../../../src/http/chats/wire.ts';
import { openWhatsappDesk, type WhatsappDesk } from '../../helpers/whatsapp/whatsapp-api.ts';

/** The words "Is Monday at ten free?" as the stand-in of the recogniser understands them, recorded by opusenc. */
const NOTE = readFileSync(new URL('../../fixtures/voice-notes/monday.ogg', import.meta.url));
const OGG = 'audio/ogg; codecs=opus';

let recogniser: FakeVendor;
let desk: WhatsappDesk;
beforeAll(async () => {
  recogniser = await startFakeVendor(fakeTranscriptions);
  const settings = { apiKey: null, baseUrl: recogniser.baseUrl, model: null };
  desk = await openWhatsappDesk(undefined, [{ name: 'openai-compatible', settings }]);
});
afterAll(async () => {
  await desk?.close();
  await recogniser?.close();
});

const voice = (from: string, id: string): void =>
  desk.fake.say(desk.message(from, '', { type: 'audio', content: { id, mime_type: OGG, voice: true } }));
const lastAnswer = async (from: string): Promise<string> => {
  const [first] = await desk.answers(from, 1);
  const body = first!.body as Record<string, any>;
  return body['text'].body as string;
};

it('a voice message is answered by its words, which stand in the transcript', async () => {
  desk.fake.media.add('71', NOTE, OGG);
  voice('919300000001', '71');
  expect(await lastAnswer('919300000001')).toBe('Welcome.\nYou said: Is Monday at ten free?.');
  const [message] = await desk.rows(
    sql`select text, content from chat_messages where role = 'customer' and kind = 'audio'`,
  );
  expect(message).toEqual({
    text: 'Is Monday at ten free?',
    content: { voice: '71', transcribed: true },
  });
  expect(desk.fake.media.fetched).toEqual(['71']);
  const [chat] = await desk.rows(sql`select usage from chats`);
  const uses = (chat?.['usage'] ?? []) as readonly Record<string, unknown>[];
  const heard = uses.filter((use) => Number(use['audioMs'] ?? 0) > 0);
  expect(heard).toMatchObject([{ vendor: 'openai-compatible', inputTokens: null }]);
  expect(toUsage(heard[0] as Parameters<typeof toUsage>[0]).audio_seconds).toBeGreaterThan(1);
}, 180_000);

it('a file that is no voice note, is damaged or is too large is not listened to, and the agent asks for text', async () => {
  desk.fake.media.add('72', Buffer.from('OggS and nothing else'), OGG);
  desk.fake.media.add('73', NOTE, OGG, '0'.repeat(64));
  desk.fake.media.add('74', Buffer.alloc(3 * 1_048_576), OGG);
  for (const id of ['72', '73', '74', '75']) voice(`9193000000${id}`, id);
  for (const id of ['72', '73', '74', '75'])
    expect(await lastAnswer(`9193000000${id}`)).toContain('[voice message]');
  // The size is known before the file is fetched.
  expect(desk.fake.media.fetched.toSorted()).toEqual(['71', '72', '73']);
});
