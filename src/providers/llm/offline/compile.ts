import { isGoodTime, isIdentity, wantedBy } from './answer-kind.ts';
import { assemble } from './assemble.ts';
import { readConditional } from './condition.ts';
import { readFaqs } from './faq.ts';
import { isSpeakable } from './instruction.ts';
import { readPurpose } from './purpose.ts';
import { addHandler, readScript, stripMarker } from './read-script.ts';
import { splitSections } from './sections.ts';
import { isLatin, sentences, words } from './text.ts';
import type { Faq, Opening, Script, Step } from './script.ts';
import type { Wording } from './wording/types.ts';

export interface Compilable {
  prompt: string;
  sections: readonly { title: string; content: string }[];
  introMessage: string;
  agentName: string;
  wording: Wording;
}

/** Compiles an agent's prompt into a script. Total: any text gives a script that ends. */
export function compile(agent: Compilable): Script {
  const parts = splitSections(agent.sections, agent.prompt);
  const faqs: Faq[] = [...readFaqs(parts.faqs), ...parts.samples];
  const tree = readScript(parts.script, faqs, agent.wording);
  for (const line of parts.guidelines.split('\n')) {
    for (const sentence of sentences(stripMarker(line).text)) addHandler(readConditional(sentence), faqs);
  }
  const opening = openingOf(agent.introMessage);
  const { steps, start } = assemble(tree, opening, agent.introMessage !== '');
  const merged = sameQuestion(steps, start, agent.introMessage);
  const purpose = readPurpose(parts.objective, agent.agentName);
  return {
    steps: merged ? asAsked(steps, start, agent.introMessage) : steps,
    start,
    faqs: faqs.filter((faq) => isSpeakable(faq.answer)),
    who: purpose.who,
    why: purpose.why,
    opening: merged ? 'step' : opening,
  };
}

export function openingOf(intro: string): Opening {
  const question = sentences(intro).findLast((sentence) => /[?？؟]\s*["”]?$/.test(sentence));
  if (question === undefined) return 'none';
  if (isIdentity(question)) return 'identity';
  if (isGoodTime(question)) return 'good_time';
  if (/\b(?:how|what)\b.*\b(?:help|assist|do for you)\b/i.test(question)) return 'open';
  if (!isLatin(question)) return 'yes_no';
  return wantedBy(question).answer === 'yes_no' ? 'yes_no' : 'open';
}

/** Whether the first message already asked what the script asks first. */
function sameQuestion(steps: readonly Step[], start: number, intro: string): boolean {
  const first = steps[start];
  if (first?.type !== 'ask') return false;
  const asked = sentences(intro).findLast((sentence) => /[?？؟]/.test(sentence));
  if (asked === undefined) return false;
  if (isIdentity(asked) && (first.identity || first.answer === 'name')) return true;
  if (isGoodTime(asked) && isGoodTime(first.question)) return true;
  const left = new Set(words(asked));
  const right = words(first.question);
  return right.length > 1 && right.filter((word) => left.has(word)).length / right.length >= 0.65;
}

/** "Confirm identity" after "Am I speaking with Ravi?": the step takes the first message's question. */
function asAsked(steps: readonly Step[], start: number, intro: string): Step[] {
  return steps.map((step, at) => {
    if (at !== start || step.type !== 'ask' || step.answer !== 'name') return step;
    const question = sentences(intro).findLast((sentence) => /[?？؟]/.test(sentence)) ?? step.question;
    return { ...step, question, answer: 'yes_no', slot: '', identity: true };
  });
}
