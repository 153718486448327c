/** The voices that the stand-ins offer, in the form of the vendors' lists. */
interface ElevenlabsVoice {
  readonly id: string;
  readonly name: string;
  readonly gender: 'female' | 'male' | 'neutral';
  readonly accent: string;
  readonly languages: readonly (readonly [language: string, locale: string])[];
}

const ELEVENLABS: readonly ElevenlabsVoice[] = [
  ['21m00Tcm4TlvDq8ikWAM', 'Rachel', 'female', 'american', [['en', 'en-US'] as const]],
  ['EXAVITQu4vr4xnSDxMaL', 'Sarah', 'female', 'american', [['en', 'en-US'] as const]],
  ['nPczCjzI2devNBz1zQrb', 'Brian', 'male', 'american', [['en', 'en-US'] as const]],
  ['Xb7hH8MSUJpSbSDYk0k2', 'Alice', 'female', 'british', [['en', 'en-GB'] as const]],
  ['JBFqnCBsd6RMkjVDRZzb', 'George', 'male', 'british', [['en', 'en-GB'] as const]],
  ['IKne3meq5aSn9XLyUdCD', 'Charlie', 'male', 'australian', [['en', 'en-AU'] as const]],
  [
    'StandInVoiceMonika01',
    'Monika',
    'female',
    'indian',
    [['en', 'en-IN'] as const, ['hi', 'hi-IN'] as const],
  ],
].map(
  ([id, name, gender, accent, languages]) => ({ id, name, gender, accent, languages }) as ElevenlabsVoice,
);

export const ELEVENLABS_VOICES: ReadonlySet<string> = new Set(ELEVENLABS.map(({ id }) => id));

export const elevenlabsVoices = (): { voices: unknown[] } => ({
  voices: ELEVENLABS.map(({ id, name, gender, accent, languages }) => ({
    voice_id: id,
    name,
    category: 'premade',
    labels: { accent, gender, age: 'middle-aged', use_case: 'conversational', language: languages[0]?.[0] },
    description: `${name}, a voice of the stand-in.`,
    preview_url: `https://storage.example/${id}.mp3`,
    available_for_tiers: [],
    settings: null,
    verified_languages: languages.map(([language, locale]) => ({
      language,
      locale,
      accent,
      model_id: 'eleven_flash_v2_5',
      preview_url: null,
    })),
  })),
});

const CARTESIA: readonly (readonly [
  id: string,
  name: string,
  gender: string | null,
  language: string,
  country: string,
])[] = [
  ['f786b574-daa5-4673-aa0c-cbe3e8534c02', 'Katie', 'feminine', 'en', 'US'],
  ['228fca29-3a0a-435c-8728-5cb483251068', 'Kiefer', 'masculine', 'en', 'US'],
  ['71a7ad14-091c-4e8e-a314-022ece01c121', 'Charlotte', 'feminine', 'en', 'GB'],
  ['95d51f79-c397-46f9-b49a-23763d3eaa2d', 'Arushi', 'feminine', 'hi', 'IN'],
  ['7e8cb11d-37af-476b-ab8f-25da99b18644', 'Anuj', 'masculine', 'hi', 'IN'],
  ['0b904166-a29f-4d2e-bb20-41ca302f98e9', 'Robin', 'gender_neutral', 'zh', 'CN'],
];

export const CARTESIA_VOICES: ReadonlySet<string> = new Set(CARTESIA.map(([id]) => id));

/** A page of Cartesia's list. */
export function cartesiaVoices(query: URLSearchParams): object {
  const after = query.get('starting_after');
  const from = after === null ? 0 : CARTESIA.findIndex(([id]) => id === after) + 1;
  const to = from + Number(query.get('limit') ?? 10);
  const data = CARTESIA.slice(from, to).map(([id, name, gender, language, country]) => ({
    id,
    name,
    gender,
    language,
    country,
    description: `${name}, a voice of the stand-in.`,
    is_owner: false,
    is_public: true,
    created_at: '2025-06-01T00:00:00Z',
    preview_file_url: null,
  }));
  const hasMore = to < CARTESIA.length;
  return { data, has_more: hasMore, next_page: hasMore ? (data.at(-1)?.id ?? null) : null };
}

const DEEPGRAM: readonly (readonly [
  name: string,
  language: string,
  accent: string,
  gender: string,
  place: string,
])[] = [
  ['thalia', 'en', 'American', 'feminine', 'en-US'],
  ['apollo', 'en', 'American', 'masculine', 'en-US'],
  ['pandora', 'en', 'British', 'feminine', 'en-GB'],
  ['draco', 'en', 'British', 'masculine', 'en-GB'],
  ['hyperion', 'en', 'Australian', 'masculine', 'en-AU'],
  ['theia', 'en', 'Australian', 'feminine', 'en-AU'],
  ['celeste', 'es', 'Colombian', 'feminine', 'es-CO'],
];

export const DEEPGRAM_MODELS: ReadonlySet<string> = new Set(
  DEEPGRAM.map(([name, language]) => `aura-2-${name}-${language}`),
);

/** Deepgram's list of models; its voices are models. */
export const deepgramModels = (): object => ({
  stt: [{ name: 'general', canonical_name: 'nova-3-general', architecture: 'nova-3', languages: ['en'] }],
  tts: DEEPGRAM.map(([name, language, accent, gender, place]) => ({
    name,
    canonical_name: `aura-2-${name}-${language}`,
    architecture: 'aura-2',
    languages: [language, place],
    version: '2025-04-07.0',
    uuid: crypto.randomUUID(),
    metadata: {
      accent,
      age: 'Adult',
      color: '#BA80F5',
      image: `https://static.example/${name}.jpg`,
      sample: `https://static.example/${name}.wav`,
      tags: [gender, 'clear'],
      use_cases: ['IVR'],
    },
  })),
});

/** Kokoro's voices: language, gender and name. */
export const KOKORO_VOICES = [
  'af_heart',
  'af_bella',
  'am_adam',
  'bf_emma',
  'bm_george',
  'hf_alpha',
  'hm_omega',
  'zf_xiaobei',
  'zm_yunxi',
];
