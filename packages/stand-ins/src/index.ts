export { fakeAnthropic } from './anthropic.ts';
export { fakeAssemblyai } from './assemblyai.ts';
export { fakeCartesia } from './cartesia.ts';
export { fakeDeepgram } from './deepgram/deepgram.ts';
export { fakeElevenlabs } from './elevenlabs/elevenlabs.ts';
export {
  FAKE_SETTINGS,
  type FakeHttpRequest,
  type FakeProtocol,
  type FakeSettings,
  type FakeVendor,
  startFakeVendor,
} from './fake-vendor.ts';
export { fakeGoogle } from './google/google.ts';
export { fakeOpenai, fakeTranscriptions } from './openai/openai.ts';
export { ReceivedAudio } from './received-audio.ts';
export { fakeSarvam } from './sarvam/sarvam.ts';
export { fakeSherpa, fakeVosk } from './self-hosted.ts';
export { FAKE_VENDORS } from './vendors.ts';
export { FAKE_BUSINESS_ACCOUNT_ID, FAKE_TEMPLATES } from './whatsapp/templates.ts';
export {
  type CustomerSays,
  FAKE_PHONE_NUMBER_ID,
  type FakeWhatsapp,
  startFakeWhatsapp,
} from './whatsapp/whatsapp.ts';
export { WordListener, codedSpeech, wordsIn } from './word-code.ts';
