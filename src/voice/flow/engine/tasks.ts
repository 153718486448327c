import { edgesOf, tasksOf, type FlowNode, type TalkNode } from '../document.ts';
import type { Draft } from './draft.ts';
import type { FlowProgram } from './program.ts';
import { STEP_LIMITS, type Target } from './state.ts';

/** The talk that a task goes back to; undefined: the node is no task that a talk has started. */
export function talkOf({ program, state }: Draft, node: FlowNode): string | undefined {
  const before = program.nodes.get(state.back.at(-1) ?? '');
  return before !== undefined && tasksOf(before).includes(node.id) ? before.id : undefined;
}

/** Starts a task of a talk; its node. */
export function startTask(draft: Draft, node: TalkNode, id: string): string {
  const { back, tasks = [] } = draft.state;
  const key = `${node.id}/${id}`;
  draft.change({
    back: [...back.slice(1 - STEP_LIMITS.back), node.id],
    tasks: tasks.includes(key) ? tasks : [...tasks, key],
    verifying: null,
  });
  draft.moved(node.id, id, 'task');
  return id;
}

/** The next task that a talk without a model asks: the first one whose value is missing, each once. */
export function nextTask({ program, state }: Draft, node: TalkNode): string | undefined {
  if (program.hasModel) return undefined;
  return tasksOf(node).find((id) => {
    const task = program.nodes.get(id);
    const isOpen = task?.type === 'collect' && state.values[task.variable] === undefined;
    return isOpen && state.tasks?.includes(`${node.id}/${id}`) !== true;
  });
}

/** The tasks of a talk as its model may start them. */
export const taskTargets = ({ nodes, variables }: FlowProgram, node: TalkNode): Target[] =>
  tasksOf(node).flatMap((id) => {
    const task = nodes.get(id);
    if (task?.type !== 'collect') return [];
    const { description, name = task.variable } = variables.get(task.variable) ?? {};
    const value = JSON.stringify(description ?? name.replaceAll('_', ' '));
    return [{ to: id, when: `gives, corrects or has to be asked for: ${value}`, examples: [] }];
  });

/** Whether a node is a task of a talk, and no edge leads to it. */
export const isTaskAlone = (nodes: readonly FlowNode[], { id }: Pick<FlowNode, 'id'>): boolean =>
  nodes.some((node) => tasksOf(node).includes(id)) &&
  !nodes.some((node) => edgesOf(node).some(({ to }) => to === id));
