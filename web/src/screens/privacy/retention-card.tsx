import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { formatCount } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { daysOf, KEPT, RULES, shorter, type Rule, type Rules } from './retention.ts';
import { useMay } from '../../session/session.ts';
import { t } from '../../words/words.ts';

const LABELS: Readonly<Record<Rule, string>> = {
  recording_days: 'Recordings, days',
  transcript_days: 'Transcripts, tool logs and analyses, days',
  contact_days: 'Numbers, names and values, days',
  test_days: 'Results of test cases, days',
  audit_days: 'Audit log, days',
};

const NOTHING: Partial<Record<Rule, string>> = {};

/** How long the workspace keeps what was said. */
export function RetentionCard(): ReactNode {
  const read = useRead('getRetention', {});
  return (
    <Card title={t('How long data is kept')}>
      <Loaded read={read} shape="lines">
        {(rules) => <RetentionForm rules={rules} />}
      </Loaded>
    </Card>
  );
}

function RetentionForm({ rules }: { rules: Rules }): ReactNode {
  // A field in which nobody typed follows what is stored.
  const [typed, setTyped] = useState<Partial<Record<Rule, string>>>(NOTHING);
  const texts = mapRules((rule) => typed[rule] ?? String(rules[rule] ?? ''));
  const [isAsking, setIsAsking] = useState(false);
  const isOwner = useMay('owner');
  const save = useChange('setRetention', ['getRetention'], () => t('The rules are saved.'));
  const input = mapRules((rule) => daysOf(texts[rule]));
  const deleting = shorter(rules, input);
  const send = (): void =>
    save.mutate(input, {
      onSuccess: () => {
        setTyped(afterSending(typed, NOTHING));
        setIsAsking(false);
      },
    });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (deleting.length > 0) setIsAsking(true);
        else send();
      }}
    >
      <p className="text-muted">
        {t(
          'Counted from the end of a call or chat. An empty field keeps everything. Calls stay in the history and the sums without what was said.',
        )}
      </p>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        {RULES.map((rule) => (
          <TextField
            key={rule}
            label={LABELS[rule]}
            type="number"
            min={1}
            max={3650}
            placeholder={t('No limit')}
            readOnly={!isOwner}
            value={texts[rule]}
            error={save.error?.fields.get(rule)}
            onChange={(event) => setTyped({ ...typed, [rule]: event.target.value })}
          />
        ))}
      </div>
      {save.isError && !isAsking ? <ErrorNote error={save.error} /> : null}
      {isOwner ? (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={save.isPending}>
            {t('Save the rules')}
          </Button>
          <CopyCurl operation="setRetention" input={input} />
        </div>
      ) : null}
      {isAsking ? (
        <ConfirmDialog
          title={t('Delete what is older')}
          action={t('Save and delete')}
          isBusy={save.isPending}
          error={save.error}
          curl={<CopyCurl operation="setRetention" input={input} />}
          onConfirm={send}
          onClose={() => setIsAsking(false)}
        >
          <p>
            {t('Within the hour the service deletes {value}. This cannot be undone.', {
              value: deleting
                .map((rule) =>
                  t('{what} older than {days}', {
                    what: t(KEPT[rule]),
                    days: formatCount(input[rule] ?? 0, 'day'),
                  }),
                )
                .join(', and '),
            })}
          </p>
        </ConfirmDialog>
      ) : null}
    </form>
  );
}

const mapRules = <T,>(value: (rule: Rule) => T): Record<Rule, T> => ({
  recording_days: value('recording_days'),
  transcript_days: value('transcript_days'),
  contact_days: value('contact_days'),
  test_days: value('test_days'),
  audit_days: value('audit_days'),
});
