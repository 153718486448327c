/** Stand-ins for vendors, over their own wire protocols. */

// Starts a stand-in on a port of this machine; its settings are delays and faults.
export {
  FAKE_SETTINGS,
  type FakeHttpRequest,
  type FakeProtocol,
  type FakeSettings,
  type FakeVendor,
  startFakeVendor,
} from './fake-vendor.ts';

// One protocol for each vendor; FAKE_VENDORS has them all.
export { FAKE_VENDORS } from './vendors.ts';
export { fakeAnthropic } from './anthropic.ts';
export { fakeAssemblyai } from './assemblyai.ts';
export { fakeCartesia } from './cartesia.ts';
export { fakeDeepgram } from './deepgram/deepgram.ts';
export { fakeElevenlabs } from './elevenlabs/elevenlabs.ts';
export { fakeGoogle } from './google/google.ts';
export { fakeOpenai, fakeTranscriptions } from './openai/openai.ts';
export { fakeSarvam } from './sarvam/sarvam.ts';
export { fakeSherpa, fakeVosk } from './self-hosted.ts';

// WhatsApp: a server of its own, with customers that write and statuses that arrive.
export { FAKE_BUSINESS_ACCOUNT_ID, FAKE_TEMPLATES } from './whatsapp/templates.ts';
export {
  type CustomerSays,
  FAKE_PHONE_NUMBER_ID,
  type FakeWhatsapp,
  startFakeWhatsapp,
} from './whatsapp/whatsapp.ts';

// Words as audio that stand-ins understand and speak.
export { ReceivedAudio } from './received-audio.ts';
export { WordListener, codedSpeech, wordsIn } from './word-code.ts';

// Carriers over WebSockets: streams with a play-out clock, and the APIs of their calls.
export { FAKE_STREAM_SETTINGS, type FakeStreamSettings, FakeTwilioStream } from './twilio/stream.ts';
export { type FakeTwilioCall, connectTwilioStream } from './twilio/call.ts';
export { CARRIER_WIRES, FAKE_CARRIER_KINDS, type FakeCarrierKind } from './carriers/wires.ts';
export {
  type FakeCarrierAccount,
  fakeCarrierAccount,
  fakeTrunkSettings,
  type FakeTrunkSettings,
} from './carriers/account.ts';
export { FakeCarrierApi, type FakeCarrierCall, type FakeCarrierSettings } from './carriers/api.ts';
