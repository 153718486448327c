import { STEP_KINDS, stepsIn, type FlowDocument, type StepKind } from './flow-document.ts';
import type { FlowEdit } from './flow-edit.ts';
import { isSameRow, rowsOf, type Row } from './outline-rows.ts';

export interface Press {
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** What a key does in the outline. `form` moves the focus to the form of the row, `name` to the name of the step. */
export type Command =
  | { readonly does: 'select'; readonly row: Row }
  | { readonly does: 'edit'; readonly edit: FlowEdit }
  | { readonly does: 'form' | 'name' | 'undo' | 'redo' };

/** The kind of step that a number key adds: 1 for the first. */
const kindOf = (key: string): StepKind | undefined =>
  /^[1-9]$/.test(key) ? STEP_KINDS[Number(key) - 1] : undefined;

/** What a press does while the outline has the focus; null: nothing. */
export function commandOf(flow: FlowDocument, row: Row, press: Press, mayEdit: boolean): Command | null {
  const { key } = press;
  if (press.ctrl) {
    const letter = key.toLowerCase();
    if (!mayEdit || press.alt || (letter !== 'z' && letter !== 'y')) return null;
    return { does: letter === 'y' || press.shift ? 'redo' : 'undo' };
  }
  if (press.alt) return mayEdit ? moveCommand(row, key) : null;
  const target = targetOf(flow, row, key);
  if (target !== null) return { does: 'select', row: target };
  if (key === 'Enter') return stepsIn(flow).length === 0 ? null : { does: 'form' };
  return mayEdit ? editCommand(flow, row, key) : null;
}

function targetOf(flow: FlowDocument, row: Row, key: string): Row | null {
  const rows = rowsOf(flow);
  const at = rows.findIndex((each) => isSameRow(each, row));
  const clamped = (index: number): Row | null => rows[Math.max(0, Math.min(index, rows.length - 1))] ?? null;
  if (key === 'ArrowDown') return clamped(at + 1);
  if (key === 'ArrowUp') return clamped(at - 1);
  if (key === 'Home') return clamped(0);
  if (key === 'End') return clamped(rows.length - 1);
  if (key === 'ArrowLeft') return row.edge === null ? null : { step: row.step, edge: null };
  if (key === 'ArrowRight' && row.edge === null)
    return rows.find(({ step, edge }) => step === row.step && edge === 0) ?? null;
  return null;
}

function moveCommand({ step, edge }: Row, key: string): Command | null {
  const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null;
  if (by === null) return null;
  const edit: FlowEdit = edge === null ? { does: 'move', step, by } : { does: 'move_edge', step, edge, by };
  return { does: 'edit', edit };
}

function editCommand(flow: FlowDocument, { step, edge }: Row, key: string): Command | null {
  const steps = stepsIn(flow);
  const kind = kindOf(key);
  if (kind !== undefined) {
    const after = steps.length === 0 ? null : step;
    return { does: 'edit', edit: { does: 'add', kind, after } };
  }
  const here = steps[step];
  if (here === undefined) return null;
  if (key === 'F2') return { does: 'name' };
  if (key === 'e')
    return { does: 'edit', edit: { does: 'add_edge', step, to: (steps[step + 1] ?? here).id } };
  if (key !== 'Delete') return null;
  const edit: FlowEdit = edge === null ? { does: 'delete', step } : { does: 'delete_edge', step, edge };
  return { does: 'edit', edit };
}
