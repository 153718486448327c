import { useState, type ReactNode } from 'react';
import { Ago } from '../../ui/ago.tsx';
import { useColumns } from '../../ui/column-picker.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, RowActions } from '../../ui/controls.tsx';
import { CountedArea } from '../../ui/counted-area.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Elapsed } from '../../ui/elapsed.tsx';
import { ChoiceFilter } from '../../ui/filters/choices.tsx';
import { FilterEditor, MenuButtons } from '../../ui/filters/filter-editor.tsx';
import { FilterSheet } from '../../ui/filters/filter-sheet.tsx';
import type { ListFilter } from '../../ui/filters/list-filter.ts';
import { ListFilters } from '../../ui/filters/list-filters.tsx';
import { Time } from '../../ui/format.tsx';
import { Badge, Card } from '../../ui/page.tsx';
import type { Pair } from '../../ui/pairs.ts';
import { IdText } from '../../ui/id-text.tsx';
import { PairsField } from '../../ui/pairs-field.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { PhoneRows, type PhoneRow } from '../../ui/phone-rows.tsx';
import { ReadCheck, ReadChoice, ReadValue } from '../../ui/read-value.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SheetButton } from '../../ui/sheet-button.tsx';
import { Table } from '../../ui/table.tsx';
import { TypedDialog } from '../../ui/typed-dialog.tsx';

const AT = '2026-01-05T10:00:00.000Z';
const DIALOGS = ['dialog', 'question', 'typed question', 'sheet'] as const;
const CHOICES = [
  ['completed', 'Completed'],
  ['failed', 'Failed'],
] as const;
const ROWS = [{ name: 'Alice Moore', state: 'Completed' }];
const phoneRow = ({ name, state }: (typeof ROWS)[number]): PhoneRow => ({
  title: name,
  state: <Badge>{state}</Badge>,
  detail: '+1 415 555 0123',
  time: <Time iso={AT} isBrief />,
});

/** Filters, dialogs and fields of lists. */
export function MorePrimitives(): ReactNode {
  const [opened, setOpened] = useState<(typeof DIALOGS)[number] | null>(null);
  const [pairs, setPairs] = useState<readonly Pair[]>([['X-Account', '42']]);
  const [text, setText] = useState('Longer than its limit.');
  const [choice, setChoice] = useState('');
  const { shown, picker } = useColumns('design', [
    { title: 'Person', cell: ({ name }: (typeof ROWS)[number]) => name },
    { title: 'State', cell: ({ state }: (typeof ROWS)[number]) => <Badge>{state}</Badge> },
    {
      title: 'Action',
      cell: () => (
        <RowActions>
          <Button>Change</Button>
        </RowActions>
      ),
    },
  ]);
  const close = (): void => setOpened(null);
  const filters: ListFilter[] = [
    { name: 'state', label: 'State', value: choice, kind: 'choice', options: CHOICES },
    { name: 'day', label: 'Day', value: '', kind: 'day' },
  ];
  return (
    <>
      <Card title="Filters and columns">
        <div className="flex flex-col gap-4">
          <ListFilters
            filters={filters}
            search={{ label: 'Name', value: '', onApply: () => undefined }}
            onChange={(_, value) => setChoice(value)}
            onClear={() => setChoice('')}
          />
          <div className="grid items-start gap-4 sm:grid-cols-4">
            <ChoiceFilter label="State" value={choice} options={CHOICES} onChange={setChoice} />
            <SearchField label="Number" value="" onApply={() => undefined} />
            {filters.map((filter) => (
              <FilterEditor key={filter.name} filter={filter} onApply={setChoice} />
            ))}
            <MenuButtons
              label="Menu"
              buttons={[{ key: 'sheet', name: 'Open a sheet', press: () => setOpened('sheet') }]}
            />
          </div>
          {picker}
          <Table
            caption="Chosen columns"
            columns={shown}
            rows={ROWS}
            keyOf={({ name }) => name}
            phone={phoneRow}
          />
          <PhoneRows caption="Rows of a phone" rows={ROWS} keyOf={({ name }) => name} show={phoneRow} />
          <IdText id="0199a3f2-7c1e-7d31-9d55-0b1c2d3e4f50" name="Copy the id of the call" />
          <SheetButton sheet={{ name: 'Design', columns: ['Person'], rows: [['Alice Moore']] }} />
        </div>
      </Card>
      <Card title="Times">
        <p className="flex flex-wrap gap-4">
          <Time iso={AT} />
          <Time iso={AT} isBrief />
          <Time iso={null} />
          <Ago iso={AT} />
          <Elapsed since={new Date().toISOString()} />
        </p>
      </Card>
      <Card title="Fields of long texts and pairs">
        <div className="flex flex-col gap-4">
          <CountedArea
            label="Over its limit"
            limit={10}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <PairsField label="Headers" nameLabel="Name" valueLabel="Value" pairs={pairs} onChange={setPairs} />
          <PairsField
            label="Headers that stay"
            nameLabel="Fixed name"
            valueLabel="Fixed value"
            pairs={pairs}
            readOnly
            onChange={setPairs}
          />
        </div>
      </Card>
      <Card title="Values that the reader cannot change">
        <div className="flex flex-col gap-4">
          <ReadValue label="First message" hint="It opens every call.">
            Hello, this is Maya.
          </ReadValue>
          <ReadValue label="Note">{''}</ReadValue>
          <ReadChoice label="State" value="failed">
            {CHOICES.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </ReadChoice>
          <ReadCheck label="Record calls" isSet />
          <ReadCheck label="Detect voicemail" isSet={false} />
        </div>
      </Card>
      <RawJson value={{ name: 'Alice Moore' }} />
      <Card title="Dialogs">
        <div className="flex flex-wrap gap-2">
          {DIALOGS.map((each) => (
            <Button key={each} onClick={() => setOpened(each)}>
              Open a {each}
            </Button>
          ))}
        </div>
      </Card>
      {opened === 'sheet' ? (
        <FilterSheet
          filters={filters}
          onChange={(_, value) => setChoice(value)}
          onClear={() => setChoice('')}
          onClose={close}
        />
      ) : null}
      {opened === 'dialog' ? (
        <Dialog title="A dialog" onClose={close}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              close();
            }}
          >
            <DialogActions action="Save" isBusy={false} curl={null} onClose={close} />
          </form>
        </Dialog>
      ) : null}
      {opened === 'question' ? (
        <ConfirmDialog
          title="Delete the row?"
          action="Delete"
          isBusy={false}
          error={null}
          onConfirm={close}
          onClose={close}
        >
          What the deletion takes along.
        </ConfirmDialog>
      ) : null}
      {opened === 'typed question' ? (
        <TypedDialog
          title="Delete everything?"
          word="delete"
          action="Delete"
          isBusy={false}
          error={null}
          curl={null}
          onConfirm={close}
          onClose={close}
        >
          What the deletion takes along.
        </TypedDialog>
      ) : null}
    </>
  );
}
