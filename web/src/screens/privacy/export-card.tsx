import { useState, type ReactNode } from 'react';
import { TextArea } from '../../ui/controls.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Card } from '../../ui/page.tsx';
import { listed } from './listed.ts';
import { t } from '../../words/words.ts';

/** Downloads everything that the workspace keeps of a person. */
export function ExportCard(): ReactNode {
  const [numbers, setNumbers] = useState('');
  const [calls, setCalls] = useState('');
  const [chats, setChats] = useState('');
  const input = {
    ...fieldOf('mobile_numbers', numbers),
    ...fieldOf('call_ids', calls),
    ...fieldOf('chat_ids', chats),
  };
  return (
    <Card title={t("Export a person's data")}>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          {t(
            'One JSON file with everything that the workspace keeps of one person: calls with transcripts, analyses and links to recordings, chats, contacts of campaigns, opt-outs, test results and log entries. Treat it like the conversations themselves.',
          )}
        </p>
        <TextArea
          label={t('Numbers of the person with country code, one a line')}
          rows={2}
          value={numbers}
          hint={t('At most 10.')}
          onChange={(event) => setNumbers(event.target.value)}
        />
        <TextArea
          label={t('IDs of browser calls, one a line')}
          rows={2}
          value={calls}
          hint={t('Calls of the person that have no number.')}
          onChange={(event) => setCalls(event.target.value)}
        />
        <TextArea
          label={t('IDs of web chats, one a line')}
          rows={2}
          value={chats}
          hint={t('Chats of the person that have no number.')}
          onChange={(event) => setChats(event.target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <DownloadButton
            operation="exportPerson"
            input={input}
            file="person.json"
            of={t("the person's data as JSON")}
          >
            {t('Download as JSON')}
          </DownloadButton>
        </div>
      </div>
    </Card>
  );
}

const fieldOf = (name: 'mobile_numbers' | 'call_ids' | 'chat_ids', text: string) => {
  const entries = listed(text);
  return entries.length === 0 ? {} : { [name]: entries };
};
