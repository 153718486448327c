import { optOutSense } from '@callwright/language';
import { initialState, step, type TurnEffect, type TurnEvent, turnSettings } from '@callwright/turns';
import type { BrainContext, LlmProvider, LlmSession } from '../providers/ports/model.ts';
import { OptOutWatch } from './opt-out-watch.ts';

const AGENT: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: 'You are Maya of Green Table, a restaurant. The kitchen is open until ten.',
  instructions: '',
  sections: [
    {
      title: 'Conversation Script',
      content:
        'Ask which day suits them.\nAsk how many people are coming.\nAsk for their name.\nThank them and say goodbye.',
    },
    { title: 'FAQs', content: 'Q: Is there parking?\nA: Yes, behind the house.' },
  ],
  introMessage: 'Hello, this is Maya from Green Table. How can I help you?',
  agentName: 'Maya',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'inbound',
};

const LINES = [
  'hello I want to book a table',
  'is there parking',
  'Tuesday at half past seven please',
  'no sorry the day after',
  'four of us',
  'one moment',
  'my name is Anna',
  'what was that',
  'thank you goodbye',
];

/** Time of one spoken line, of the silence after it, and of one utterance of the agent, ms. */
const [LINE_MS, SILENCE_MS, UTTERANCE_MS] = [600, 1_500, 400];

/**
 * Holds a conversation with the script brain through the turn machine, in virtual time, and returns its transcript. V8
 * compiles functions and regular expressions at their first use: without this, the first caller's words stop the audio of
 * all other calls of the thread for up to 70 ms.
 */
export function warmUp(script: LlmProvider): readonly string[] {
  const talk = new Talk(script.open(AGENT));
  talk.handle({ type: 'answered', at: 0 });
  talk.wait(SILENCE_MS);
  for (const [at, text] of LINES.entries()) {
    if (at % 2 === 0) talk.speak(text);
    else talk.handle({ type: 'typed', text, at: talk.now });
    talk.wait(SILENCE_MS);
  }
  talk.handle({ type: 'remote_hangup', at: talk.now });
  return talk.lines;
}

class Talk {
  now = 0;
  readonly lines: string[] = [];
  readonly #brain: LlmSession;
  readonly #watch = new OptOutWatch(optOutSense(AGENT), () => undefined);
  #state = initialState(
    turnSettings({
      callConfig: {},
      introMessage: AGENT.introMessage,
      language: AGENT.language,
      direction: 'inbound',
    }),
  );

  constructor(brain: LlmSession) {
    this.#brain = brain;
  }

  handle(first: TurnEvent): void {
    const events = [first];
    for (let event = events.shift(); event !== undefined; event = events.shift()) {
      const before = this.#state;
      const after = step(before, event);
      this.#state = after.state;
      this.#watch.follow(before, after, event.at);
      for (const effect of after.effects) events.push(...this.#eventsOf(effect));
    }
  }

  speak(text: string): void {
    this.handle({ type: 'speech_started', since: this.now, at: this.now });
    this.handle({ type: 'partial', text: text.slice(0, text.lastIndexOf(' ')), at: this.now });
    this.wait(LINE_MS);
    this.handle({ type: 'speech_stopped', since: this.now, at: this.now });
    this.handle({ type: 'final', text, at: this.now });
  }

  wait(ms: number): void {
    const until = this.now + ms;
    for (let { wakeAt } = this.#state; wakeAt !== null && wakeAt <= until; { wakeAt } = this.#state) {
      this.now = Math.max(this.now + 1, wakeAt);
      this.handle({ type: 'wake', at: this.now });
    }
    this.now = Math.max(this.now, until);
  }

  #eventsOf(effect: TurnEffect): TurnEvent[] {
    const at = this.now;
    if (effect.type === 'transcribe') this.lines.push(`${effect.line.role}: ${effect.line.text}`);
    if (effect.type === 'stop_speaking') return [{ type: 'speaking_stopped', heard: [], at }];
    if (effect.type === 'generate') return this.#reply(effect);
    if (effect.type !== 'speak') return [];
    const { utteranceId } = effect;
    return [
      { type: 'utterance_started', utteranceId, at },
      { type: 'utterance_ended', utteranceId, at: at + UTTERANCE_MS },
    ];
  }

  #reply({ replyId, history, memory }: Extract<TurnEffect, { type: 'generate' }>): TurnEvent[] {
    const at = this.now;
    const events: TurnEvent[] = [];
    this.#brain.reply({ history, memory, signal: new AbortController().signal }, (made) => {
      if (made.type === 'delta') events.push({ type: 'reply_text', replyId, text: made.text, at });
      if (made.type === 'done')
        events.push({ type: 'reply_done', replyId, memory: made.memory, expected: made.expected, at });
    });
    return events;
  }
}
