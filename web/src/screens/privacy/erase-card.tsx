import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, TextArea } from '../../ui/controls.tsx';
import { formatCount } from '../../ui/format.tsx';
import { Card } from '../../ui/page.tsx';
import { TypedDialog } from '../../ui/typed-dialog.tsx';
import { listed } from './listed.ts';
import { t } from '../../words/words.ts';

const AFFECTED = ['listCalls', 'getCall', 'listChats', 'getChat', 'listCampaignContacts'] as const;

/** Erases what belongs to people, by their numbers. */
export function EraseCard(): ReactNode {
  const [text, setText] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const numbers = listed(text);
  return (
    <Card title={t('Erase people')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (numbers.length > 0) setIsAsking(true);
        }}
      >
        <p className="text-muted">
          {t(
            'Deletes recordings, transcripts, analyses, names and values of every call and chat with these numbers, and their copies in events and lists. Calls stay in the history and the sums with a masked number and their cost. Numbers on the do-not-call list stay listed.',
          )}
        </p>
        <TextArea
          label={t('Numbers with country code, one a line')}
          rows={3}
          required
          value={text}
          hint={t('At most 100. Queued calls to them are cancelled; live calls are erased when they end.')}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="danger">
            {t('Erase')}
          </Button>
          <CopyCurl operation="eraseNumbers" input={{ mobile_numbers: numbers }} />
        </div>
      </form>
      {isAsking ? (
        <EraseDialog
          numbers={numbers}
          onClose={() => setIsAsking(false)}
          onDone={() => {
            setText('');
            setIsAsking(false);
          }}
        />
      ) : null}
    </Card>
  );
}

/** What is erased does not come back, so it takes a typed word. */
function EraseDialog({
  numbers,
  onClose,
  onDone,
}: {
  numbers: readonly string[];
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const navigate = useNavigate({ from: '/settings/data' });
  const input = { mobile_numbers: [...numbers] };
  const erase = useChange('eraseNumbers', AFFECTED, (_input, answer) =>
    answer.cancelled_count === 0
      ? t('The erasure has begun.')
      : t('The erasure has begun; {cancelledCount} cancelled.', {
          cancelledCount: formatCount(answer.cancelled_count, 'queued call'),
        }),
  );
  return (
    <TypedDialog
      title={t('Erase {length}', { length: formatCount(numbers.length, 'number') })}
      word="erase"
      action={t('Erase for good')}
      isBusy={erase.isPending}
      error={erase.error}
      curl={<CopyCurl operation="eraseNumbers" input={input} />}
      onConfirm={() =>
        erase.mutate(input, {
          onSuccess: ({ erasure_id: erasure }) => {
            onDone();
            void navigate({ search: { erasure } });
          },
        })
      }
      onClose={onClose}
    >
      <p className="wrap-anywhere">{numbers.join(', ')}</p>
      <p className="text-muted">{t('What was said with these numbers is deleted. This cannot be undone.')}</p>
    </TypedDialog>
  );
}
