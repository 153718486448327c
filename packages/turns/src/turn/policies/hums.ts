import type { Said } from '../said.ts';

/** Sounds of a listener that say neither yes nor no, as recognisers write them, with repeated letters once. */
const HUMS: ReadonlySet<string> = new Set(
  [
    'hm mhm mh m hum um uhm uh huh er eh ah aha oh ooh',
    'हम हम् हं हूँ हूं उम अम अं ओह',
    'হম হুম হুঁ হ্ম উম ও',
    'હમ હમ્મ હં હૂં ઓહ ਹਮ ਹੰ ਹੂੰ ਓਹ ହମ୍ ହୁଁ ଓହ',
    'ம் ம்ம் ஹ்ம் ஹம் ஓ ஆ హ్మ్ ఊ ఊఁ హూఁ ఓహ్ ఆహా ಹ್ಮ್ ಹೂಂ ಹ್ಞೂಂ ಓಹ್ ಓ',
    '哦 噢 唔 呃 امم مم م هم إم اها آها',
  ].flatMap((list) => list.split(' ')),
);

/** Whether a line is nothing but hums: "mm-hm", "uh". */
export const isHum = ({ words, squeezed }: Said): boolean =>
  words.length > 0 && words.every((word, at) => HUMS.has(word) || HUMS.has(squeezed[at] ?? ''));
