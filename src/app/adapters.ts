import type { SpecDeps } from '../dialer/prepare-call.ts';
import type { PromptBook } from '../domain/agents/prompt-book.ts';
import { meaningFiles } from '../offline/meaning/meaning.ts';
import { installedModel } from '../offline/models/installed.ts';
import { hibariFiles, netOf } from '../offline/speech/hibari/files.ts';
import { hasPackage } from '../shared/optional-package.ts';
import { VOICE_PACKAGE, libraryNet } from '../offline/speech/library/voices.ts';
import { ownVoices } from '../offline/speech/library/own-voices.ts';
import { earModels } from '../offline/words/models.ts';
import type { VoiceCatalogue } from '../domain/agents/voice-catalogue.ts';
import { defaultVoice, voiceById, voices } from '../providers/voices.ts';
import { isEnglish, isLanguage, type Language } from '@callwright/language';
import { joinSections } from '../shared/prompt-text.ts';
import { buildSections, changeSections, parsePrompt } from '../voice/prompt/build-prompt.ts';
import { spokenFirst } from '../voice/prompt/leave-out.ts';
import { findVariables } from '../shared/variables.ts';

/** Adapters between interfaces of one folder and implementations of another. */
export const catalogue: VoiceCatalogue = {
  all: voices,
  byId: voiceById,
  speaks: (id: string, language: string): boolean =>
    voiceById(id)?.languages.includes(language as never) ?? false,
};

export const prompts: PromptBook = {
  build: (fields: Parameters<typeof buildSections>[0]) => toWire(buildSections(fields)),
  join: (sections: readonly { sectionTitle: string; sectionContent: string }[]) =>
    joinSections(fromWire(sections)),
  parse: (prompt: string) => toWire(parsePrompt(prompt)),
  change: (sections, fields) => toWire(changeSections(fromWire(sections), fields)),
  variables: findVariables,
  firstWords: spokenFirst,
  async unfollowed({ language, agentConfig: agent }, lacks) {
    const [{ unfollowed }, { wordingFor }] = await Promise.all([
      import('../offline/script/unfollowed.ts'),
      import('../offline/script/wording.ts'),
    ]);
    return unfollowed(
      {
        prompt: agent.agentPrompt,
        sections: parsePrompt(agent.agentPrompt),
        introMessage: agent.introMessage,
        agentName: '',
        wording: wordingFor(language),
      },
      lacks,
    );
  },
};

/** The same, with the ears of this machine. */
export function promptsOf(modelsDir: string): PromptBook {
  const models = earModels((id) => installedModel(modelsDir, id));
  return { ...prompts, hearsWords: (language) => models(language) !== null };
}
/** Whether a voice that speaks by a model has it now; other voices need none. `modelsDir`: MODELS_DIR. */
export function hasModel(modelsDir: string, voiceKey: string): boolean {
  const [engine, name = ''] = voiceKey.split(':');
  const find = (id: string) => installedModel(modelsDir, id);
  if (engine === 'own') {
    const isThere = ownVoices(modelsDir).some(({ info }) => info.voiceKey === voiceKey);
    return isThere && hasPackage(VOICE_PACKAGE);
  }
  if (engine === 'library') return libraryNet(find, name) !== null && hasPackage(VOICE_PACKAGE);
  return engine !== 'hibari' || (hibariFiles(find) !== null && netOf(find, name) !== null);
}

/** Whether the model of meanings is installed, and understands the language. */
export const judgesMeaning = (modelsDir: string, language: Language): boolean =>
  isEnglish(language) && meaningFiles((id) => installedModel(modelsDir, id)) !== null;

/** The voices of models on this machine: whether the natural one is installed, and how many are the operator's. */
export const voicesHere = (modelsDir: string): { readonly hasNatural: boolean; readonly own: number } => ({
  hasNatural: hasModel(modelsDir, 'hibari:heart'),
  own: voices().filter(({ voiceKey }) => voiceKey.startsWith('own:')).length,
});

function fromWire(sections: readonly { sectionTitle: string; sectionContent: string }[]) {
  return sections.map((s) => ({ title: s.sectionTitle, content: s.sectionContent }));
}
function toWire(sections: readonly { title: string; content: string }[]) {
  return sections.map((s) => ({ sectionTitle: s.title, sectionContent: s.content }));
}

export const specDeps: SpecDeps = {
  voiceKey: (voiceId, language) => {
    const voice = voiceById(voiceId) ?? defaultVoice(isLanguage(language) ? language : 'en-US');
    return voice.voiceKey;
  },
};
