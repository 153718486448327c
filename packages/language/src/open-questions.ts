import { normal } from './text.ts';
import { beginsWith, endsWith, holds } from './word-forms.ts';

/** Question words of one language, as command forms are written. */
interface QuestionWords {
  /** They ask for words of the caller's own wherever they stand. */
  readonly open: readonly string[];
  /** The same inside a question; at its beginning or end they make it one of yes or no. */
  readonly inside?: readonly string[];
  /** At the beginning only. */
  readonly first?: readonly string[];
  /** A question that ends so is one of yes or no ("do you have any question?"). */
  readonly closed?: readonly string[];
}

const list = (words: string): string[] => words.split(', ');

const WORDS: Readonly<Record<string, QuestionWords>> = {
  hi: {
    open: list('कैसा, कैसी, कैसे, कैसी*, क्यों, कौन, कहाँ, कहां, किसका, किसकी, किसके, किसने, किसलिए'),
    inside: ['क्या'],
  },
  mr: { open: list('कसा, कशी, कसे, कसं, कोण, कोणी, कुठे, कशासाठी, कशाबद्दल'), inside: ['काय'] },
  gu: { open: list('કેવી, કેવું, કેવો, કેવા, કેમ, કોણ, ક્યાં, કેવી રીતે'), inside: ['શું'] },
  pa: { open: list('ਕਿਵੇਂ, ਕਿਉਂ, ਕੌਣ, ਕਿੱਥੇ, ਕਿਹੋ, ਕਿਹੜੀ, ਕਿਹੜਾ'), inside: ['ਕੀ'] },
  bn: { open: list('কেমন, কেন, কে, কোথায়, কী, কীভাবে, কীসের') },
  or: { open: list('କିପରି, କେମିତି, କାହିଁକି, କିଏ, କେଉଁଠି, କଣ') },
  ta: { open: list('எப்படி, ஏன், யார், எங்கே, எங்கு, என்ன') },
  te: { open: list('ఎలా, ఎందుకు, ఎవరు, ఎక్కడ, ఏమిటి, ఏమి, ఏం') },
  kn: { open: list('ಹೇಗೆ, ಹೇಗಿತ್ತು, ಯಾಕೆ, ಏಕೆ, ಯಾರು, ಎಲ್ಲಿ, ಏನು') },
  ms: { open: list('bagaimana, bagaimanakah, mengapa, kenapa, siapa, siapakah, di mana, apa') },
  zh: { open: list('怎么, 怎样, 如何, 为什么, 谁, 哪里, 哪儿, 什么'), closed: ['吗'] },
  my: { open: list('ဘယ်လို, ဘာကြောင့်, ဘယ်သူ, ဘယ်မှာ, ဘာများ, ဘာလဲ') },
  ar: { open: list('كيف, لماذا, أين, ماذا'), first: list('ما, من') },
};

/** Whether a question in another language than English asks for words of the caller's own ("how was it?"). */
export function isOpenQuestion(question: string, locale: string): boolean {
  const words = WORDS[locale];
  if (words === undefined) return false;
  const { open, inside = [], first = [], closed = [] } = words;
  const text = normal(question);
  if (endsWith(text, closed)) return false;
  const stands = (word: string): boolean =>
    holds(text, [word]) && !beginsWith(text, [word]) && !endsWith(text, [word]);
  return holds(text, open) || inside.some(stands) || beginsWith(text, first);
}
