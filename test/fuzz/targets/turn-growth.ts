import { initialState, step, type TurnEvent, turnSettings } from '@callwright/turns';
import { mutateText, tokens } from '../mutate.ts';
import { must, type Target } from '../target.ts';

/** Twice the lines cost twice the work, and a look at the last long word; an analysis of the whole turn for each line costs four times. */
const MOST_GROWTH = 3.5;
const LINES = 40;
/** A turn of twice the lines stays below the length at which turns are cut. */
const LONGEST_LINE = 90;

const LINE_TOKENS = tokens(
  'yes ¦okay ¦uh huh ¦nine eight ¦double seven ¦K U M A R ¦98 ¦...¦?¦, ¦one moment ¦I want to book a table ',
  'जी हाँ ¦नौ आठ ¦好的¦嗯¦九八一二¦十一¦然后¦我要预订¦အင်း¦တစ်¦a¦’¦\u0301',
);
const LANGUAGES = ['en-IN', 'hi-IN', 'zh-CN', 'my-MM'] as const;

/** Methods that read a text from its beginning. */
const READERS = [
  [String.prototype, ['normalize', 'toLowerCase', 'match', 'matchAll', 'replace', 'replaceAll', 'split']],
  [RegExp.prototype, ['test', 'exec']],
] as const;
type Reader = (this: unknown, ...args: unknown[]) => unknown;

/** Characters that `run` reads from the beginning of texts. */
function charactersRead(run: () => void): number {
  let characters = 0;
  const restore: (() => void)[] = [];
  for (const [owner, names] of READERS) {
    for (const name of names) {
      const own = owner as unknown as Record<string, Reader>;
      const original = own[name] as Reader;
      own[name] = function counted(...args) {
        characters += String(typeof this === 'string' ? this : args[0]).length;
        return original.apply(this, args);
      };
      restore.push(() => void (own[name] = original));
    }
  }
  try {
    run();
  } finally {
    for (const undo of restore) undo();
  }
  return characters;
}

/** A caller types so many lines before the agent says a word. */
function type(line: string, language: (typeof LANGUAGES)[number], lines: number): void {
  const settings = turnSettings({ callConfig: {}, introMessage: '', language, direction: 'webcall' });
  let state = initialState({ ...settings, speaksFirst: false });
  const feed = (event: TurnEvent): void => {
    ({ state } = step(state, event));
  };
  feed({ type: 'answered', at: 0 });
  for (let n = 1; n <= lines; n++) feed({ type: 'typed', text: line, at: n });
}

export const GROWTH_TARGETS: readonly Target[] = [
  {
    name: 'turn-growth',
    inCi: 500,
    make(dice) {
      let line = '';
      for (let n = dice.from(1, 8); n > 0; n -= 1) line += dice.pick(LINE_TOKENS);
      const text = dice.chance(0.3) ? mutateText(line, LINE_TOKENS, [line], dice) : line;
      return Buffer.from(`${dice.below(LANGUAGES.length)}${text.slice(0, LONGEST_LINE)}`);
    },
    run(input) {
      const text = input.toString('utf8');
      const language = LANGUAGES[Number(text[0])] ?? 'en-IN';
      const line = text.slice(1, LONGEST_LINE);
      // The phrases of the language are read once.
      type(line, language, 2);
      const [once, twice] = [LINES, 2 * LINES].map((lines) => charactersRead(() => type(line, language, lines)));
      const growth = (twice ?? 0) / Math.max(1, once ?? 0);
      must(growth <= MOST_GROWTH, `twice the lines cost ${growth.toFixed(2)} times the work`);
    },
  },
];
