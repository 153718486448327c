import { readConditional, type Conditional } from './condition.ts';
import { readInstruction } from './instruction.ts';
import { isSpeakable, verbatim, type Unit } from './unit.ts';
import { readNative } from './native-line.ts';
import type { Wording } from './wording.ts';
import { sentences } from '@callwright/language';
import { isLatin } from './text.ts';
import { toolNamed } from './tools.ts';
import type { Faq } from './script.ts';

/** A script's syntax tree: units in order, and branches with their bodies. */
export type Node =
  | { type: 'unit'; unit: Unit; label: number | null }
  | { type: 'if'; conditional: Conditional; body: Node[]; label: number | null };

/** Bound on script size; no call reaches it. */
export const MAX_STEPS = 80;

const MARKER =
  /^(\s*)(?:(?:#+\s*)?(?:step|question|point|q)\s*#?(\d{1,2})\s*[:.)\-–]?\s*|(\d{1,2})\s*[.):-]\s*|[-*•–▪◦]\s+|[a-z][.)]\s+|#+\s*)?/i;

export function stripMarker(line: string): {
  indent: number;
  label: number | null;
  text: string;
  marked: boolean;
} {
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

/** A title over lines of its own ("## Step 2: The offer") is not spoken; "go to step N" can still target it. */
function isHeading(line: string, next: string | undefined): boolean {
  if (next === undefined) return false;
  if (/^\s*#/.test(line)) return !/^\s*#/.test(next);
  const title = /^\s*step\s*\d+\s*[:.)–-]\s*([^.?!"“]{1,60})$/i.exec(line);
  return title !== null && (title[1] ?? '').split(/\s+/).length <= 6 && /^\s*[-*•–]/.test(next);
}

const REJOIN = /^(?:then|finally|after that|next|lastly|afterwards|once|in the end|at the end)\b/i;

/** Learns what became of a script: each sentence with what was read and what is left of it, and each step's number. */
export interface ScriptNotes {
  sentence(sentence: string, read: readonly Unit[], kept: readonly Unit[]): void;
  label(label: number): void;
}
const NO_NOTES: ScriptNotes = { sentence: () => undefined, label: () => undefined };

/** Parses script text into a tree: a branch owns the rest of its line and the lines indented below it. */
export function readScript(
  script: string,
  faqs: Faq[],
  wording: Wording,
  notes: ScriptNotes = NO_NOTES,
): Node[] {
  const root: Node[] = [];
  let stack: { indent: number; nodes: Node[]; empty: boolean }[] = [];
  let asking: number | null = null;
  const lines = script.split('\n').filter((line) => {
    const { text, label } = stripMarker(line);
    return text !== '' || label !== null;
  });
  for (const [number, raw] of lines.entries()) {
    const { indent, label, text, marked } = stripMarker(raw);
    if (label !== null) notes.label(label);
    // A step whose words lack their values is skipped, and "go to step N" still finds what follows it.
    if (text === '' || isHeading(raw, lines[number + 1])) {
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
          : { when: native.when, question: null, subject: null, body: native.body };
      if (conditional) {
        if (addHandler(conditional, faqs)) continue;
        const body =
          conditional.body === '' ? [] : units(conditional.body, asking !== null, null, wording, notes);
        (lineStack.at(-1)?.nodes ?? root).push({ type: 'if', conditional, body, label });
        inBranch = body;
        stack = [...lineStack, { indent, nodes: body, empty: true }];
        continue;
      }
      if (inBranch && REJOIN.test(sentence)) {
        inBranch = null;
        stack = lineStack;
        (lineStack.at(-1)?.nodes ?? root).push(...units(sentence, asking !== null, null, wording, notes));
        continue;
      }
      const read = units(sentence, asking !== null, inBranch ? null : label, wording, notes);
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

/** "If they ask about the price, say …" applies at any point, so it becomes a FAQ. */
export function addHandler(conditional: Conditional | null, faqs: Faq[]): boolean {
  if (!conditional || conditional.subject === null || conditional.body === '') return false;
  const answer = readInstruction(conditional.body, false)
    .flatMap((unit) => (unit.type === 'say' ? [unit.text] : unit.type === 'ask' ? [unit.question] : []))
    .join(' ');
  if (answer !== '') faqs.push({ question: conditional.subject, answer });
  return answer !== '';
}

function units(
  sentence: string,
  asking: boolean,
  label: number | null,
  wording: Wording,
  notes: ScriptNotes,
): Node[] {
  const found = read(sentence, asking, wording);
  const kept = found.map(speakable);
  notes.sentence(sentence, found, kept);
  return kept.filter(({ type }) => type !== 'skip').map((unit): Node => ({ type: 'unit', unit, label }));
}

/** Text that still reads as an instruction is not spoken. */
function speakable(unit: Unit): Unit {
  if ('text' in unit && unit.type !== 'close' && !isSpeakable(unit.text)) return { type: 'skip' };
  return 'question' in unit && !isSpeakable(unit.question) ? GENERIC : unit;
}

function read(sentence: string, asking: boolean, wording: Wording): Unit[] {
  const tool = toolNamed(sentence);
  if (tool !== null) return [{ type: 'tool', name: tool }];
  const speaker = /^(?:agent|bot|assistant|ai|you)\s*:\s*(\S.*)$/is.exec(sentence);
  if (speaker) return sentences(speaker[1] ?? '').map(verbatim);
  if (wording.locale === 'en') return readInstruction(sentence, asking);
  if (!isLatin(sentence) || (wording.locale === 'ms' && !isEnglish(sentence)))
    return readNative(sentence, wording);
  const romanised = wording.romanised(sentence);
  if (romanised !== null) return readNative(sentence, romanised);
  const quoted = /["“]/.test(sentence);
  return readInstruction(sentence, asking).flatMap((unit) => (quoted ? [unit] : localised(unit, wording)));
}

/** English instructions for an agent of another language: replaces questions that the phrase table can word. */
function localised(unit: Unit, wording: Wording): Unit[] {
  if (unit.type === 'thank') return [];
  if (unit.type !== 'ask') return [unit];
  const { answer } = unit;
  const known =
    answer === 'date' || answer === 'time' || answer === 'number' || answer === 'digits' || answer === 'name';
  return [known ? { ...unit, question: wording.script.ask[answer], slot: '' } : unit];
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
