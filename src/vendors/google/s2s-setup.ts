import type { VendorSettings } from '../catalogue.ts';
import { google } from './facts.ts';
import { callTools } from '../../providers/llm/call-tools.ts';
import { instructionsFor } from '../../providers/llm/messages.ts';
import type { S2sConversation } from '../../providers/s2s/dialect.ts';

/** Silence that ends the caller's turn. */
const SILENCE_MS = 400;

/** The setup of a call at Gemini Live. */
export function liveSetup(
  settings: Pick<VendorSettings, 'voice'>,
  model: string,
  { context, hearing: { language, secondaryLanguage } }: S2sConversation,
): object {
  return {
    model: `models/${model}`,
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: {
        languageCode: language,
        voiceConfig: { prebuiltVoiceConfig: { voiceName: settings.voice ?? google.s2s.voice } },
      },
    },
    systemInstruction: { parts: [{ text: instructionsFor(context) }] },
    tools: [
      {
        functionDeclarations: callTools(context.tools).map(({ name, description, parameters }) => ({
          name,
          description,
          parametersJsonSchema: parameters,
        })),
      },
    ],
    realtimeInputConfig: {
      automaticActivityDetection: { silenceDurationMs: SILENCE_MS },
      activityHandling: 'START_OF_ACTIVITY_INTERRUPTS',
    },
    inputAudioTranscription: {
      languageCodes: [language, ...(secondaryLanguage === null ? [] : [secondaryLanguage])],
    },
    outputAudioTranscription: {},
    contextWindowCompression: { slidingWindow: {} },
  };
}
