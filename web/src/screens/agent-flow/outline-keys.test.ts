import {
  array,
  assert,
  boolean,
  constantFrom,
  property,
  record as recordOf,
  string,
  oneof,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLOW_TEMPLATES } from '../../../../src/shared/flow-templates/list.ts';
import { EMPTY_FLOW, editFlow } from './flow-edit.ts';
import type { FlowDocument } from './flow-document.ts';
import { commandOf, type Press } from './outline-keys.ts';
import { clampRow, isSameRow, rowAfter, rowsOf, type Row } from './outline-rows.ts';

const flow: FlowDocument = {
  start: 'a',
  nodes: [
    { id: 'a', type: 'say', text: 'Hello.', edges: [{ to: 'b' }, { to: 'c' }] },
    { id: 'b', type: 'end' },
    { id: 'c', type: 'end' },
  ],
};
const press = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  ctrl: false,
  alt: false,
  shift: false,
  ...held,
});
const at = (step: number, edge: number | null = null): Row => ({ step, edge });

describe('keys of the outline', () => {
  it('move through the steps and edges in the order of the screen', () => {
    const visited = [at(0)];
    for (let count = 0; count < 5; count += 1) {
      const command = commandOf(flow, visited.at(-1)!, press('ArrowDown'), false);
      if (command?.does === 'select') visited.push(command.row);
    }
    expect(visited).toEqual([at(0), at(0, 0), at(0, 1), at(1), at(2), at(2)]);
    expect(commandOf(flow, at(0, 1), press('ArrowLeft'), false)).toEqual({ does: 'select', row: at(0) });
    expect(commandOf(flow, at(0), press('ArrowRight'), false)).toEqual({ does: 'select', row: at(0, 0) });
    expect(commandOf(flow, at(0), press('End'), false)).toEqual({ does: 'select', row: at(2) });
    expect(commandOf(flow, at(2), press('Home'), false)).toEqual({ does: 'select', row: at(0) });
  });

  it('add, delete, move, rename and undo', () => {
    const editOf = (row: Row, pressed: Press): unknown => {
      const command = commandOf(flow, row, pressed, true);
      return command?.does === 'edit' ? command.edit : command;
    };
    expect(editOf(at(1), press('2'))).toEqual({ does: 'add', kind: 'say', after: 1 });
    expect(editOf(at(0), press('e'))).toEqual({ does: 'add_edge', step: 0, to: 'b' });
    expect(editOf(at(0, 1), press('Delete'))).toEqual({ does: 'delete_edge', step: 0, edge: 1 });
    expect(editOf(at(2), press('Delete'))).toEqual({ does: 'delete', step: 2 });
    expect(editOf(at(2), press('ArrowUp', { alt: true }))).toEqual({ does: 'move', step: 2, by: -1 });
    expect(editOf(at(0, 0), press('ArrowDown', { alt: true }))).toEqual({
      does: 'move_edge',
      step: 0,
      edge: 0,
      by: 1,
    });
    expect(editOf(at(0), press('F2'))).toEqual({ does: 'name' });
    expect(editOf(at(0), press('Enter'))).toEqual({ does: 'form' });
    expect(editOf(at(0), press('z', { ctrl: true }))).toEqual({ does: 'undo' });
    expect(editOf(at(0), press('Z', { ctrl: true, shift: true }))).toEqual({ does: 'redo' });
    expect(editOf(at(0), press('y', { ctrl: true }))).toEqual({ does: 'redo' });
    expect(commandOf(EMPTY_FLOW, at(0), press('9'), true)).toEqual({
      does: 'edit',
      edit: { does: 'add', kind: 'end', after: null },
    });
  });

  it('change nothing for those who may only read', () => {
    for (const pressed of [
      press('2'),
      press('e'),
      press('Delete'),
      press('F2'),
      press('z', { ctrl: true }),
    ]) {
      expect(commandOf(flow, at(0), pressed, false)).toBeNull();
    }
    expect(commandOf(flow, at(0), press('ArrowDown', { alt: true }), false)).toBeNull();
  });

  it('keep a row of the flow selected, whatever is pressed', () => {
    const keys = oneof(
      constantFrom(
        'ArrowDown',
        'ArrowUp',
        'ArrowLeft',
        'ArrowRight',
        'Home',
        'End',
        'Enter',
        'F2',
        'e',
        'Delete',
      ),
      constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '9', '0'),
      string({ minLength: 1, maxLength: 1 }),
    );
    const presses = array(
      recordOf({ key: keys, ctrl: constantFrom(false, false, true), alt: boolean(), shift: boolean() }),
      {
        maxLength: 60,
      },
    );
    const documents = constantFrom(
      EMPTY_FLOW,
      ...FLOW_TEMPLATES.map((each) => each.flow as unknown as FlowDocument),
    );
    assert(
      property(documents, presses, (start, list) => {
        let [now, row] = [start, at(0)];
        for (const pressed of list) {
          const command = commandOf(now, row, pressed, true);
          if (command?.does === 'select') row = command.row;
          if (command?.does === 'edit') {
            const selected = rowAfter(now, command.edit) ?? row;
            now = editFlow(now, command.edit);
            row = clampRow(now, selected);
          }
          const rows = rowsOf(now);
          expect(rows.length === 0 || rows.some((each) => isSameRow(each, row))).toBe(true);
        }
      }),
    );
  });
});
