import { type FakeVendor, fakeOpenai, fakeSarvam, fakeTranscriptions } from '@callwright/stand-ins';
import { recogniserContract, type RecogniserCase } from '../../helpers/audio/recogniser-contract.ts';

const session = (vendor: FakeVendor) =>
  (JSON.parse(vendor.received[0] ?? '{}') as { session: { audio: { input: Record<string, unknown> } } })
    .session.audio.input;

const CASES: readonly RecogniserCase[] = [
  {
    name: 'sarvam',
    fake: fakeSarvam,
    hasPartials: true,
    bye: '{"event":"end"}',
    asked: ({ connections }) =>
      ['language_code', 'encoding', 'sample_rate', 'prompt'].map((name) => connections[0]?.query.get(name)),
    wants: ['ta-IN', 'mulaw', '8000', 'Callwright'],
  },
  {
    name: 'openai',
    fake: fakeOpenai,
    isCommitted: true,
    hasPartials: true,
    asked: (vendor) => session(vendor),
    wants: {
      format: { type: 'audio/pcmu' },
      transcription: { model: 'gpt-live-transcribe', languages: ['ta'], keywords: ['Callwright'] },
      turn_detection: null,
    },
  },
  { name: 'openai-compatible', fake: fakeTranscriptions, hasPartials: false },
];

CASES.forEach(recogniserContract);
