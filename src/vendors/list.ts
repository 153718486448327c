import { anthropic } from './anthropic/facts.ts';
import { assemblyai } from './assemblyai/facts.ts';
import { cartesia } from './cartesia/facts.ts';
import { deepgram } from './deepgram/facts.ts';
import { elevenlabs } from './elevenlabs/facts.ts';
import { google } from './google/facts.ts';
import { openai } from './openai/facts.ts';
import { openaiCompatible } from './openai-compatible/facts.ts';
import { sarvam } from './sarvam/facts.ts';
import { sherpa } from './sherpa/facts.ts';
import { vosk } from './vosk/facts.ts';

/** Every vendor, in the order in which settings, the API and the dashboard list them. */
export const VENDORS = [
  deepgram,
  sarvam,
  openai,
  assemblyai,
  elevenlabs,
  cartesia,
  anthropic,
  google,
  openaiCompatible,
  vosk,
  sherpa,
] as const;
