import type { ReactNode } from 'react';
import { Table } from '../../ui/table.tsx';
import { expectationName } from './scenario-draft.ts';
import type { Result } from './types.ts';
import { formatShare } from '../../ui/stat.tsx';
import { t } from '../../words/words.ts';

type Scenario = Result['scenarios'][number];
type Expectation = Scenario['expectations'][number];

const shareOf = (held: number, calls: number): string =>
  calls === 0 ? t('no call so far') : formatShare(held / calls);

/** Scenarios by kinds of expectations: how often each held. A cell that failed opens the first such call. */
export function Grid({
  scenarios,
  onOpen,
}: {
  scenarios: readonly Scenario[];
  onOpen: (call: number) => void;
}): ReactNode {
  const types = [...new Set(scenarios.flatMap(({ expectations }) => expectations.map(({ type }) => type)))];
  return (
    <Table
      caption={t('Scenarios and expectations')}
      columns={[
        { title: 'Scenario', cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span> },
        {
          title: 'Passed',
          cell: ({ passed, calls }) => t('{some} of {all}', { some: passed, all: calls }),
          isNumber: true,
        },
        ...types.map((type) => ({
          title: expectationName(type),
          cell: ({ name, expectations }: Scenario) => (
            <span className="flex flex-col items-start gap-1">
              {expectations
                .filter((each) => each.type === type)
                .map((each) => (
                  <Held
                    key={JSON.stringify(each.expectation)}
                    of={each}
                    label={`${name}: ${expectationName(type)}`}
                    onOpen={onOpen}
                  />
                ))}
            </span>
          ),
        })),
      ]}
      rows={scenarios.map((scenario, at) => ({ ...scenario, key: `${at} ${scenario.name}` }))}
      keyOf={({ key }) => key}
    />
  );
}

function Held({
  of: { held, held_before: before, calls, example },
  label,
  onOpen,
}: {
  of: Expectation;
  label: string;
  onOpen: (call: number) => void;
}): ReactNode {
  const now = shareOf(held, calls);
  const text = before === null ? now : t('{now}, before {before}', { now, before: shareOf(before, calls) });
  if (example === null) return <span className="text-good">{text}</span>;
  return (
    <button
      type="button"
      className="cursor-pointer text-bad underline"
      title={example.reason}
      aria-label={t('{label}: {text}, open call {call}', { label, text, call: example.call })}
      onClick={() => onOpen(example.call)}
    >
      {text}
    </button>
  );
}
