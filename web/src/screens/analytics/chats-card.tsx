import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatCode, formatNumber, formatSeconds } from '../../ui/format.tsx';
import { Facts } from '../../ui/page.tsx';
import { Section } from './section.tsx';
import { chatSheet } from './sheets.ts';
import { chatEndName } from '../../parts/outcomes.ts';
import { CHANNELS } from '../chats/filters.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** Chats, which no other figure of the page counts. */
export function ChatsCard({ chats }: { chats: Answer<'getChatAnalytics'>['data'] }): ReactNode {
  if (chats.total_chats === 0) return null;
  const counts = (of: Readonly<Record<string, number>>, nameOf: (code: string) => string): string =>
    Object.entries(of)
      .map(([name, count]) => `${nameOf(name)} ${formatNumber(count)}`)
      .join(', ') || '–';
  return (
    <Section title={t('Chats')} sheet={chatSheet(chats)} isCard>
      <Facts
        rows={[
          [
            'Chats',
            <span key="chats">
              {rich('{totalChats}, {openChats} open, {withPerson} with a person. {link}', {
                totalChats: formatNumber(chats.total_chats),
                openChats: formatNumber(chats.open_chats),
                withPerson: formatNumber(chats.with_person),
                link: (
                  <Link to="/chats" className="text-accent underline">
                    {t('Show them')}
                  </Link>
                ),
              })}
            </span>,
          ],
          [
            'Messages',
            t('{userMessages} of people, {agentMessages} of assistants, {personMessages} of your team', {
              userMessages: formatNumber(chats.user_messages),
              agentMessages: formatNumber(chats.agent_messages),
              personMessages: formatNumber(chats.person_messages),
            }),
          ],
          ['Average length', formatSeconds(chats.average_duration)],
          [
            'Channels',
            counts(chats.by_channel, (name) => t(CHANNELS[name as keyof typeof CHANNELS] ?? name)),
          ],
          ['Ends', counts(chats.by_end_reason, chatEndName)],
          ['Results', counts(chats.by_classification, formatCode)],
        ]}
      />
    </Section>
  );
}
