import { useState, type ReactNode } from 'react';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { LineChart } from '../../ui/chart/line-chart.tsx';
import { ANSWERED, UNANSWERED } from '../../ui/chart/series.ts';
import { Spark } from '../../ui/chart/spark.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Button, CheckField, CopyButton, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { ICONS, type IconName } from '../../ui/icon-shapes.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { MoreActions } from '../../ui/more-actions.tsx';
import { Badge, Card, EmptyState, ErrorNote, Facts, ListWithForm, Loading, Page } from '../../ui/page.tsx';
import { Parts } from '../../ui/parts.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { Strip } from '../../ui/strip.tsx';
import { Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { MorePrimitives } from './more-primitives.tsx';

const TONES = ['neutral', 'good', 'warn', 'bad', 'accent'] as const;
const LOOKS = ['primary', 'plain', 'danger'] as const;
const COLOURS = [
  'bg-ground',
  'bg-side',
  'bg-surface',
  'bg-raised',
  'bg-line',
  'bg-accent',
  'bg-good',
  'bg-warn',
  'bg-bad',
  'bg-assistant',
  'bg-assistant-soft',
  'bg-person',
  'bg-amber',
  'bg-purple',
  'bg-slate',
] as const;
const SIZES = ['text-xs', 'text-sm', 'text-base', 'text-lg', 'text-xl', 'text-2xl'] as const;
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as const;
const ROWS = [
  { name: 'Alice Moore', calls: 3 },
  { name: 'Dan Wu', calls: 12 },
] as const;
const NAMES = Object.keys(ICONS) as IconName[];

/** Every primitive of `web/src/ui` in each of its states, for people who build screens. */
export function DesignPage(): ReactNode {
  const [page, setPage] = useState(1);
  return (
    <Page
      title="Design"
      intro="Every primitive in every state."
      actions={
        <>
          <Menu label="Menu" corner="bottom-right">
            {(close) => <Button onClick={close}>Close</Button>}
          </Menu>
          <MoreActions>{(close) => <Button onClick={close}>A further action</Button>}</MoreActions>
        </>
      }
    >
      <Card title="Colours">
        <div className="flex flex-wrap gap-3 text-xs">
          {COLOURS.map((name) => (
            <span key={name} className="flex items-center gap-2">
              <span className={`size-8 rounded-md border border-line ${name}`} />
              {name}
            </span>
          ))}
        </div>
      </Card>
      <Card title="Sizes">
        {SIZES.map((name) => (
          <p key={name} className={name}>
            {name}: Alice Moore confirmed at 14:03
          </p>
        ))}
        <p className="font-mono text-sm">font-mono: 0123456789</p>
      </Card>
      <Card title="Icons">
        <div className="flex flex-wrap gap-4 text-xs">
          {NAMES.map((name) => (
            <span key={name} className="flex items-center gap-1.5">
              <Icon name={name} />
              {name}
            </span>
          ))}
          <Icon name="check" isLarge />
        </div>
      </Card>
      <Card title="Buttons">
        <div className="flex flex-wrap gap-2">
          {LOOKS.map((look) => (
            <span key={look} className="flex gap-2">
              <Button look={look}>{look}</Button>
              <Button look={look} busy>
                busy
              </Button>
              <Button look={look} disabled>
                disabled
              </Button>
            </span>
          ))}
          <CopyButton text="copied" />
        </div>
      </Card>
      <Card title="Fields">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Empty" placeholder="What to type" />
          <TextField label="With a hint" hint="What it is for." defaultValue="Value" />
          <TextField label="Refused" error="Type a number." defaultValue="twelve" />
          <TextField label="Disabled" disabled defaultValue="Value" />
          <SelectField label="Choice">
            <option>One</option>
          </SelectField>
          <CheckField label="Check box" defaultChecked />
          <TextArea label="Long text" defaultValue="Lines of text." />
        </div>
      </Card>
      <Card title="Chips">
        <div className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
      </Card>
      <Stats>
        <Stat name="Figure" value="56%">
          147 of 260
        </Stat>
        <Stat name="Without a value" value="–" />
      </Stats>
      <Tabs
        label="Tabs"
        tabs={[
          ['First', 'What the first tab shows.'],
          ['Second', 'What the second tab shows.'],
        ]}
      />
      <nav aria-label="Strip" className="border-b border-line">
        <Strip chosen={DAYS[0]}>
          <ul className="flex gap-x-4 max-sm:w-max sm:flex-wrap">
            {DAYS.map((name) => (
              <li key={name}>
                <a
                  href="#strip"
                  aria-current={name === DAYS[0] ? 'page' : undefined}
                  className="block py-2.5"
                >
                  The page of {name}
                </a>
              </li>
            ))}
          </ul>
        </Strip>
      </nav>
      <Parts
        parts={[
          ['One part', <p key="one">The first part of a long page.</p>],
          ['Another part', <p key="another">The second part.</p>],
        ]}
      />
      <Card title="Charts">
        <BarChart
          label="Bars"
          isTitled
          series={[ANSWERED, UNANSWERED]}
          bars={DAYS.map((name, index) => ({ key: name, name, values: [index * 3, 7 - index] }))}
        />
        <BarChart
          label="Bars with a line"
          isTitled
          series={[ANSWERED]}
          line={{ ...UNANSWERED, stroke: 'stroke-assistant', dash: '4 4', isBare: true }}
          bars={DAYS.map((name, index) => ({ key: name, name, values: [index * 3, 9 - index] }))}
        />
        <LineChart
          label="Lines"
          series={[{ ...ANSWERED, stroke: 'stroke-assistant' }]}
          format={String}
          points={DAYS.map((name, index) => ({ key: name, name, values: [index === 2 ? null : index * 40] }))}
        />
        <Spark values={[1, 4, 2, 6, 5]} />
      </Card>
      <Notice tone="warn" title="Something stopped." action={<Button>Resume</Button>}>
        Why it did.
      </Notice>
      <Notice tone="bad" title="Something is broken." />
      <Segmented
        label="Range"
        value="day"
        options={[
          ['day', 'Day'],
          ['week', 'Week'],
        ]}
        onChange={() => undefined}
      />
      <Card title="Bars and facts">
        <ShareBar share={0.56}>56%</ShareBar>
        <ShareBar share={0.56} fills>
          56%
        </ShareBar>
        <Facts
          rows={[
            ['Name', 'Alice Moore'],
            ['Number', '+1 415 555 0123'],
          ]}
        />
      </Card>
      <Table
        caption="Rows"
        columns={[
          { title: 'Person', cell: ({ name }) => name },
          { title: 'Calls', cell: ({ calls }) => calls, isNumber: true },
        ]}
        rows={ROWS}
        keyOf={({ name }) => name}
      />
      <Pager total={90} page={page} size={30} onPage={setPage} />
      <ErrorNote error={new Error('The carrier refused the call.')} retry={() => undefined} />
      <ListWithForm form={<Card title="Add one">The form of the list.</Card>}>
        <EmptyState title="Nothing yet" icon="hash" action={<Button look="primary">Add one</Button>}>
          What the list is for.
        </EmptyState>
      </ListWithForm>
      <Loading shape="table" />
      <MorePrimitives />
    </Page>
  );
}
