import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FakeProtocol,
  type FakeVendor,
  fakeAnthropic,
  fakeAssemblyai,
  fakeCartesia,
  fakeDeepgram,
  fakeGoogle,
  startFakeVendor,
} from '@callwright/stand-ins';
import { holdDialogues, type Dialogue, type LineOptions } from '../rigs/vendors/dialogue.ts';
import { repliesTo } from '../rigs/vendors/pairs.ts';

const TURNS = [false, false, false];
/** The recogniser of the first line, the speaker of the second and the model of the third die in the second turn. */
const LINES: readonly LineOptions[] = [
  { recogniser: 'assemblyai', nextRecogniser: 'deepgram', speaker: 'deepgram', turns: TURNS },
  { recogniser: 'deepgram', speaker: 'cartesia', turns: TURNS },
  { recogniser: 'deepgram', speaker: 'deepgram', models: ['google', 'anthropic'], turns: TURNS },
];
/** The reply to a turn sounds by then. */
const IN_REPLY_MS = 1_600;

const vendors = new Map<string, FakeVendor>();
let dialogues: Dialogue[] = [];
const start = async (protocol: FakeProtocol): Promise<FakeVendor> => {
  const vendor = await startFakeVendor(protocol, { settings: { replies: repliesTo(TURNS.length) } });
  vendors.set(protocol.name, vendor);
  return vendor;
};
// Three calls at once, in real time with baresip: about 22 s.
beforeAll(async () => {
  const [recogniser, speaker, model] = [
    await start(fakeAssemblyai),
    await start(fakeCartesia),
    await start(fakeGoogle),
  ];
  for (const protocol of [fakeAnthropic, fakeDeepgram]) await start(protocol);
  // Speech that comes as it plays, so that a cut leaves the rest unsaid.
  speaker.settings.speed = 1;
  model.settings.wordMs = 30;
  const die = (vendor: FakeVendor): void => {
    vendor.settings.refuse = 503;
    vendor.cut();
  };
  dialogues = await holdDialogues(LINES, {
    baseUrls: new Map([...vendors].map(([name, { baseUrl }]) => [name, baseUrl])),
    onAnswered: ([, second]) => {
      const { atMs = 0, endMs = 0 } = second ?? {};
      setTimeout(() => die(recogniser), (atMs + endMs) / 2);
      setTimeout(() => {
        model.settings.cutAtWord = 3;
      }, atMs);
      setTimeout(() => die(speaker), endMs + IN_REPLY_MS);
      setTimeout(() => die(model), endMs + IN_REPLY_MS);
    },
  });
}, 180_000);
afterAll(() => Promise.all([...vendors.values()].map((vendor) => vendor.close())));

describe.each([
  ['recogniser', 'stt', 0],
  ['speaker', 'tts', 1],
  ['language model', 'llm', 2],
] as const)('a %s that dies in the middle of a call', (_, part, i) => {
  const held = (): Dialogue => dialogues[i] as Dialogue;

  it('leaves the caller without a sound for at most 2.5 s, at the phone', () => {
    const { waitsMs } = held();
    expect(waitsMs).toHaveLength(TURNS.length - 1);
    expect(Math.max(...waitsMs)).toBeLessThanOrEqual(2_500);
  });

  it('loses no word of the caller, and the record names it', () => {
    const { said, understood, call } = held();
    expect(understood.join(' ')).toBe(said.join(' '));
    const dead = LINES[i] as LineOptions;
    const vendor = { stt: dead.recogniser, tts: dead.speaker, llm: dead.models?.[0] }[part];
    expect(call.vendor_faults).toContainEqual(expect.objectContaining({ part, vendor, effect: 'switched' }));
  });
});
