import type { ReactNode } from 'react';
import { formatCode } from '../ui/format.tsx';
import { Badge } from '../ui/page.tsx';
import { t } from '../words/words.ts';

const TONES: Readonly<Record<string, 'neutral' | 'good' | 'warn' | 'bad' | 'accent'>> = {
  verifying: 'accent',
  scheduled: 'accent',
  ongoing: 'accent',
  paused: 'warn',
  insufficient_balance: 'bad',
  completed: 'good',
  failed: 'bad',
};
const NAMES: Readonly<Record<string, string>> = {
  verifying: 'Reading the list',
  draft: 'Ready to start',
  ongoing: 'Calling',
  insufficient_balance: 'Out of credits',
};

export function CampaignState({ state }: { state: string }): ReactNode {
  return <Badge tone={TONES[state] ?? 'neutral'}>{t(NAMES[state] ?? formatCode(state))}</Badge>;
}
