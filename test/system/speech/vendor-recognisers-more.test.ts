import { type FakeVendor, fakeAssemblyai, fakeElevenlabs, fakeSherpa, fakeVosk } from '@callwright/stand-ins';
import { recogniserContract, type RecogniserCase } from '../../helpers/audio/recogniser-contract.ts';

const queried =
  (...names: readonly string[]) =>
  ({ connections }: FakeVendor): unknown =>
    names.map((name) => connections[0]?.query.get(name));

const CASES: readonly RecogniserCase[] = [
  {
    name: 'assemblyai',
    fake: fakeAssemblyai,
    hasPartials: true,
    bye: '{"type":"Terminate"}',
    asked: queried('speech_model', 'encoding', 'sample_rate', 'keyterms_prompt'),
    wants: ['whisper-rt', 'pcm_mulaw', '8000', '["Callwright"]'],
  },
  {
    name: 'elevenlabs',
    fake: fakeElevenlabs,
    isCommitted: true,
    hasPartials: true,
    asked: queried('language_code', 'audio_format', 'commit_strategy', 'keyterms'),
    wants: ['ta', 'ulaw_8000', 'manual', 'Callwright'],
  },
  {
    name: 'vosk',
    fake: fakeVosk,
    hasPartials: true,
    isKeyless: true,
    isPlain: true,
    pauseMs: 1_000,
    bye: '{"eof" : 1}',
  },
  {
    name: 'sherpa',
    fake: fakeSherpa,
    hasPartials: true,
    isKeyless: true,
    isUntimed: true,
    mayBeSilent: true,
    pauseMs: 1_500,
    bye: 'Done',
  },
];

CASES.forEach(recogniserContract);
