import { isEnglish, normal } from '@callwright/language';
import { clipped, type Detector } from './alarm.ts';
import table from './promises.json' with { type: 'json' };

/** A tool that does what the agent says is called at the latest so long after. */
const LATEST_MS = 8_000;

/** What an agent says it has done or is doing, and how tools that do it are named. English. */
const PROMISES = table.map(({ verbs, tools }) => ({
  says: new RegExp(
    `\\b(?:i have|ive|i just|i am|im|we have|weve) (?:now |just |already |also )?(?:${verbs.join('|')})\\b|\\b(?:you are|youre|it is|its|that is|thats|has been) (?:now |all )?(?:booked|cancell?ed|refunded)\\b`,
    'u',
  ),
  perfect: new RegExp(`\\b(?:${verbs.join('|')})\\b`, 'u'),
  tools: new RegExp(tools.join('|'), 'iu'),
}));

/** The agent says that it has done something, and no tool did it. */
export const promiseWithoutTool: Detector = ({ settings, agent, tools }) => {
  if (!isEnglish(settings.language)) return null;
  for (const sound of agent) {
    const said = normal(sound.text);
    const promise = PROMISES.find(({ says, perfect }) => says.test(said) && perfect.test(said));
    if (promise === undefined) continue;
    const isKept = tools.some(({ name, at }) => promise.tools.test(name) && at <= sound.to + LATEST_MS);
    if (!isKept) return { at: sound.from, detail: `“${clipped(sound.text)}” without a tool` };
  }
  return null;
};
