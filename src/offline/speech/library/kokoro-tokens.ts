/** The vocabulary of Kokoro: runs of phonemes and marks with consecutive ids, after the id of the first one. */
const RUNS: readonly (readonly [number, string])[] = [
  [1, ';:,.!?'],
  [9, '—…"()“” \u{303}ʣʥʦʨᵝꭧAI'],
  [31, 'O'],
  [33, 'Q'],
  [35, 'ST'],
  [39, 'W'],
  [41, 'Yᵊabcdef'],
  [50, 'hijklmnopqrstuvwxyzɑɐɒæ'],
  [75, 'βɔɕç'],
  [80, 'ɖðʤə'],
  [85, 'ɚɛɜ'],
  [90, 'ɟ'],
  [92, 'ɡ'],
  [99, 'ɥ'],
  [101, 'ɨɪʝ'],
  [110, 'ɯɰŋɳɲɴø'],
  [118, 'ɸθœ'],
  [123, 'ɹ'],
  [125, 'ɾɻ'],
  [128, 'ʁɽʂʃʈʧ'],
  [135, 'ʊʋ'],
  [138, 'ʌɣɤ'],
  [142, 'χʎ'],
  [147, 'ʒʔ'],
  [156, 'ˈˌː'],
  [162, 'ʰ'],
  [164, 'ʲ'],
  [169, '↓'],
  [171, '→↗↘'],
  [177, 'ᵻ'],
];

/** Every phoneme and mark of Kokoro with its id. */
export const KOKORO_TOKENS: readonly (readonly [string, number])[] = RUNS.flatMap(([first, tokens]) =>
  Array.from(tokens).map((token, at) => [token, first + at] as const),
);
