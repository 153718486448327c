import { asideIn, hasPhrase, intentOf, normal, type CallerLine } from '@callwright/language';
import { speakable } from '../../prompt/leave-out.ts';
import { edgesOf, linesOf, type FlowEdge, type TalkNode } from '../document.ts';
import type { Draft } from './draft.ts';
import { forSpeech, type FlowProgram } from './program.ts';
import type { Meant, Target } from './state.ts';
import { taskTargets } from './tasks.ts';

/** Has the model lead by a node's prompt. */
export function talk(draft: Draft, node: TalkNode): void {
  const { program, state } = draft;
  const targets = [...waysFrom(program, node.id), ...taskTargets(program, node)];
  const prompt = speakable(node.prompt, forSpeech(program, state.values), program.wording.language);
  const edge = state.reads?.to === node.id ? state.reads : null;
  const forget = edge?.forget ?? node.forget ?? [];
  const context = edge?.context ?? node.context;
  const [earlier, isSummary] = [linesOf(context), context === 'summary'];
  const { tools = null, knowledge: bases, model = null } = node;
  const knowledge = bases?.map((id) => id.toLowerCase()) ?? null;
  draft.effects.push({
    type: 'model',
    node: node.id,
    prompt,
    targets,
    earlier,
    isSummary,
    forget,
    tools,
    knowledge,
    model,
  });
}

/** The edge that the caller's words take by its examples, where no model judges. */
export const exemplified = ({ program }: Draft, node: TalkNode, line: CallerLine): FlowEdge | undefined => {
  if (program.hasModel || line.by === 'keypad') return undefined;
  const said = normal(line.text);
  return edgesOf(node).find(
    ({ when, examples = [] }) => when !== undefined && examples.some((each) => isSaid(said, each)),
  );
};

/** Whether the meaning of the caller's words may choose a way: they are no key, no greeting and no request of every flow. */
export function mayMean({ program }: Draft, line: CallerLine): boolean {
  const { table } = program.wording;
  if (program.hasModel || line.by === 'keypad') return false;
  return asideIn(line.text, table) === null && intentOf(line.text, table) === null;
}

/** The edge of a talk that the caller's words mean. */
export const edgeMeant = (node: TalkNode, meant: Meant | null): FlowEdge | undefined =>
  meant?.node === node.id
    ? edgesOf(node).find(({ when, to }) => when !== undefined && to === meant.to)
    : undefined;

/** The ways that the meaning of words may take at a node: edges with `when` of a talk, and the global nodes. */
export function waysFrom({ nodes, global }: FlowProgram, id: string): readonly Target[] {
  const node = nodes.get(id);
  const own = node?.type === 'talk' ? edgesOf(node) : [];
  return [
    ...own.flatMap(({ to, when, examples = [] }) => (when === undefined ? [] : [{ to, when, examples }])),
    ...global.map(({ id: to, when, examples }) => ({ to, when, examples })),
  ];
}

/** Whether a `normal` line has an example. */
export const isSaid = (said: string, example: string): boolean =>
  normal(example) !== '' && hasPhrase(said, normal(example));
