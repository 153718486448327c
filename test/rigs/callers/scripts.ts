import { wordsOf, type Script, type Step } from './script.ts';
import { ENGLISH } from './scripts/english.ts';
import { HINDI } from './scripts/hindi.ts';
import { MALAY_AND_TAMIL } from './scripts/malay-and-tamil.ts';

export const SCRIPTS: readonly Script[] = [...ENGLISH, ...HINDI, ...MALAY_AND_TAMIL];

/** The caller's words of a step; null: none. */
export function callerWords(step: Step): string | null {
  if ('says' in step) return wordsOf(step.says);
  if ('interrupts' in step) return wordsOf(step.interrupts);
  return 'murmurs' in step ? step.murmurs : null;
}

/** A scripted reply of the stand-in for a language model. */
export interface ScriptedReply {
  readonly to: string;
  readonly text?: string;
  readonly tools?: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
}

/** The model's replies in all scripts. It repeats what it has no reply to. */
export const repliesOf = (scripts: readonly Script[]): ScriptedReply[] =>
  scripts.flatMap(({ steps, tool }) =>
    steps.flatMap((step): ScriptedReply[] => {
      if ('silentMs' in step) return step.hears === undefined ? [] : [{ to: '[silence]', text: step.hears }];
      const to = 'presses' in step ? step.presses.replace('#', '') : callerWords(step);
      if (to === null || !('reply' in step) || step.reply === undefined) return [];
      if (step.calls !== true || tool === undefined) return [{ to, text: step.reply }];
      return [
        { to: tool.answer, text: step.reply },
        { to, tools: [{ name: tool.name, args: {} }] },
      ];
    }),
  );

/** Every word that a caller says; those of listening first, so that a guess at them wins. */
export function lexiconOf(scripts: readonly Script[]): string[] {
  const steps = scripts.flatMap((script) => script.steps);
  const texts = [
    ...steps.filter((step) => 'murmurs' in step),
    ...steps.filter((step) => 'interrupts' in step),
    ...steps,
  ].flatMap((step) => callerWords(step) ?? []);
  return [...new Set(texts.flatMap((text) => text.split(' ')))];
}
