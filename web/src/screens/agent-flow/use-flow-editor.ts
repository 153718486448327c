import { useState } from 'react';
import type { Form } from '../../drafts/use-draft.ts';
import { readDocument, stepsIn, type FlowDocument } from './flow-document.ts';
import { editFlow, EMPTY_FLOW, type FlowEdit } from './flow-edit.ts';
import { record, redo, startHistory, undo, type History } from './flow-history.ts';
import { flowText, readFlowText } from './flow-text.ts';
import { clampRow, rowAfter, type Row } from './outline-rows.ts';

/** What the editor of a flow shows, and how it changes. */
export interface FlowEditor {
  /** The document as JSON; null: no flow, undefined: the text is no JSON. */
  readonly flow: unknown;
  /** Why the text is no JSON. */
  readonly problem: string | undefined;
  /** What the outline shows; null: the document has another form. */
  readonly document: FlowDocument | null;
  readonly row: Row;
  readonly select: (row: Row) => void;
  /** `mark` names the field typed into: its letters are undone together. */
  readonly edit: (edit: FlowEdit, mark?: string) => void;
  readonly write: (text: string, mark?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly mayUndo: boolean;
  readonly mayRedo: boolean;
}

export function useFlowEditor(form: Form<string>): FlowEditor {
  const [kept, setHistory] = useState(() => startHistory(form.draft));
  const [wanted, select] = useState<Row>({ step: 0, edge: null });
  // What the form discarded or stored is a change, too: undo goes back behind it.
  const history = record(kept, form.draft);
  const { flow, problem } = readFlowText(form.draft);
  const document = flow === null ? EMPTY_FLOW : readDocument(flow);
  const commit = (next: History<string>): void => {
    if (next.now !== form.draft) form.replace(next.now);
    setHistory(next);
  };
  const write = (text: string, mark: string | null = null): void => commit(record(history, text, mark));
  return {
    flow,
    problem,
    document,
    row: document === null ? wanted : clampRow(document, wanted),
    select,
    edit: (edit, mark) => {
      if (document === null) return;
      const next = editFlow(document, edit);
      if (next === document) return;
      const isNone = stepsIn(next).length === 0 && next.variables === undefined;
      write(isNone ? '' : flowText(next), mark);
      const row = rowAfter(document, edit);
      if (row !== null) select(row);
    },
    write,
    undo: () => commit(undo(history)),
    redo: () => commit(redo(history)),
    mayUndo: history.past.length > 0,
    mayRedo: history.future.length > 0,
  };
}
