import { expectedAnswer, inOrder, isGoodTime, isIdentity, sentences, words } from '@callwright/language';
import { readConditional } from './condition.ts';
import { isSpeakable, type Unit } from './unit.ts';
import { readFaqs } from './knowledge.ts';
import { readPurpose } from './purpose.ts';
import {
  addHandler,
  MAX_STEPS,
  type Node,
  readScript,
  type ScriptNotes,
  stripMarker,
} from './read-script.ts';
import {
  type Branch,
  type Condition,
  END,
  type Faq,
  type Opening,
  type Script,
  type Step,
} from './script.ts';
import { splitSections } from './sections.ts';
import { isLatin } from './text.ts';
import type { Wording } from './wording.ts';

export interface Compilable {
  prompt: string;
  sections: readonly { title: string; content: string }[];
  introMessage: string;
  agentName: string;
  wording: Wording;
}

/** Compiles an agent's prompt into a script. Total: every text yields a script that terminates. */
export function compile(agent: Compilable, notes?: ScriptNotes): Script {
  const parts = splitSections(agent.sections, agent.prompt);
  const faqs: Faq[] = [...readFaqs(parts.faqs), ...parts.samples];
  const tree = readScript(parts.script, faqs, agent.wording, notes);
  for (const line of parts.guidelines.split('\n')) {
    for (const sentence of sentences(stripMarker(line).text)) addHandler(readConditional(sentence), faqs);
  }
  const opening = openingOf(agent.introMessage);
  const { steps, start } = assemble(tree, opening, agent.introMessage !== '');
  const merged = sameQuestion(steps, start, agent.introMessage);
  const purpose = readPurpose(parts.objective, agent.agentName);
  return {
    steps: merged ? withIntroQuestion(steps, start, agent.introMessage) : steps,
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
  if (inOrder(question, /\b(?:how|what)\b/i, /\b(?:help|assist|do for you)\b/i)) return 'open';
  if (!isLatin(question)) return 'yes_no';
  return expectedAnswer(question).answer === 'yes_no' ? 'yes_no' : 'open';
}

/** Whether the first message already contains the script's first question. */
function sameQuestion(steps: readonly Step[], start: number, intro: string): boolean {
  const first = steps[start];
  if (first?.type !== 'ask') return false;
  const question = sentences(intro).findLast((sentence) => /[?？؟]/.test(sentence));
  if (question === undefined) return false;
  if (isIdentity(question) && (first.identity || first.answer === 'name')) return true;
  if (isGoodTime(question) && isGoodTime(first.question)) return true;
  const left = new Set(words(question));
  const right = words(first.question);
  return right.length > 1 && right.filter((word) => left.has(word)).length / right.length >= 0.65;
}

/** "Confirm identity" after "Am I speaking with Ravi?": the step takes the first message's question. */
function withIntroQuestion(steps: readonly Step[], start: number, intro: string): Step[] {
  return steps.map((step, at) => {
    if (at !== start || step.type !== 'ask' || step.answer !== 'name') return step;
    const question = sentences(intro).findLast((sentence) => /[?？؟]/.test(sentence)) ?? step.question;
    return { ...step, question, answer: 'yes_no', slot: '', identity: true };
  });
}

const LABEL_BASE = 1000;

/** The program of a script: its steps and where it starts. `greeted`: the first message is the greeting. */
export function assemble(
  tree: readonly Node[],
  opening: Opening,
  greeted: boolean,
): { steps: readonly Step[]; start: number } {
  const assembly = new Assembly(greeted);
  const entry = assembly.assemble(tree, opening);
  return resolveLabels(assembly.steps, entry, assembly.labels);
}

/** Turns a tree into addressed steps, last to first, so that each step's successor exists before it. */
class Assembly {
  readonly steps: Step[] = [];
  readonly #greeted: boolean;
  readonly labels = new Map<number, number>();

  constructor(greeted: boolean) {
    this.#greeted = greeted;
  }

  assemble(tree: readonly Node[], opening: Opening): number {
    return this.#build(tree, END, opening);
  }

  #add(step: Step): number {
    if (this.steps.length >= MAX_STEPS * 4) return END;
    this.steps.push(step);
    return this.steps.length - 1;
  }

  #build(nodes: readonly Node[], next: number, opening: Opening = 'none'): number {
    let cursor = next;
    let ifs: Extract<Node, { type: 'if' }>[] = [];
    let between: Node[] = [];
    for (let at = nodes.length - 1; at >= 0; at--) {
      const node = nodes[at];
      if (!node) continue;
      if (node.type === 'if') {
        if (ifs.length > 0 && between.length > 0) {
          cursor = this.#build(between, this.#askCondition(ifs, cursor));
          ifs = [];
          between = [];
        }
        ifs.unshift(node);
      } else if (node.unit.type === 'ask' || node.unit.type === 'confirm') {
        cursor = this.#question(node.unit, ifs, between, cursor);
        ifs = [];
        between = [];
      } else if (ifs.length > 0 && node.unit.type !== 'goto') {
        between.unshift(node);
      } else {
        cursor = this.#unit(node.unit, cursor);
      }
      if (node.label !== null) this.labels.set(node.label, cursor);
    }
    if (ifs.length > 0) {
      const before = opening === 'none' || opening === 'open' ? null : opening;
      const branched = before === null ? this.#askCondition(ifs, cursor) : this.#openingBranches(ifs, cursor);
      cursor = between.length > 0 ? this.#build(between, branched) : branched;
    }
    return cursor;
  }

  #branches(ifs: readonly Extract<Node, { type: 'if' }>[], between: readonly Node[], next: number): Branch[] {
    return ifs.map((node) => {
      const to = this.#build([...between, ...node.body], next);
      if (node.label !== null && !this.labels.has(node.label)) this.labels.set(node.label, to);
      return { when: node.conditional.when, to };
    });
  }

  #question(
    unit: Extract<Unit, { type: 'ask' | 'confirm' }>,
    ifs: readonly Extract<Node, { type: 'if' }>[],
    between: readonly Node[],
    next: number,
  ): number {
    const branches = this.#branches(ifs, between, next);
    const follow = between.length > 0 ? this.#build(between, next) : next;
    return this.#add({ ...unit, branches, next: follow });
  }

  /** For branches without a question, asks the first condition that can be worded as one. */
  #askCondition(ifs: readonly Extract<Node, { type: 'if' }>[], next: number): number {
    // A condition without a consequence is not worth a question.
    const source = ifs.some(({ body }) => body.length > 0)
      ? ifs.find((node) => node.conditional.question !== null)
      : undefined;
    const question = source?.conditional.question ?? null;
    if (!source || question === null || !isSpeakable(question)) return next;
    const branches = this.#branches(ifs, [], next).map((branch, at): Branch => {
      return ifs[at] === source ? { ...branch, when: polarity(source.conditional.when) } : branch;
    });
    return this.#add({
      type: 'ask',
      question,
      answer: 'yes_no',
      choices: [],
      slot: '',
      identity: false,
      branches,
      next,
    });
  }

  /** Branches at the start belong to the question of the first message. */
  #openingBranches(ifs: readonly Extract<Node, { type: 'if' }>[], next: number): number {
    const branches = this.#branches(ifs, [], next);
    return this.#add({
      type: 'ask',
      question: '',
      answer: 'yes_no',
      choices: [],
      slot: '',
      identity: false,
      branches,
      next,
    });
  }

  #unit(unit: Unit, next: number): number {
    switch (unit.type) {
      case 'say':
      case 'thank':
        return this.#add({ type: 'say', text: unit.text, next });
      case 'close':
        return this.#add({ type: 'close', text: unit.text });
      case 'callback':
      case 'transfer':
        return this.#add({ type: unit.type, next });
      case 'tool':
        return this.#add({ type: 'tool', name: unit.name, next });
      case 'greet':
        return this.#greeted ? next : this.#add({ type: 'say', text: '', next });
      case 'goto':
        return -(LABEL_BASE + unit.label);
      case 'ask':
      case 'confirm':
      case 'list_follows':
      case 'skip':
        break;
    }
    return next;
  }
}

const polarity = (when: Condition): Condition =>
  when.type === 'no' || (when.type === 'words' && when.negative) || when.type === 'not_interested'
    ? { type: 'no' }
    : { type: 'yes' };

/** Replaces "go to step N" by that step's address; an unknown step ends the script. */
function resolveLabels(
  steps: readonly Step[],
  entry: number,
  labels: ReadonlyMap<number, number>,
): { steps: Step[]; start: number } {
  const resolve = (to: number): number => {
    let target = to;
    for (let hop = 0; hop < 10 && target <= -LABEL_BASE; hop++)
      target = labels.get(-target - LABEL_BASE) ?? END;
    return target <= -LABEL_BASE ? END : target;
  };
  const resolved = steps.map((step): Step => {
    if (step.type === 'close') return step;
    const next = resolve(step.next);
    if (step.type !== 'ask' && step.type !== 'confirm') return { ...step, next };
    return { ...step, next, branches: step.branches.map(({ when, to }) => ({ when, to: resolve(to) })) };
  });
  return { steps: resolved, start: resolve(entry) };
}
