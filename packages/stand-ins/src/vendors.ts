import { fakeAnthropic } from './anthropic.ts';
import { fakeAssemblyai } from './assemblyai.ts';
import { fakeCartesia } from './cartesia.ts';
import { fakeDeepgram } from './deepgram/deepgram.ts';
import { fakeElevenlabs } from './elevenlabs/elevenlabs.ts';
import type { FakeProtocol } from './fake-vendor.ts';
import { fakeGoogle } from './google/google.ts';
import { fakeOpenai, fakeTranscriptions } from './openai/openai.ts';
import { fakeSarvam } from './sarvam/sarvam.ts';
import { fakeSherpa, fakeVosk } from './self-hosted.ts';

/** Every stand-in of a speech or model vendor. */
export const FAKE_VENDORS: readonly FakeProtocol[] = [
  fakeDeepgram,
  fakeSarvam,
  fakeOpenai,
  fakeTranscriptions,
  fakeAssemblyai,
  fakeElevenlabs,
  fakeVosk,
  fakeSherpa,
  fakeCartesia,
  fakeAnthropic,
  fakeGoogle,
];
