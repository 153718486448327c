import type { CatalogueModel } from './catalogue.ts';

export const VOSK_MODELS = 'https://alphacephei.com/vosk/models';

/** A recogniser of Vosk whose files no package carries: unpinned. */
const voskSmall = (
  id: string,
  archive: string,
  languages: readonly string[],
  megabytes: number,
): CatalogueModel => ({
  id,
  part: 'ears',
  engine: 'Vosk',
  languages,
  files: [
    {
      name: `${archive}.zip`,
      bytes: megabytes * 1_000_000,
      sha256: null,
      isUnpacked: true,
      sources: [{ from: 'url', url: `${VOSK_MODELS}/${archive}.zip` }],
    },
  ],
  bytes: megabytes * 1_800_000,
  licence: 'Apache-2.0',
  quality: 'free words as the caller speaks; not measured here',
  cost: 'about a fifth of a core while a caller speaks',
  improves: `every word of callers in ${languages.join(', ')} is heard`,
});

/** Recognisers of further languages. */
export const SMALL_RECOGNISERS: readonly CatalogueModel[] = [
  voskSmall('vosk-small-en-in', 'vosk-model-small-en-in-0.4', ['en-IN'], 36),
  voskSmall('vosk-small-hi', 'vosk-model-small-hi-0.22', ['hi-IN'], 42),
  voskSmall('vosk-small-te', 'vosk-model-small-te-0.42', ['te-IN'], 58),
  voskSmall('vosk-small-gu', 'vosk-model-small-gu-0.42', ['gu-IN'], 100),
  voskSmall('vosk-small-zh', 'vosk-model-small-cn-0.22', ['zh-CN'], 42),
];
