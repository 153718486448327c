import type { ReactNode } from 'react';
import { Card } from '../../ui/page.tsx';
import type { Chat } from './types.ts';
import { t } from '../../words/words.ts';

/** The tools that ran during the chat, with what they got and answered. */
export function ChatTools({ chat }: { chat: Chat }): ReactNode {
  if (chat.tool_call_logs.length === 0) return null;
  return (
    <Card title={t('Tools')}>
      <ul className="flex flex-col gap-2">
        {chat.tool_call_logs.map((entry, index) => (
          // Entries are only ever added at the end.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <details className="rounded-md border border-line px-3 py-2 text-sm">
              <summary className="cursor-pointer font-mono">{nameOf(entry)}</summary>
              <pre className="mt-2 overflow-x-auto font-mono text-xs whitespace-pre-wrap wrap-anywhere">
                {JSON.stringify(entry, null, 2)}
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const nameOf = (entry: Readonly<Record<string, unknown>>): string => {
  const name = entry['tool_name'] ?? entry['name'];
  return typeof name === 'string' ? name : t('Tool');
};
