import type { HistoryItem } from '@callwright/turns';
import type { LlmProvider } from '../../../../src/providers/ports/model.ts';
import type { Scheduler } from '../../../../src/shared/clock.ts';
import { repliesOf, type ScriptedReply } from '../scripts.ts';
import type { Script } from '../script.ts';

const FIRST_WORD_MS = 300;

/** A model that gives the replies of a script in virtual time, and repeats words that have none. */
export function scriptedModel(script: Script, scheduler: Scheduler): LlmProvider {
  const replies = repliesOf([script]);
  let calls = 0;
  return {
    name: 'scripted',
    open: () => ({
      reply({ history, signal }, onEvent) {
        const said = lastOf(history, 'caller', 'tool');
        const reply = replies.find(({ to }) => said.includes(to)) ?? repeating(said);
        const text = reply.text?.replaceAll('{agent}', lastOf(history, 'agent'));
        const stop = scheduler.after(FIRST_WORD_MS, () => {
          for (const word of text?.match(/\S+\s*/gu) ?? []) onEvent({ type: 'delta', text: word });
          for (const { name, args } of reply.tools ?? [])
            onEvent({ type: 'tool', id: `call-${calls++}`, name, args });
          onEvent({ type: 'done', memory: null, expected: null });
        });
        signal.addEventListener('abort', stop);
      },
      close: () => undefined,
    }),
    close: () => Promise.resolve(),
  };
}

const repeating = (said: string): ScriptedReply => ({ to: said, text: `You said: ${said}` });

/** The words of the last item of these roles, or the result of a tool. */
function lastOf(history: readonly HistoryItem[], ...roles: readonly HistoryItem['role'][]): string {
  const item = history.findLast(({ role }) => roles.includes(role));
  if (item === undefined) return 'nothing';
  if (item.role === 'tool') return JSON.stringify(item.result);
  return 'text' in item ? item.text : 'nothing';
}
