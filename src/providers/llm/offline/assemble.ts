import { isSpeakable, type Unit } from './instruction.ts';
import { MAX_STEPS, type Node } from './read-script.ts';
import { END, type Branch, type Condition, type Opening, type Step } from './script.ts';

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

/** Turns a tree into addressed steps, from the end backwards, so that each step knows its successor. */
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
      if (node.label !== null) this.labels.set(node.label, cursor);
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
