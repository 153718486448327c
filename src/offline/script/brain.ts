import { KnowledgeIndexes } from '../../shared/knowledge/knowledge-index.ts';
import { compile } from './compile.ts';
import { expectedAfter } from './expected.ts';
import { answersByMeaning, knowing, respondByWords } from './answer-by-meaning.ts';
import { type Answers, answersOf } from './answer/answers.ts';
import { wayJudge } from '../meaning/choose-way.ts';
import type { Meaning } from '../meaning/meaning.ts';
import { isSpeakable } from './unit.ts';
import { introduced } from './purpose.ts';
import { freshMemory } from './memory.ts';
import { optOutKeyOf } from '@callwright/language';
import type { Ears } from '@callwright/turns';
import { type Reply, respond } from './respond.ts';
import { findingsOf, markPlaces } from './tools.ts';
import { wordingFor } from './wording.ts';
import type { BrainContext, LlmProvider, LlmSession, ToolSpec } from '../../providers/ports/model.ts';
import type { Faq } from './script.ts';
import type { Agent } from './turn.ts';

/**
 * The built-in brain: follows the agent's script without a language model. Replies are deterministic and stateless, so
 * a speculative reply can be discarded and made again. Caller text is only matched, never interpreted as instructions.
 */
export function createScriptLlm(meaning: Meaning | null = null): LlmProvider {
  const indexes = new KnowledgeIndexes();
  return {
    name: 'offline',
    ...(meaning === null ? {} : { ways: wayJudge(meaning) }),
    open: (context) => openSession(context, indexes, meaning),
    close: () => meaning?.close() ?? Promise.resolve(),
  };
}

export function agentOf(context: BrainContext, indexes = new KnowledgeIndexes()): Agent & Answers {
  const wording = wordingFor(context.language);
  const knowledge = context.knowledge ?? [];
  const findings = findingsOf(context.tools);
  const prompt = markPlaces(context.prompt, findings);
  const sections = context.sections.map(({ title, content }) => ({
    title,
    content: markPlaces(content, findings),
  }));
  const compiled = compile({
    prompt,
    sections,
    introMessage: context.introMessage,
    agentName: context.agentName,
    wording,
  });
  const known = knowledge.flatMap(({ question, text }): Faq[] =>
    question !== undefined && isSpeakable(text) ? [{ question, answer: text }] : [],
  );
  const script = { ...compiled, faqs: [...compiled.faqs, ...known] };
  const questions = compiled.steps.flatMap((step) => (step.type === 'ask' ? [step.question] : []));
  const about = [context.introMessage, compiled.why ?? '', compiled.who ?? '', ...questions].join(' ');
  const answers = answersOf({ faqs: script.faqs, sections, prompt, about, knowledge }, wording, indexes);
  return {
    script,
    wording,
    introMessage: context.introMessage.trim(),
    agentName: context.agentName.trim().slice(0, 100),
    understandsSpeech: context.understandsSpeech,
    hearsWords: hearsWords(context) && context.channel !== 'text',
    inbound: context.callDirection !== 'outbound',
    callsBack: context.channel !== 'text',
    transferTool: transferOf(context.tools),
    optOutKey: optOutKeyOf(context),
    findings,
    tools: new Map(context.tools.map((tool) => [tool.name, tool])),
    ...answers,
  };
}

const hearsWords = ({ understandsSpeech, onlyPhrases }: Partial<Ears>): boolean =>
  understandsSpeech === true && onlyPhrases !== true;

const transferOf = (tools: readonly ToolSpec[]): string | null =>
  tools.find((tool) => tool.kind === 'transfer' || (tool.kind === undefined && /transfer/i.test(tool.name)))
    ?.name ?? null;

function openSession(
  context: BrainContext,
  indexes: KnowledgeIndexes,
  everyMeaning: Meaning | null,
): LlmSession {
  let agent = agentOf(context, indexes);
  let replies = 0;
  const meaning = everyMeaning?.understands(context.language) === true ? everyMeaning : null;
  // The vectors of what the agent knows are there before the first question.
  if (meaning !== null) void meaning.vectorsOf(agent.compared(), 0);
  return {
    expectsFirst: expectedAfter(agent, freshMemory()),
    ...introduced(context),
    reply({ history, memory, signal }, onEvent) {
      const say = (reply: Reply): void => {
        const id = `offline-${++replies}`;
        for (const [at, sentence] of reply.text.entries()) {
          if (signal.aborted) return;
          onEvent({ type: 'delta', text: at === 0 ? sentence : ` ${sentence}` });
        }
        for (const [at, tool] of reply.tools.entries()) {
          if (signal.aborted) return;
          onEvent({ type: 'tool', id: `${id}-${at}`, name: tool.name, args: tool.args });
        }
        if (signal.aborted) return;
        // While a tool runs no question is pending; the next reply continues with the tool's result.
        const expected = reply.memory.awaiting === null ? expectedAfter(agent, reply.memory) : null;
        onEvent({ type: 'done', memory: reply.memory, expected });
      };
      if (meaning === null) return say(respond(agent, history, memory));
      const { reply, unanswered } = respondByWords(agent, history, memory);
      if (unanswered.length === 0) return say(reply);
      const of = agent;
      void answersByMeaning(of, meaning, unanswered).then((found) =>
        say(found.size === 0 ? reply : respond(knowing(of, found), history, memory)),
      );
      return undefined;
    },
    hears(ears) {
      agent = { ...agent, understandsSpeech: ears.understandsSpeech, hearsWords: hearsWords(ears) };
    },
    close: () => undefined,
  };
}
