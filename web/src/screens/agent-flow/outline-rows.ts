import { edgesIn, stepsIn, type FlowDocument } from './flow-document.ts';
import { editFlow, type FlowEdit } from './flow-edit.ts';

/** A row of the outline: a step, or an edge of it. */
export interface Row {
  readonly step: number;
  readonly edge: number | null;
}

/** The rows in the order of the screen: each step before its edges. */
export const rowsOf = (flow: FlowDocument): readonly Row[] =>
  stepsIn(flow).flatMap((each, step) => [
    { step, edge: null },
    ...edgesIn(each).map((_, edge) => ({ step, edge })),
  ]);
export const isSameRow = (a: Row, b: Row): boolean => a.step === b.step && a.edge === b.edge;

/** The row of the flow that is nearest to one that may have gone. */
export function clampRow(flow: FlowDocument, row: Row): Row {
  const steps = stepsIn(flow);
  const step = Math.max(0, Math.min(row.step, steps.length - 1));
  const count = steps[step] === undefined ? 0 : edgesIn(steps[step]).length;
  const edge = row.edge === null || step !== row.step || count === 0 ? null : Math.min(row.edge, count - 1);
  return { step, edge };
}

/** The row that a change adds or moves, or that comes in place of a deleted one; null: the selection stays. */
export function rowAfter(flow: FlowDocument, edit: FlowEdit): Row | null {
  const count = flow.nodes.length;
  const steps = stepsIn(flow);
  switch (edit.does) {
    case 'add':
      return { step: Math.min(edit.after === null ? count : edit.after + 1, count), edge: null };
    case 'move':
      return editFlow(flow, edit) === flow ? null : { step: edit.step + edit.by, edge: null };
    case 'globalise':
      return { step: edit.step < count ? steps.length - 1 : count, edge: null };
    case 'delete':
      return { step: Math.max(0, Math.min(edit.step, steps.length - 2)), edge: null };
    case 'add_edge':
      return { step: edit.step, edge: steps[edit.step]?.edges?.length ?? 0 };
    case 'move_edge':
      return editFlow(flow, edit) === flow ? null : { step: edit.step, edge: edit.edge + edit.by };
    case 'delete_edge':
    case 'rename':
    case 'retype':
    case 'set':
    case 'set_edge':
    case 'start':
    case 'stuck':
    case 'variables':
  }
  return null;
}
