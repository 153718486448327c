import { hasPhrase, normal, type CallerLine } from '@callwright/language';
import { speakable } from '../../prompt/leave-out.ts';
import { edgesOf, linesOf, type FlowEdge, type TalkNode } from '../document.ts';
import type { Draft } from './draft.ts';
import { forSpeech } from './program.ts';
import type { Target } from './state.ts';

/** Has the model lead by a node's prompt. */
export function talk(draft: Draft, node: TalkNode): void {
  const { program, state } = draft;
  const targets: Target[] = [
    ...edgesOf(node).flatMap(({ to, when, examples = [] }) =>
      when === undefined ? [] : [{ to, when, examples }],
    ),
    ...program.global.map(({ id: to, when, examples }) => ({ to, when, examples })),
  ];
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

/** Whether a `normal` line has an example. */
export const isSaid = (said: string, example: string): boolean =>
  normal(example) !== '' && hasPhrase(said, normal(example));
