import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FakeVendor,
  fakeAnthropic,
  fakeAssemblyai,
  fakeCartesia,
  fakeDeepgram,
  fakeElevenlabs,
  fakeOpenai,
  fakeSarvam,
  fakeSherpa,
  fakeTranscriptions,
  fakeVosk,
  startFakeVendor,
} from '@callwright/stand-ins';
import { holdDialogues, type Dialogue } from '../../rigs/vendors/dialogue.ts';
import { dialoguesOf, HAS_MARKS, repliesTo } from '../../rigs/vendors/pairs.ts';

const PROTOCOLS = [
  fakeAnthropic,
  fakeAssemblyai,
  fakeCartesia,
  fakeDeepgram,
  fakeElevenlabs,
  fakeOpenai,
  fakeSarvam,
  fakeSherpa,
  fakeTranscriptions,
  fakeVosk,
];

const words = (lines: readonly string[]): string[] => lines.join(' ').split(/\s+/u);

/**
 * Dialogues of so many turns on every recogniser and every speaker at once, over SIP and RTP with baresip, in real time: 4 s
 * a turn.
 */
export function vendorDialogues(turns: number): void {
  const lines = dialoguesOf(turns);
  const vendors = new Map<string, FakeVendor>();
  let dialogues: Dialogue[] = [];
  beforeAll(
    async () => {
      for (const protocol of PROTOCOLS) vendors.set(protocol.name, await startFakeVendor(protocol));
      Object.assign(vendors.get('anthropic')?.settings ?? {}, { replies: repliesTo(turns) });
      dialogues = await holdDialogues(lines, {
        baseUrls: new Map([...vendors].map(([name, { baseUrl }]) => [name, baseUrl])),
        // In the middle of the fourth turn's words.
        onAnswered: (track) => {
          const { atMs = 0, endMs = 0 } = track[3] ?? {};
          for (const name of ['assemblyai', 'vosk']) {
            const vendor = vendors.get(name);
            if (vendor !== undefined) vendor.settings.cutAtMs = (atMs + endMs) / 2;
          }
        },
      });
    },
    60_000 + turns * 8_000,
  );
  afterAll(async () => {
    await Promise.all([...vendors.values()].map((vendor) => vendor.close()));
  });

  describe.each(
    lines.map((line, i) => [line.recogniser, line.model ?? 'its usual model', line.speaker, i] as const),
  )(`a dialogue of ${turns} turns with %s (%s), spoken by %s`, (recogniser, _, speaker, i) => {
    const held = (): Dialogue => dialogues[i] as Dialogue;

    it('has every word of the caller in the record and at the model, each once', () => {
      const { said, understood, call } = held();
      expect(words(understood)).toEqual(words(said));
      const model = vendors.get('anthropic')?.received.join('\n') ?? '';
      expect(said.filter((text) => !model.includes(text))).toEqual([]);
      const stt = call.usage.vendors.filter((use: any) => use.part === 'stt');
      expect(stt.map((use: any) => use.vendor)).toEqual([recogniser]);
    });

    it('records what the phone heard', () => {
      const { apart, call, line } = held();
      const interruptions = line.turns.filter((isSpokenOver) => isSpokenOver).length;
      expect(call.interruptions).toBe(interruptions);
      expect(call.usage.vendors.find((use: any) => use.part === 'tts')).toMatchObject({ vendor: speaker });
      expect(apart).toBeLessThanOrEqual(HAS_MARKS.has(speaker) ? 0 : 1);
    });
  });

  it('makes a connection again that was lost in the middle of words', () => {
    expect(vendors.get('assemblyai')?.connections).toHaveLength(2);
    expect(vendors.get('vosk')?.connections).toHaveLength(2);
  });
}
