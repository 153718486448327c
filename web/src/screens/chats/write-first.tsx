import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer, Input } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { buttonClass, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, ErrorNote } from '../../ui/page.tsx';
import { TemplateField } from '../../parts/template-field.tsx';
import type { Template } from '../../parts/whatsapp-template.tsx';
import { bodyPlaces, filledBody } from './first-words.ts';
import { t } from '../../words/words.ts';

type WhatsappNumber = Answer<'listWhatsappNumbers'>['whatsapp_numbers'][number];

/** Begins a chat on WhatsApp with an approved template. */
export function WriteFirst({ onClose }: { onClose: () => void }): ReactNode {
  const numbers = useRead('listWhatsappNumbers', {});
  return (
    <Dialog title={t('Write to a person')} onClose={onClose}>
      <Loaded read={numbers}>
        {({ whatsapp_numbers: list }) =>
          list.length > 0 ? (
            <WriteForm numbers={list} onClose={onClose} />
          ) : (
            <EmptyState
              title={t('No WhatsApp number yet')}
              action={
                <Link to="/whatsapp" className={buttonClass('primary')}>
                  {t('Attach a number')}
                </Link>
              }
            >
              {t('The first message leaves from a WhatsApp number of the workspace.')}
            </EmptyState>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function WriteForm({
  numbers,
  onClose,
}: {
  numbers: readonly WhatsappNumber[];
  onClose: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const [numberId, setNumberId] = useState(numbers[0]?.id ?? '');
  const [person, setPerson] = useState('');
  const [template, setTemplate] = useState<Template | null>(null);
  const [words, setWords] = useState<readonly string[]>([]);
  const templates = useRead('listWhatsappTemplates', { whatsapp_number_id: numberId });
  const begin = useChange('startWhatsappChat', ['listChats'], () => t('The message is on its way.'));
  const choose = (chosen: Template | null): void => {
    setTemplate(chosen);
    setWords(Array.from({ length: (chosen === null ? null : bodyPlaces(chosen)) ?? 0 }, () => ''));
  };
  const input: Input<'startWhatsappChat'> = {
    whatsapp_number_id: numberId,
    mobile_number: person.trim(),
    template: {
      name: template?.name ?? '',
      language: template?.language ?? '',
      ...(words.length === 0 ? {} : { parameters: [...words] }),
      ...(template === null ? {} : { text: filledBody(template, words) }),
    },
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate(input, {
          onSuccess: ({ data }) => void navigate({ to: '/chats/$chatId', params: { chatId: data.chat_id } }),
        });
      }}
    >
      <SelectField
        label={t('From')}
        value={numberId}
        onChange={(event) => {
          setNumberId(event.target.value);
          choose(null);
        }}
      >
        {numbers.map(({ id, number, display_name: name }) => (
          <option key={id} value={id}>
            {number} {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('To, with country code')}
        inputMode="tel"
        placeholder="+14155550123"
        required
        value={person}
        error={begin.error?.fields.get('mobile_number')}
        onChange={(event) => setPerson(event.target.value)}
      />
      <Loaded read={templates} shape="lines">
        {({ templates: list }) => (
          <TemplateField
            label={t('Template of the first message')}
            templates={list}
            template={template}
            error={begin.error?.fields.get('template.name')}
            refusal={(each) =>
              each.reason ?? (bodyPlaces(each) === null ? t('its heading or buttons need a campaign') : null)
            }
            onChange={choose}
          />
        )}
      </Loaded>
      {words.map((word, index) => (
        <TextField
          // oxlint-disable-next-line react/no-array-index-key -- The place is the identity.
          key={index}
          label={`{{${index + 1}}}`}
          required
          maxLength={1024}
          value={word}
          onChange={(event) => setWords(words.with(index, event.target.value))}
        />
      ))}
      {begin.isError ? <ErrorNote error={begin.error} /> : null}
      <DialogActions
        action={t('Send')}
        isBusy={begin.isPending}
        curl={<CopyCurl operation="startWhatsappChat" input={input} />}
        onClose={onClose}
      />
    </form>
  );
}
