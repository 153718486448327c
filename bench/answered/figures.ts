import type { JudgedGreeting } from '../../test/helpers/audio/judge-greeting.ts';
import { table, type Bound } from '../report.ts';
import type { AnsweredBy, Greeting } from './greetings.ts';

export interface Verdict extends JudgedGreeting {
  readonly greeting: Greeting;
  readonly voice: string;
}

const MACHINES: readonly AnsweredBy[] = ['voicemail', 'menu', 'hold', 'screening', 'announcement'];
const KINDS = ['human', 'unsure', 'none', 'voicemail', 'ivr', 'hold', 'screening', 'sit'] as const;
/** The kinds that are right. The agent talks to a person in doubt, and a network that cannot reach the callee ends as a mailbox does. */
const RIGHT: Readonly<Record<AnsweredBy, readonly JudgedGreeting['kind'][]>> = {
  person: ['human', 'unsure', 'none'],
  voicemail: ['voicemail'],
  menu: ['ivr'],
  hold: ['hold'],
  screening: ['screening'],
  announcement: ['voicemail', 'sit'],
};

const isAsSuch = ({ greeting, kind }: Verdict): boolean => RIGHT[greeting.by].includes(kind);
const isMachine = ({ kind }: Verdict): boolean => !RIGHT.person.includes(kind);

/** Whether another kind was heard than the one that answered. */
export const isMistaken = (verdict: Verdict): boolean => !isAsSuch(verdict);

/** How often each kind of greeting was taken for what. */
export const confusionOf = (verdicts: readonly Verdict[]): string =>
  table(
    ['answered by', ...KINDS],
    (['person', ...MACHINES] as const).map((by) => [
      by,
      ...KINDS.map((kind) => {
        const count = verdicts.filter((one) => one.greeting.by === by && one.kind === kind).length;
        return count === 0 ? '' : String(count);
      }),
    ]),
  );

/** What must hold of these verdicts, with the figures. */
export function boundsOf(verdicts: readonly Verdict[]): Bound[] {
  const people = verdicts.filter(({ greeting }) => greeting.by === 'person');
  const taken = people.filter(isMachine).length;
  const machines = verdicts.filter(({ greeting }) => greeting.by !== 'person');
  const known = machines.filter(isMachine).length;
  const named = verdicts.filter(({ greeting }) => ['menu', 'hold', 'screening'].includes(greeting.by));
  const asSuch = named.filter(isAsSuch).length;
  return [
    { text: `no person is taken for a machine (${taken} of ${people.length})`, holds: taken === 0 },
    {
      text: `at least 90 % of the machines are heard as machines (${known} of ${machines.length})`,
      holds: known >= machines.length * 0.9,
    },
    {
      text: `at least 90 % of the menus, holds and screening services are heard as such (${asSuch} of ${named.length})`,
      holds: asSuch >= named.length * 0.9,
    },
  ];
}
