import type { VendorSettings } from '../catalogue.ts';
import { openai } from './facts.ts';
import { callTools } from '../../providers/llm/call-tools.ts';
import { instructionsFor } from '../../providers/llm/messages.ts';
import { transcription, TRANSCRIBING_MODEL } from './stt.ts';
import type { S2sConversation } from '../../providers/s2s/dialect.ts';

/** Voices that the realtime API has; an agent may have another one of the vendor. */
const VOICES = new Set('alloy ash ballad coral echo sage shimmer verse marin cedar'.split(' '));
/** Silence that ends the caller's turn. */
const SILENCE_MS = 400;
const SPEEDS = { slowest: 0.25, fastest: 1.5 } as const;

/** The session of a call at OpenAI Realtime. Phone audio is not transcoded in either direction. */
export function realtimeSession(
  settings: Pick<VendorSettings, 'voice'>,
  { context, hearing, voice }: S2sConversation,
): object {
  const format = hearing.sampleRate === 8000 ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: 24_000 };
  const own = settings.voice ?? openai.s2s.voice;
  const speed = Math.min(SPEEDS.fastest, Math.max(SPEEDS.slowest, voice.speed));
  return {
    type: 'realtime',
    output_modalities: ['audio'],
    instructions: instructionsFor(context),
    audio: {
      input: {
        format,
        transcription: transcription(TRANSCRIBING_MODEL, hearing),
        turn_detection: {
          type: 'server_vad',
          silence_duration_ms: SILENCE_MS,
          create_response: false,
          interrupt_response: false,
        },
      },
      output: {
        format,
        voice: VOICES.has(own) ? own : openai.s2s.voice,
        ...(voice.speed === 1 ? {} : { speed }),
      },
    },
    tools: callTools(context.tools).map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
    })),
    tool_choice: 'auto',
  };
}
