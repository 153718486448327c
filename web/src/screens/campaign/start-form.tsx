import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { ApiFailure, Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CheckField, CopyCurl } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** What a review before the start gets. */
export interface ReviewProps {
  readonly isStarting: boolean;
  readonly error: ApiFailure | null;
  readonly onStart: () => void;
  readonly onClose: () => void;
}

/** The form that starts a campaign, after its `review` if it has one. `children` get what the service says about a field. */
export function StartForm({
  input,
  action,
  mayStart,
  review,
  children,
}: {
  input: Input<'startCampaignV2'>;
  action: string;
  mayStart: boolean;
  review?: (props: ReviewProps) => ReactNode;
  children: (errorOf: (field: string) => string | undefined) => ReactNode;
}): ReactNode {
  const start = useChange('startCampaignV2', [
    'getCampaign',
    'getCampaignProgress',
    'listCampaigns',
    'getOverview',
  ]);
  const [isReviewed, setReviewed] = useState(false);
  const send = (): void => start.mutate(input);
  return (
    <Card title={t('Start')}>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          start.reset();
          if (review === undefined) send();
          else setReviewed(true);
        }}
      >
        {children((field) => start.error?.fields.get(field))}
        {start.isError && !isReviewed ? <ErrorNote error={start.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={start.isPending} disabled={!mayStart}>
            {action}
          </Button>
          <CopyCurl operation="startCampaignV2" input={input} />
        </div>
      </form>
      {isReviewed
        ? review?.({
            isStarting: start.isPending,
            error: start.error,
            onStart: send,
            onClose: () => setReviewed(false),
          })
        : null}
    </Card>
  );
}

/** The numbers that a campaign uses in turn: all, but those in `left`. */
export function NumberChoice({
  legend,
  numbers,
  left,
  empty,
  onChange,
}: {
  legend: string;
  /** Undefined while they are read. */
  numbers:
    | readonly { readonly id: string; readonly number: string; readonly display_name: string }[]
    | undefined;
  left: ReadonlySet<string>;
  /** What to do without a number: a sentence, and the screen that helps. */
  empty: { readonly text: string; readonly to: '/numbers' | '/whatsapp'; readonly action: string };
  onChange: (left: ReadonlySet<string>) => void;
}): ReactNode {
  const toggle = (id: string): void => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {numbers?.length === 0 ? (
        <p className="text-muted">
          {empty.text}{' '}
          <Link to={empty.to} className="text-accent underline">
            {empty.action}
          </Link>
          .
        </p>
      ) : null}
      {numbers?.map(({ id, number, display_name: name }) => (
        <CheckField
          key={id}
          label={
            <>
              <span className="tabular-nums">{number}</span> <span className="text-muted">{name}</span>
            </>
          }
          checked={!left.has(id)}
          onChange={() => toggle(id)}
        />
      ))}
    </fieldset>
  );
}
