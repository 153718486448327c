import { expect, it } from 'vitest';
import { fakeDeepgram } from '../../src/providers/fake/vendors/deepgram.ts';
import { startFakeVendor } from '../../src/providers/fake/vendors/fake-vendor.ts';
import { holdDialogue } from '../rigs/vendors/dialogue.ts';

const words = (lines: readonly string[]): string[] => lines.join(' ').split(/\s+/u);

// Real sockets to the vendor, SIP and RTP with baresip: about 20 s. `npm run bench:vendors` holds 20 turns on every one.
it('understands every word over SIP, loses none with a lost connection, and records what the phone heard', async () => {
  const vendor = await startFakeVendor(fakeDeepgram);
  try {
    const { said, understood, recorded, heard, call } = await holdDialogue({
      vendor: 'deepgram',
      baseUrl: vendor.baseUrl,
      turns: 4,
      interrupts: [2],
      // In the middle of the second turn's words.
      onAnswered: ([, second]) =>
        (vendor.settings.cutAtMs = ((second?.atMs ?? 0) + (second?.endMs ?? 0)) / 2),
    });
    expect(vendor.connections).toHaveLength(2);
    expect(understood).toEqual(said);
    // The brain repeats what it was given.
    expect(recorded).toContain(`You said: ${said[1]}.`);
    expect(call.interruptions).toBe(1);
    expect(heard.split(' ')).toEqual(words(recorded));
    expect(call.latency.turns[0]).toMatchObject({
      stt: { vendor: 'deepgram', model: 'flux-general-en' },
      tts: { vendor: 'fake', model: null },
      heard: `You said: ${said[0]}.`,
    });
    expect(call.usage.vendors[0]).toMatchObject({ part: 'stt', vendor: 'deepgram' });
  } finally {
    await vendor.close();
  }
});
