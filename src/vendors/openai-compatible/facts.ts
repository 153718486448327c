import { ENGLISH, only, WHISPER } from '../language-codes.ts';
import type { Vendor } from '../vendor.ts';

export const openaiCompatible = {
  name: 'openai-compatible',
  needsKey: false,
  apiKey: { about: 'API key of an OpenAI-compatible server, if it needs one.' },
  baseUrl: {
    about:
      'URL of an OpenAI-compatible server: for transcription (speaches, whisper.cpp, Groq), which hears an utterance at a time, and for language models (vLLM, llama.cpp, Ollama); /v1 is added to a URL without a path.',
  },
  served: { about: 'Languages that it understands, such as en,hi. Default: every one.' },
  voice: {
    about:
      'The voice on that server of agents that name none of its voices. Default: one of Kokoro for the language.',
  },
  stt: {
    model: { about: 'The transcription model of that server.' },
    baseUrl: {
      about:
        'URL of the server that transcribes, where it is another one. Default: OPENAI_COMPATIBLE_BASE_URL.',
    },
    languages: { any: WHISPER },
  },
  llm: {
    model: { about: 'The language model of that server, if LLM_BASE_URL names no other one.' },
    version: '/v1',
    isOpenaiChat: true,
  },
  tts: {
    model: { about: 'The model of the voices of that server. Default: kokoro.' },
    baseUrl: {
      about: 'URL of the server that speaks, where it is another one. Default: OPENAI_COMPATIBLE_BASE_URL.',
    },
    // Kokoro; the operator may say what another server speaks.
    languages: only(...ENGLISH, 'hi-IN', 'zh-CN'),
  },
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
