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

// Carriers over WebSockets: Twilio Media Streams with a play-out clock.
export { PLIVO_WIRE, TWILIO_WIRE } from './twilio/wire.ts';
export { FAKE_STREAM_SETTINGS, type FakeStreamSettings, FakeTwilioStream } from './twilio/stream.ts';
export {
  type FakeTwilioAccount,
  type FakeTwilioCall,
  type FakeTwilioCaller,
  announceTwilioCall,
  connectTwilioStream,
  twilioSignature,
} from './twilio/call.ts';
export { type FakePlacedCall, FakeTwilioApi, type FakeTwilioApiSettings } from './twilio/api.ts';
// Plivo and Vobiz: the API with its documents, reports and streams.
export {
  type FakePlivoAccount,
  FakePlivoApi,
  type FakePlivoCall,
  type FakePlivoSettings,
} from './plivo/api.ts';
