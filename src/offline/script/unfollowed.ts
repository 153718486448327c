import { isHeardByPhrases, sentences } from '@callwright/language';
import { compile, openingOf, type Compilable } from './compile.ts';
import { isNativeManner } from './native-line.ts';
import type { Unit } from './unit.ts';
import type { Wording } from './wording.ts';

/**
 * `left_out`: nothing is said or done. `not_done`: the agent says that it has noted it, and does nothing. `vague`: it asks a
 * general question instead. `no_step`: the step that it goes to does not exist, so the conversation ends. `unheard`: the
 * answer to it cannot be recognised.
 */
export type UnfollowedReason = 'left_out' | 'not_done' | 'vague' | 'no_step' | 'unheard';

/** A part of a script that an agent cannot follow. */
export interface Unfollowed {
  readonly text: string;
  readonly reason: UnfollowedReason;
}

/** A prompt beyond this is not examined: an answer of the API must not wait for it. */
const LONGEST_PROMPT = 16_000;
const MOST = 20;
const LONGEST_TEXT = 200;

/** What the brain does by itself, or what no reply can show. */
const FOLLOWED_ANYWAY =
  /^(?:then |always |please |just )?(?:wait|listen|pause|acknowledge|note|record|log|be|remain|stay|keep|maintain|speak|talk|sound|use|avoid|never|do not|don['’]t|remember|make sure|ensure|proceed|continue|move|go|follow|allow|stop|return|respond|repeat|act|if|when|unless|only)\b/i;
const TITLE_WORDS = 5;
const TO_BE_DONE = /^(?:schedule|book|reschedule|arrange|process|place|cancel)\b/i;

/**
 * The parts of an agent's script that it cannot follow without a language model, and the questions whose answers are not
 * recognised without a recogniser of free speech, in their order.
 */
export function unfollowed(
  agent: Compilable,
  lacks: { readonly model: boolean; readonly recogniser: boolean },
): readonly Unfollowed[] {
  const found: Unfollowed[] = [];
  const add = (text: string, reason: UnfollowedReason): void => {
    const short = text.trim().slice(0, LONGEST_TEXT);
    if (found.length < MOST && !found.some((one) => one.text === short)) found.push({ text: short, reason });
  };
  const first = lacks.recogniser ? openQuestion(agent.introMessage) : null;
  if (first !== null) add(first, 'unheard');
  const labels = new Set<number>();
  const jumps: { readonly sentence: string; readonly label: number }[] = [];
  compile(
    {
      ...agent,
      prompt: agent.prompt.slice(0, LONGEST_PROMPT),
      sections: agent.sections.map(({ title, content }) => ({
        title,
        content: content.slice(0, LONGEST_PROMPT),
      })),
    },
    {
      sentence(sentence, units, spoken) {
        const reason = lacks.model ? reasonOf(sentence, units, spoken, agent.wording) : null;
        if (reason !== null) add(sentence, reason);
        if (lacks.recogniser && units.some(isUnheard)) add(sentence, 'unheard');
        for (const unit of units) if (unit.type === 'goto') jumps.push({ sentence, label: unit.label });
      },
      label: (label) => labels.add(label),
    },
  );
  for (const { sentence, label } of lacks.model ? jumps : [])
    if (!labels.has(label)) add(sentence, 'no_step');
  return found;
}

const isUnheard = (unit: Unit): boolean =>
  unit.type === 'ask' && !isHeardByPhrases(unit.question, unit.answer);

/** The question of a first message that may be answered with anything: "How can I help you?" */
const openQuestion = (intro: string): string | null =>
  openingOf(intro) === 'open'
    ? (sentences(intro).findLast((sentence) => /[?？؟]\s*["”]?$/.test(sentence)) ?? null)
    : null;

function reasonOf(
  sentence: string,
  units: readonly Unit[],
  spoken: readonly Unit[],
  wording: Wording,
): UnfollowedReason | null {
  const isGeneral = ({ question }: Extract<Unit, { type: 'ask' }>): boolean =>
    wording.forms !== null && question === wording.script.ask.free;
  if (units.some((unit, at) => unit.type === 'ask' && (spoken[at] !== unit || isGeneral(unit))))
    return 'vague';
  const isDone = units.some(({ type }) => type === 'callback' || type === 'tool');
  if (TO_BE_DONE.test(sentence.trim()) && !isDone) return 'not_done';
  const isSilent = spoken.every(({ type }) => type === 'skip');
  if (!isSilent || FOLLOWED_ANYWAY.test(sentence.trim()) || isTitle(sentence)) return null;
  if (isNativeManner(sentence, wording)) return null;
  return 'left_out';
}

/** In scripts without spaces, a title has few signs. */
const TITLE_SIGNS = 6;
const SPACELESS = /[\p{Script=Han}\p{Script=Myanmar}]/u;

function isTitle(sentence: string): boolean {
  const text = sentence.trim();
  if (/[:：]$/u.test(text)) return true;
  return SPACELESS.test(text) ? text.length <= TITLE_SIGNS : text.split(/\s+/u).length < TITLE_WORDS;
}
