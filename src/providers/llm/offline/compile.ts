import { isGoodTime, isIdentity, wantedBy } from './answer-kind.ts';
import { readConditional, type Conditional } from './condition.ts';
import { readFaqs } from './faq.ts';
import { isSpeakable, readInstruction, verbatim, type Unit } from './instruction.ts';
import { readNative } from './native.ts';
import { readPurpose } from './purpose.ts';
import {
  END,
  type Branch,
  type Condition,
  type Faq,
  type Opening,
  type Script,
  type Step,
} from './script.ts';
import { splitSections } from './sections.ts';
import { isLatin, sentences, words } from './text.ts';
import type { Wording } from './wording/types.ts';

type Node =
  | { type: 'unit'; unit: Unit; label: number | null }
  | { type: 'if'; conditional: Conditional; body: Node[]; label: number | null };

export interface Compilable {
  prompt: string;
  sections: readonly { title: string; content: string }[];
  introMessage: string;
  agentName: string;
  wording: Wording;
}

const MAX_STEPS = 80;

/** Compiles an agent's prompt into a script. Total: any text gives a script that ends. */
export function compile(agent: Compilable): Script {
  const parts = splitSections(agent.sections, agent.prompt);
  const faqs: Faq[] = [...readFaqs(parts.faqs), ...parts.samples];
  const tree = readScript(parts.script, faqs, agent.wording);
  for (const line of parts.guidelines.split('\n')) {
    for (const sentence of sentences(stripMarker(line).text)) addHandler(readConditional(sentence), faqs);
  }
  const builder = new Assembly(agent.introMessage !== '');
  const opening = openingOf(agent.introMessage);
  const { start: entry, labels } = builder.assemble(tree, opening);
  const { steps, start } = resolveLabels(builder.steps, entry, labels);
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

const MARKER =
  /^(\s*)(?:(?:#+\s*)?(?:step|question|point|q)\s*#?(\d{1,2})\s*[:.)\-–]?\s*|(\d{1,2})\s*[.):-]\s*|[-*•–▪◦]\s+|[a-z][.)]\s+|#+\s*)?/i;

function stripMarker(line: string): { indent: number; label: number | null; text: string; marked: boolean } {
  const match = MARKER.exec(line);
  const head = match?.[0] ?? '';
  const label = match?.[2] ?? match?.[3];
  return {
    indent: (match?.[1] ?? '').replace(/\t/g, '  ').length,
    label: label === undefined ? null : Number(label),
    text: line.slice(head.length, head.length + 2000).trim(),
    marked: head.trim() !== '',
  };
}

/** A title over lines of its own ("## Step 2: The offer") is not said; its number can still be gone to. */
function isHeading(line: string, next: string | undefined): boolean {
  if (next === undefined) return false;
  if (/^\s*#/.test(line)) return !/^\s*#/.test(next);
  const title = /^\s*step\s*\d+\s*[:.)–-]\s*([^.?!"“]{1,60})$/i.exec(line);
  return title !== null && (title[1] ?? '').split(/\s+/).length <= 6 && /^\s*[-*•–]/.test(next);
}

const REJOIN = /^(?:then|finally|after that|next|lastly|afterwards|once|in the end|at the end)\b/i;

/** Script text to a tree: branches own what stands on their line and what is indented below them. */
function readScript(script: string, faqs: Faq[], wording: Wording): Node[] {
  const root: Node[] = [];
  let stack: { indent: number; nodes: Node[]; empty: boolean }[] = [];
  let asking: number | null = null;
  const lines = script.split('\n').filter((line) => stripMarker(line).text !== '');
  for (const [number, raw] of lines.entries()) {
    const { indent, label, text, marked } = stripMarker(raw);
    if (isHeading(raw, lines[number + 1])) {
      stack = [];
      asking = null;
      root.push({ type: 'unit', unit: { type: 'skip' }, label });
      continue;
    }
    const parsed = sentences(text);
    const first = parsed[0] ?? '';
    const branching = readConditional(first) !== null || wording.readsBranch(first) !== null;
    stack = stack.filter(
      (open) =>
        open.indent < indent || (open.empty && open.nodes.length === 0 && !branching && label === null),
    );
    if (asking !== null && (label !== null || indent < asking) && indent <= asking) asking = null;
    const lineStack = [...stack];
    let inBranch: Node[] | null = null;
    for (const sentence of parsed) {
      const target = inBranch ?? lineStack.at(-1)?.nodes ?? root;
      const native = wording.readsBranch(sentence);
      const conditional: Conditional | null =
        native === null
          ? readConditional(sentence)
          : { when: native.when, question: null, asks: null, body: native.body };
      if (conditional) {
        if (addHandler(conditional, faqs)) continue;
        const body = conditional.body === '' ? [] : units(conditional.body, asking !== null, null, wording);
        (lineStack.at(-1)?.nodes ?? root).push({ type: 'if', conditional, body, label });
        inBranch = body;
        stack = [...lineStack, { indent, nodes: body, empty: true }];
        continue;
      }
      if (inBranch && REJOIN.test(sentence)) {
        inBranch = null;
        stack = lineStack;
        (lineStack.at(-1)?.nodes ?? root).push(...units(sentence, asking !== null, null, wording));
        continue;
      }
      const read = units(sentence, asking !== null, inBranch ? null : label, wording);
      if (read.some((node) => node.type === 'unit' && node.unit.type === 'list_follows'))
        asking = indent + (marked ? 1 : 0);
      target.push(...read);
    }
    if (size(root) > MAX_STEPS) break;
  }
  return root;
}

const size = (nodes: readonly Node[]): number =>
  nodes.reduce((sum, node) => sum + 1 + (node.type === 'if' ? size(node.body) : 0), 0);

/** "If they ask about the price, say …" is an answer at any time: a FAQ. */
function addHandler(conditional: Conditional | null, faqs: Faq[]): boolean {
  if (!conditional || conditional.asks === null || conditional.body === '') return false;
  const answer = readInstruction(conditional.body, false)
    .flatMap((unit) => (unit.type === 'say' ? [unit.text] : unit.type === 'ask' ? [unit.question] : []))
    .join(' ');
  if (answer !== '') faqs.push({ question: conditional.asks, answer });
  return answer !== '';
}

function units(sentence: string, asking: boolean, label: number | null, wording: Wording): Node[] {
  return read(sentence, asking, wording)
    .filter((unit) => unit.type !== 'skip')
    .filter((unit) => !('text' in unit) || unit.type === 'close' || isSpeakable(unit.text))
    .map((unit) => ('question' in unit && !isSpeakable(unit.question) ? GENERIC : unit))
    .map((unit): Node => ({ type: 'unit', unit, label }));
}

function read(sentence: string, asking: boolean, wording: Wording): Unit[] {
  const speaker = /^(?:agent|bot|assistant|ai|you)\s*:\s*(.+)$/i.exec(sentence);
  if (speaker) return sentences(speaker[1] ?? '').map(verbatim);
  if (wording.locale === 'en') return readInstruction(sentence, asking);
  if (!isLatin(sentence) || (wording.locale === 'ms' && !isEnglish(sentence)))
    return readNative(sentence, wording);
  const quoted = /["“]/.test(sentence);
  return readInstruction(sentence, asking).flatMap((unit) => (quoted ? [unit] : localised(unit, wording)));
}

/** English instructions to an agent that speaks another language: questions it has its own words for are put so. */
function localised(unit: Unit, wording: Wording): Unit[] {
  if (unit.type === 'thank') return [];
  if (unit.type !== 'ask') return [unit];
  const { answer } = unit;
  const known =
    answer === 'date' || answer === 'time' || answer === 'number' || answer === 'digits' || answer === 'name';
  return [known ? { ...unit, question: wording.ask[answer], slot: '' } : unit];
}

const isEnglish = (sentence: string): boolean =>
  /\b(?:the|ask|tell|and|if|you|them|your|their|confirm|say|thank|greet|end)\b/i.test(sentence);

const GENERIC: Unit = {
  type: 'ask',
  question: 'Could you tell me a little more about that?',
  answer: 'free',
  choices: [],
  slot: '',
  identity: false,
};

const LABEL_BASE = 1000;

/** Turns a tree into addressed steps, from the end backwards, so that each step knows its successor. */
class Assembly {
  readonly steps: Step[] = [];
  readonly #greeted: boolean;
  readonly #labels = new Map<number, number>();

  constructor(greeted: boolean) {
    this.#greeted = greeted;
  }

  assemble(tree: readonly Node[], opening: Opening): { start: number; labels: ReadonlyMap<number, number> } {
    const start = this.#build(tree, END, opening);
    return { start, labels: this.#labels };
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
          cursor = this.#build(between, this.#unasked(ifs, cursor));
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
      if (node.label !== null) this.#labels.set(node.label, cursor);
    }
    if (ifs.length > 0) {
      const before = opening === 'none' || opening === 'open' ? null : opening;
      const branched = before === null ? this.#unasked(ifs, cursor) : this.#openingBranches(ifs, cursor);
      cursor = between.length > 0 ? this.#build(between, branched) : branched;
    }
    return cursor;
  }

  #branches(ifs: readonly Extract<Node, { type: 'if' }>[], between: readonly Node[], next: number): Branch[] {
    return ifs.map((node) => {
      const to = this.#build([...between, ...node.body], next);
      if (node.label !== null && !this.#labels.has(node.label)) this.#labels.set(node.label, to);
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

  /** Branches without a question: the first condition that makes one is asked. */
  #unasked(ifs: readonly Extract<Node, { type: 'if' }>[], next: number): number {
    const asked = ifs.find((node) => node.conditional.question !== null);
    const question = asked?.conditional.question ?? null;
    if (!asked || question === null || !isSpeakable(question)) return next;
    const branches = this.#branches(ifs, [], next).map((branch, at): Branch => {
      return ifs[at] === asked ? { ...branch, when: polarity(asked.conditional.when) } : branch;
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

  /** Branches at the very start belong to what the first message asked. */
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
